#include "symbols/demangle/name_writer.hpp"

#include "symbols/limits.hpp"

#include <array>
#include <cstddef>

namespace etl::symbols {
namespace {

bool is_function(const NameNode& node) noexcept {
    return node.kind == NodeKind::function;
}

bool needs_parentheses(const NameNode& pointee) noexcept {
    return is_function(pointee) || pointee.kind == NodeKind::array;
}

// The last character of a word or of a list of template arguments.
bool ends_word(char c) noexcept {
    return c == '_' || c == '>' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
           (c >= 'a' && c <= 'z');
}

} // namespace

bool NameWriter::write(const NameNode& node) {
    whole(&node);
    return !is_exceeded_;
}

void NameWriter::whole(const NameNode* node) {
    left(node);
    right(node);
}

void NameWriter::left(const NameNode* node) {
    if (is_exceeded_ || depth_ == limits::demangle_depth * 2) {
        is_exceeded_ = true;
        return;
    }
    ++depth_;
    switch (node->kind) {
    case NodeKind::text:
        put(node->text);
        break;
    case NodeKind::cell:
        break; // which only list() visits
    case NodeKind::list:
        list(*node);
        break;
    case NodeKind::instance:
        instance(*node);
        break;
    case NodeKind::structor:
        put(node->text);
        whole(node->first);
        break;
    case NodeKind::conversion:
        put("operator ");
        whole(node->first);
        break;
    case NodeKind::tagged:
        put(style_->tags ? node->text : "");
        whole(node->first);
        break;
    case NodeKind::pointer:
        pointer_left(*node);
        break;
    case NodeKind::function:
        function_left(*node);
        break;
    case NodeKind::array:
        left(node->first);
        break;
    case NodeKind::symbol:
        symbol(*node->symbol, node->symbol->is_outermost ? *style_ : DemangleStyle{});
        break;
    }
    own_qualifiers(*node);
    --depth_;
}

void NameWriter::function_left(const NameNode& node) {
    if (node.first != nullptr) {
        left(node.first);
        put(" ");
    }
    put(node.text);
}

// Those of pointers and functions have other places. Elements may have those of their array.
void NameWriter::own_qualifiers(const NameNode& node) {
    if (node.kind == NodeKind::pointer || is_function(node)) {
        return;
    }
    const unsigned written = node.kind == NodeKind::array ? node.first->qualifiers : 0U;
    qualifiers(static_cast<std::uint8_t>(node.qualifiers & ~written), " ");
}

void NameWriter::right(const NameNode* node) {
    if (is_exceeded_ || depth_ == limits::demangle_depth * 2) {
        is_exceeded_ = true;
        return;
    }
    ++depth_;
    if (node->kind == NodeKind::pointer) {
        put(needs_parentheses(*node->first) ? ")" : "");
        right(node->first);
    } else if (is_function(*node)) {
        parameters(*node);
        if (node->first != nullptr) {
            right(node->first);
        }
    } else if (node->kind == NodeKind::array) {
        put("[");
        list(*node->second);
        put("]");
        right(node->first);
    }
    --depth_;
}

void NameWriter::list(const NameNode& node) {
    for (const NameNode* cell = node.first; cell != nullptr && !is_exceeded_; cell = cell->next) {
        whole(cell->first);
        put(cell->next == nullptr ? "" : node.text);
    }
}

// Of a conversion, the arguments are before the type.
void NameWriter::instance(const NameNode& node) {
    const bool is_conversion = node.first->kind == NodeKind::conversion;
    if (is_conversion) {
        put("operator");
    } else {
        whole(node.first);
    }
    put("<");
    list(*node.second);
    put(">");
    if (is_conversion) {
        put(" ");
        whole(node.first->first);
    }
}

void NameWriter::pointer_left(const NameNode& node) {
    const NameNode& pointee = *node.first;
    if (!is_function(pointee)) {
        left(&pointee);
        space();
    } else if (pointee.first != nullptr) {
        left(pointee.first);
        put(" ");
    }
    if ((node.qualifiers & is_unaligned) != 0) {
        put("__unaligned ");
    }
    if (needs_parentheses(pointee)) {
        put("(");
        put(is_function(pointee) ? pointee.text : "");
        put(is_function(pointee) ? " " : "");
    }
    if (node.second != nullptr) {
        whole(node.second);
        put("::");
    }
    put(node.text);
    qualifiers(static_cast<std::uint8_t>(node.qualifiers & ~is_unaligned), "");
}

void NameWriter::symbol(const SymbolParts& parts, const DemangleStyle& style) {
    put(parts.is_thunk ? "[thunk]: " : "");
    put(style.access ? parts.access : "");
    if (style.member_kind) {
        put(parts.is_extern_c ? "extern \"C\" " : "");
        put(parts.member);
    }
    if (parts.type != nullptr && is_function(*parts.type)) {
        function_symbol(parts, style);
        return;
    }
    const bool has_type = style.variable_type && parts.type != nullptr;
    if (has_type) {
        left(parts.type);
        space();
    }
    whole(parts.name);
    put(parts.suffix);
    if (has_type) {
        right(parts.type);
    }
}

void NameWriter::function_symbol(const SymbolParts& parts, const DemangleStyle& style) {
    const NameNode& type = *parts.type;
    const bool has_return = style.return_type && type.first != nullptr;
    if (has_return) {
        left(type.first);
        put(" ");
    }
    if (style.calling_convention) {
        put(type.text);
        put(" ");
    }
    whole(parts.name);
    put(parts.suffix);
    if (style.parameters && type.second != nullptr) { // the thunk of a virtual call has none
        parameters(type);
    }
    if (has_return) {
        right(type.first);
    }
}

void NameWriter::parameters(const NameNode& function) {
    put("(");
    list(*function.second);
    put(")");
    qualifiers(function.qualifiers, " ");
}

// Between several is one space; the first is after `before`.
void NameWriter::qualifiers(std::uint8_t bits, std::string_view before) {
    constexpr std::array<std::string_view, 7> names{
        "const", "volatile", "__restrict", "__unaligned", "&", "&&", "noexcept"};
    for (std::size_t i = 0; i < names.size(); ++i) {
        if ((bits >> i & 1U) != 0) {
            put(before);
            put(names[i]);
            before = " ";
        }
    }
}

void NameWriter::space() {
    put(!to_->empty() && ends_word(to_->back()) ? " " : "");
}

void NameWriter::put(std::string_view text) {
    if (to_->size() + text.size() > limits::demangled_bytes) {
        is_exceeded_ = true;
        return;
    }
    to_->append(text);
}

} // namespace etl::symbols
