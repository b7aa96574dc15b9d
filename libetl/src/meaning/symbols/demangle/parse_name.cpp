#include "symbols/demangle/name_parser.hpp"

#include <algorithm>

namespace etl::symbols {
namespace {

bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}

// Whether the text after a `?` is a number and another `?`.
bool is_local_scope(std::string_view rest) noexcept {
    if (rest.empty()) {
        return false;
    }
    if (is_digit(rest.front())) {
        return rest.substr(1).starts_with('?');
    }
    const std::size_t end = std::min(rest.find_first_not_of("ABCDEFGHIJKLMNOP"), rest.size());
    return rest.substr(end).starts_with("@?");
}

} // namespace

void NameParser::RememberedNames::add(std::string_view text, const NameNode* node) noexcept {
    const auto end = texts.begin() + static_cast<std::ptrdiff_t>(count);
    if (count < nodes.size() && std::find(texts.begin(), end, text) == end) {
        texts[count] = text;
        nodes[count++] = node;
    }
}

void NameParser::RememberedTypes::add(const NameNode* node) noexcept {
    if (count < nodes.size()) {
        nodes[count++] = node;
    }
}

NameParser::Leaf NameParser::leaf() {
    if (takes("?$")) {
        return template_instance();
    }
    if (takes('?')) {
        return special_leaf();
    }
    return {.node = is_digit(peek()) ? referenced_name() : identifier()};
}

NameParser::Leaf NameParser::special_leaf() {
    const OperatorCode code = take_operator(rest_);
    switch (code.kind) {
    case OperatorKind::none:
        return {};
    case OperatorKind::plain:
        return {.node = arena_->text(code.text)};
    case OperatorKind::constructor:
    case OperatorKind::destructor:
    case OperatorKind::conversion: {
        const bool is_structor = code.kind != OperatorKind::conversion;
        NameNode* node = arena_->node(
            {.kind = is_structor ? NodeKind::structor : NodeKind::conversion, .text = code.text});
        return {.node = node, .kind = code.kind, .open = node};
    }
    case OperatorKind::literal:
    case OperatorKind::returning:
        return joined_leaf(code);
    case OperatorKind::string:
        return {.node = string_literal(), .kind = code.kind};
    case OperatorKind::rtti:
        return rtti_leaf();
    case OperatorKind::initializer:
        return initializer_leaf(code.text);
    }
    return {};
}

// A literal operator and its suffix; `udt returning' and an operator.
NameParser::Leaf NameParser::joined_leaf(const OperatorCode& code) {
    if (code.kind == OperatorKind::literal) {
        const NameNode* suffix = identifier();
        return {.node = suffix == nullptr ? nullptr
                                          : arena_->text(arena_->join({code.text, suffix->text}))};
    }
    const OperatorCode returned = take_operator(rest_);
    return {.node = returned.kind == OperatorKind::plain
                        ? arena_->text(arena_->join({code.text, returned.text}))
                        : nullptr};
}

NameParser::Leaf NameParser::rtti_leaf() {
    switch (take()) {
    case '1': {
        const std::string_view text = numbers("`RTTI Base Class Descriptor at (", 4, ")'");
        return {.node = text.empty() ? nullptr : arena_->text(text)};
    }
    case '2':
        return {.node = arena_->text("`RTTI Base Class Array'")};
    case '3':
        return {.node = arena_->text("`RTTI Class Hierarchy Descriptor'")};
    case '4':
        return {.node = arena_->text("`RTTI Complete Object Locator'")};
    default:
        return {};
    }
}

// The function that initializes or destroys a variable: all of its name, with the scopes.
NameParser::Leaf NameParser::initializer_leaf(std::string_view text) {
    const bool is_symbol = peek() == '?' && !rest_.starts_with("?$");
    const NameNode* variable = nullptr;
    if (is_symbol) {
        variable = symbol();
        if (variable == nullptr || !takes('@')) {
            return {};
        }
        takes('@');
    } else {
        const Leaf first = leaf();
        variable =
            first.node == nullptr || first.open != nullptr ? nullptr : scopes(first.node, nullptr);
    }
    return {.node = variable == nullptr
                        ? nullptr
                        : arena_->sequence({arena_->text(text), arena_->text(is_symbol ? "`" : "'"),
                                            variable, arena_->text("''")}),
            .kind = OperatorKind::initializer};
}

