#include "symbols/demangle/name_parser.hpp"

#include <array>

namespace etl::symbols {
namespace {

constexpr std::array<std::string_view, 4> access_texts{"private: ", "protected: ", "public: ", ""};
constexpr std::size_t global_access = 3;

} // namespace

const NameNode* NameParser::whole() {
    if (!takes('.')) {
        return symbol();
    }
    const NameNode* described = type();
    return described == nullptr ? nullptr : descriptor(described, "`RTTI Type Descriptor Name'");
}

const NameNode* NameParser::symbol() {
    const Level level(depth_);
    if (level.is_too_deep() || !takes('?')) {
        return nullptr;
    }
    if (rest_.starts_with("?@")) {
        return hashed_name();
    }
    if (takes("?_R0")) {
        return type_descriptor();
    }
    const Leaf first = leaf();
    if (first.node == nullptr || first.kind == OperatorKind::string) {
        return first.node;
    }
    const bool is_structor =
        first.kind == OperatorKind::constructor || first.kind == OperatorKind::destructor;
    const NameNode* name = first.kind == OperatorKind::initializer
                               ? first.node
                               : scopes(first.node, is_structor ? first.open : nullptr);
    const NameNode* symbol =
        name == nullptr ? nullptr : encoding(name, is_structor ? nullptr : first.open);
    return first.open != nullptr && first.open->first == nullptr ? nullptr : symbol;
}

NameNode* NameParser::finished(SymbolParts parts) {
    parts.is_outermost = depth_ == 1;
    return arena_->symbol(parts);
}

// `?@`, the hash of a name that was too long, `@`. Of its tables, only the locator has a name.
const NameNode* NameParser::hashed_name() {
    const std::size_t end = rest_.find('@', 2);
    if (end == std::string_view::npos || end == 2) {
        return nullptr;
    }
    const std::string_view name = rest_.substr(0, end + 1);
    rest_.remove_prefix(name.size());
    return arena_->text(arena_->join({"?", name, takes("??_R4@") ? "??_R4@" : ""}));
}

// Extern "C", managed code, ARM64EC.
bool NameParser::take_marks(SymbolParts& parts) {
    while (takes("$$")) {
        const char mark = take();
        if (mark == 'J') {
            parts.is_extern_c = true;
            take();
        } else if (mark != 'F' && mark != 'H' && mark != 'h') {
            return false;
        }
    }
    return true;
}

// What follows a name: the kind of the symbol, and its type.
NameNode* NameParser::encoding(const NameNode* name, NameNode* conversion) {
    SymbolParts parts{.name = name};
    if (!take_marks(parts)) {
        return nullptr;
    }
    const char code = take();
    switch (code) {
    case '0':
    case '1':
    case '2':
        return variable(name, access_texts[static_cast<std::size_t>(code - '0')], "static ");
    case '3':
    case '4':
        return variable(name, "", "");
    case '5':
        return guard(name);
    case '6':
    case '7':
        return table(name);
    case '8':
        return finished(parts);
    case '9':
        parts.is_extern_c = true;
        return finished(parts);
    case '$':
        return peek() == 'B' ? virtual_call(name) : thunk(name, conversion);
    default:
        return function_by_code(code, parts, conversion);
    }
}

// Eight letters for each access: plain, static, virtual, thunk, each near and far.
NameNode* NameParser::function_by_code(char code, SymbolParts parts, NameNode* conversion) {
    if (code < 'A' || code > 'Z') {
        return nullptr;
    }
    const auto index = static_cast<std::size_t>(code - 'A');
    const std::size_t kind = index % 8 / 2;
    parts.access = access_texts[index / 8];
    if (index / 8 == global_access) {
        return function_symbol(parts, false, conversion);
    }
    parts.member = kind == 0 ? "" : kind == 1 ? "static " : "virtual ";
    parts.is_thunk = kind == 3;
    if (parts.is_thunk) {
        parts.suffix = numbers("`adjustor{", 1, "}'");
        if (parts.suffix.empty()) {
            return nullptr;
        }
    }
    return function_symbol(parts, kind != 1, conversion);
}

NameNode* NameParser::function_symbol(SymbolParts parts, bool has_this, NameNode* conversion) {
    const NameNode* signature = function(has_this);
    if (signature == nullptr) {
        return nullptr;
    }
    if (conversion != nullptr) {
        conversion->first = signature->first;
    }
    parts.type = signature;
    return finished(parts);
}

NameNode* NameParser::variable(const NameNode* name, std::string_view access,
                               std::string_view member) {
    NameNode* type_of = type();
    if (type_of == nullptr) {
        return nullptr;
    }
    extended_qualifiers(); // of a pointer: its type has them as well
    const auto storage = storage_class();
    if (!storage || (storage->is_of_member && type_name() == nullptr)) {
        return nullptr;
    }
    if (type_of->kind != NodeKind::pointer) { // of a pointer: those of what it points to, once more
        type_of->qualifiers |= storage->qualifiers;
    }
    return finished({.access = access, .member = member, .name = name, .type = type_of});
}

// `6B@`, or the base classes to whose part of the object the table belongs.
NameNode* NameParser::table(const NameNode* name) {
    const auto storage = storage_class();
    if (!storage || storage->is_of_member) {
        return nullptr;
    }
    NodeList text(*arena_);
    if ((storage->qualifiers & is_const) != 0) {
        text.append(arena_->text("const "));
    }
    text.append(name);
    if (!takes('@')) {
        NodeList bases(*arena_);
        do {
            const NameNode* base = type_name();
            if (base == nullptr) {
                return nullptr;
            }
            bases.append(arena_->sequence({arena_->text("`"), base, arena_->text("'")}));
        } while (!takes('@') && !rest_.empty());
        text.append(arena_->text("{for "));
        text.append(bases.finish("s "));
        text.append(arena_->text("}"));
    }
    return finished({.name = text.finish("")});
}

NameNode* NameParser::guard(const NameNode* name) {
    if (rest_.empty() || peek() == '@') {
        return finished({.name = name});
    }
    const std::string_view bit = numbers("{", 1, "}");
    return bit.empty() ? nullptr : finished({.name = name, .suffix = bit});
}

// `$B`: calls the function at an offset in the table of virtual functions.
NameNode* NameParser::virtual_call(const NameNode* name) {
    take();
    const std::string_view slot = numbers("{", 1, ", {flat}}");
    if (slot.empty() || !takes('A')) {
        return nullptr;
    }
    const auto convention = calling_convention();
    if (!convention) {
        return nullptr;
    }
    const NameNode* type = arena_->node({.kind = NodeKind::function, .text = *convention});
    return finished({.name = name, .suffix = slot, .type = type, .is_thunk = true});
}

// `$0` to `$5` and `$R0` to `$R5`: virtual functions of virtual base classes.
NameNode* NameParser::thunk(const NameNode* name, NameNode* conversion) {
    const bool is_extended = takes('R');
    const char code = take();
    if (code < '0' || code > '5') {
        return nullptr;
    }
    const SymbolParts parts{.access = access_texts[static_cast<std::size_t>(code - '0') / 2],
                            .member = "virtual ",
                            .name = name,
                            .suffix = is_extended ? numbers("`vtordispex{", 4, "}'")
                                                  : numbers("`vtordisp{", 2, "}'"),
                            .is_thunk = true};
    return parts.suffix.empty() ? nullptr : function_symbol(parts, true, conversion);
}

const NameNode* NameParser::type_descriptor() {
    const NameNode* described = type();
    return described == nullptr || !takes("@8") ? nullptr
                                                : descriptor(described, "`RTTI Type Descriptor'");
}

NameNode* NameParser::descriptor(const NameNode* type, std::string_view kind) {
    const bool is_pointer = type->kind == NodeKind::pointer;
    return arena_->sequence({type, arena_->text(is_pointer ? "" : " "), arena_->text(kind)});
}

} // namespace etl::symbols
