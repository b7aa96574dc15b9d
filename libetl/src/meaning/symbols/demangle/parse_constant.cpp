#include "base/text.hpp"
#include "symbols/demangle/name_parser.hpp"

#include <bit>

namespace etl::symbols {

// After `$`: an argument that is not a type.
const NameNode* NameParser::constant() {
    const Level level(depth_);
    if (level.is_too_deep()) {
        return nullptr;
    }
    const char code = take();
    switch (code) {
    case '0': {
        const auto value = number();
        return value ? arena_->text(text_of(*value)) : nullptr;
    }
    case '1': {
        const NameNode* target = symbol();
        return target == nullptr ? nullptr : arena_->sequence({arena_->text("&"), target});
    }
    case '2':
        return object_constant();
    case '3':
        return array_constant();
    case 'A':
    case 'B':
        return floating_constant(code == 'B');
    case 'C':
        return element_constant();
    case 'D':
        return numbered_parameter("`template-parameter-");
    case 'E':
        return symbol();
    case 'F':
    case 'G':
        return member_constant(false, static_cast<std::size_t>(code - 'F') + 2);
    case 'H':
    case 'I':
    case 'J':
        return member_constant(true, static_cast<std::size_t>(code - 'H') + 1);
    case 'M':
        return auto_constant();
    case 'Q':
        return numbered_parameter("`non-type-template-parameter-");
    default:
        return nullptr;
    }
}

// Of a parameter declared as auto, the type comes first.
const NameNode* NameParser::auto_constant() {
    if (type() == nullptr) {
        return nullptr;
    }
    takes('$');
    return constant();
}

NameNode* NameParser::numbered_parameter(std::string_view kind) {
    const std::string_view text = numbers(kind, 1, "'");
    return text.empty() ? nullptr : arena_->text(text);
}

// A pointer to a member of a class with several or virtual base classes: function and offsets.
NameNode* NameParser::member_constant(bool has_symbol, std::size_t numbers) {
    NodeList list(*arena_);
    if (has_symbol && peek() == '?') { // a null pointer has none
        const NameNode* target = symbol();
        if (target == nullptr) {
            return nullptr;
        }
        list.append(target);
    }
    for (std::size_t i = 0; i < numbers; ++i) {
        const auto value = number();
        if (!value) {
            return nullptr;
        }
        list.append(arena_->text(text_of(*value)));
    }
    return arena_->sequence({arena_->text("{"), list.finish(", "), arena_->text("}")});
}

// The bits of the number.
NameNode* NameParser::floating_constant(bool is_double) {
    const auto bits = number();
    if (!bits || bits->is_negative || (!is_double && bits->magnitude >> 32U != 0)) {
        return nullptr;
    }
    std::string text;
    if (is_double) {
        append_float(text, std::bit_cast<double>(bits->magnitude));
    } else {
        append_float(text, std::bit_cast<float>(static_cast<std::uint32_t>(bits->magnitude)));
    }
    return arena_->text(arena_->join({text}));
}

// The address of an element: that of the array, `0` and the index for each dimension, `@`.
NameNode* NameParser::element_constant() {
    const NameNode* target = takes('1') ? symbol() : nullptr;
    if (target == nullptr) {
        return nullptr;
    }
    NodeList text(*arena_);
    text.append(arena_->text("&"));
    text.append(target);
    while (!takes('@')) {
        const std::string_view index = takes('0') ? numbers("[", 1, "]") : std::string_view{};
        if (index.empty()) {
            return nullptr;
        }
        text.append(arena_->text(index));
    }
    return text.finish("");
}

// An object of a class: its type, the types and values of its members, `@`.
NameNode* NameParser::object_constant() {
    const NameNode* class_type = type();
    if (class_type == nullptr) {
        return nullptr;
    }
    NodeList members(*arena_);
    while (!takes('@')) {
        const bool has_own_type = peek() == '2' || peek() == '3';
        const NameNode* member = has_own_type || type() != nullptr ? constant() : nullptr;
        if (member == nullptr) {
            return nullptr;
        }
        members.append(member);
    }
    return arena_->sequence(
        {class_type, arena_->text("{"), members.finish(", "), arena_->text("}")});
}

// The type of the elements; each followed by `@`; `@`.
NameNode* NameParser::array_constant() {
    if (type() == nullptr) {
        return nullptr;
    }
    NodeList elements(*arena_);
    while (!takes('@')) {
        const NameNode* element = constant();
        if (element == nullptr || !takes('@')) {
            return nullptr;
        }
        elements.append(element);
    }
    return arena_->sequence({arena_->text("{"), elements.finish(", "), arena_->text("}")});
}

} // namespace etl::symbols