// `?$`: the name of a template and its arguments, in which digits refer to their own parts.
NameParser::Leaf NameParser::template_instance() {
    const Level level(depth_);
    if (level.is_too_deep()) {
        return {};
    }
    const References outer = references_;
    references_ = {};
    Leaf made = takes('?') ? special_leaf() : Leaf{.node = identifier()};
    const NameNode* arguments = made.node == nullptr ? nullptr : template_arguments();
    references_ = outer;
    if (arguments == nullptr) {
        return {};
    }
    made.node = arena_->node({.kind = NodeKind::instance, .first = made.node, .second = arguments});
    return made;
}

const NameNode* NameParser::remembered_instance() {
    const std::string_view start = rest_;
    takes("?$");
    const Leaf made = template_instance();
    if (made.node == nullptr || made.open != nullptr) { // which only symbols can have
        return nullptr;
    }
    references_.names.add(start.substr(0, start.size() - rest_.size()), made.node);
    return made.node;
}

const NameNode* NameParser::identifier() {
    const std::size_t end = rest_.find('@');
    if (end == 0 || end == std::string_view::npos) {
        return nullptr;
    }
    const NameNode* made = arena_->text(rest_.substr(0, end));
    references_.names.add(made->text, made);
    rest_.remove_prefix(end + 1);
    return made;
}

const NameNode* NameParser::referenced_name() {
    const auto index = static_cast<std::size_t>(take() - '0');
    return index < references_.names.count ? references_.names.nodes[index] : nullptr;
}

const NameNode* NameParser::scope_part() {
    if (is_digit(peek())) {
        return referenced_name();
    }
    if (rest_.starts_with("?$")) {
        return remembered_instance();
    }
    if (rest_.starts_with("?A")) {
        return is_local_scope(rest_.substr(1)) ? local_scope() : anonymous_namespace();
    }
    if (takes("?Q")) {
        return interface_scope();
    }
    if (rest_.starts_with('?')) {
        return is_local_scope(rest_.substr(1)) ? local_scope() : nullptr;
    }
    return identifier();
}

// The interface that a member of a class implements.
const NameNode* NameParser::interface_scope() {
    const NameNode* name = identifier();
    return name == nullptr ? nullptr
                           : arena_->sequence({arena_->text("["), name, arena_->text("]")});
}

const NameNode* NameParser::anonymous_namespace() {
    const std::size_t end = rest_.find('@');
    if (end == std::string_view::npos) {
        return nullptr;
    }
    const NameNode* made = arena_->text("`anonymous namespace'");
    references_.names.add(rest_.substr(0, end), made);
    rest_.remove_prefix(end + 1);
    return made;
}

// `?2?` and a function: the second block in it.
const NameNode* NameParser::local_scope() {
    take();
    const std::string_view block = numbers("'::`", 1, "'");
    if (block.empty() || !takes('?')) {
        return nullptr;
    }
    const NameNode* function = symbol();
    return function == nullptr
               ? nullptr
               : arena_->sequence({arena_->text("`"), function, arena_->text(block)});
}

// The scopes of a name from the inside out, up to `@`. The innermost is the class of a structor.
const NameNode* NameParser::scopes(const NameNode* leaf, NameNode* open) {
    const Level level(depth_);
    if (level.is_too_deep()) {
        return nullptr;
    }
    const NameNode* outermost = arena_->node({.kind = NodeKind::cell, .first = leaf});
    while (!takes('@')) {
        const NameNode* part = scope_part();
        if (part == nullptr) {
            return nullptr;
        }
        if (open != nullptr && open->first == nullptr) {
            open->first = part;
        }
        outermost = arena_->node({.kind = NodeKind::cell, .first = part, .next = outermost});
    }
    return open != nullptr && open->first == nullptr
               ? nullptr
               : arena_->node({.kind = NodeKind::list, .text = "::", .first = outermost});
}

const NameNode* NameParser::type_name() {
    const NameNode* leaf = scope_part();
    return leaf == nullptr ? nullptr : scopes(leaf, nullptr);
}

} // namespace etl::symbols
