#include "symbols/demangle/name_parser.hpp"

#include <array>

namespace etl::symbols {
namespace {

using TypeTable = std::array<std::string_view, 26>; // by letter; empty: not a type of this table

constexpr TypeTable basic_types{"",
                                "",
                                "signed char",
                                "char",
                                "unsigned char",
                                "short",
                                "unsigned short",
                                "int",
                                "unsigned int",
                                "long",
                                "unsigned long",
                                "",
                                "float",
                                "double",
                                "long double",
                                "",
                                "",
                                "",
                                "",
                                "",
                                "",
                                "",
                                "",
                                "void",
                                "",
                                ""};

// After `_`.
constexpr TypeTable extended_types{"",
                                   "",
                                   "",
                                   "__int8",
                                   "unsigned __int8",
                                   "__int16",
                                   "unsigned __int16",
                                   "__int32",
                                   "unsigned __int32",
                                   "__int64",
                                   "unsigned __int64",
                                   "__int128",
                                   "unsigned __int128",
                                   "bool",
                                   "",
                                   "auto",
                                   "char8_t",
                                   "",
                                   "char16_t",
                                   "decltype(auto)",
                                   "char32_t",
                                   "",
                                   "wchar_t",
                                   "",
                                   "",
                                   ""};

std::string_view type_at(const TypeTable& table, char c) noexcept {
    return c >= 'A' && c <= 'Z' ? table[static_cast<std::size_t>(c - 'A')] : std::string_view{};
}

} // namespace

NameNode* NameParser::type() {
    const Level level(depth_);
    if (level.is_too_deep()) {
        return nullptr;
    }
    const char code = take();
    switch (code) {
    case '?':
        return qualified_type();
    case '$':
        return special_type();
    case '_':
        return extended_type();
    case 'A':
        return pointer("&", 0);
    case 'B':
        return pointer("&", is_volatile);
    case 'P':
    case 'Q':
    case 'R':
    case 'S': // is_const and is_volatile have these bits
        return pointer("*", static_cast<std::uint8_t>(code - 'P'));
    case 'T':
    case 'U':
    case 'V':
        return tagged(code == 'T' ? "union " : code == 'U' ? "struct " : "class ");
    case 'W':
        return enumeration();
    case 'Y':
        return array();
    default:
        break;
    }
    const std::string_view name = type_at(basic_types, code);
    return name.empty() ? nullptr : arena_->text(name);
}

NameNode* NameParser::extended_type() {
    const std::string_view name = type_at(extended_types, take());
    return name.empty() ? nullptr : arena_->text(name);
}

// After `$`: forms that came later.
NameNode* NameParser::special_type() {
    if (!takes('$')) {
        return nullptr;
    }
    switch (take()) {
    case 'A':
        return takes('6') ? function(false) : takes("8@@") ? function(true) : nullptr;
    case 'B':
        return type();
    case 'C': {
        const auto storage = storage_class();
        NameNode* made = storage && !storage->is_of_member ? type() : nullptr;
        if (made != nullptr) {
            made->qualifiers |= storage->qualifiers;
        }
        return made;
    }
    case 'Q':
        return pointer("&&", 0);
    case 'R':
        return pointer("&&", is_volatile);
    case 'T':
        return arena_->text("std::nullptr_t");
    case 'Y':
        return alias();
    default:
        return nullptr;
    }
}

// After `?`: a type returned by value with its qualifiers, or a placeholder such as `<auto>`.
NameNode* NameParser::qualified_type() {
    if (peek() == '<' || (peek() >= '0' && peek() <= '9')) {
        return alias();
    }
    const auto storage = storage_class();
    NameNode* made = storage && !storage->is_of_member ? type() : nullptr;
    if (made != nullptr) {
        made->qualifiers |= storage->qualifiers;
    }
    return made;
}

// A digit for the type of the values comes first.
NameNode* NameParser::enumeration() {
    const char underlying = take();
    return underlying >= '0' && underlying <= '7' ? tagged("enum ") : nullptr;
}

// A name without a tag, as a node that can have qualifiers.
NameNode* NameParser::alias() {
    const NameNode* name = type_name();
    return name == nullptr ? nullptr : arena_->node({.kind = NodeKind::tagged, .first = name});
}

NameNode* NameParser::tagged(std::string_view tag) {
    const NameNode* name = type_name();
    return name == nullptr ? nullptr
                           : arena_->node({.kind = NodeKind::tagged, .text = tag, .first = name});
}

NameNode* NameParser::pointer(std::string_view op, std::uint8_t qualifiers) {
    NameNode* made =
        arena_->node({.kind = NodeKind::pointer, .qualifiers = qualifiers, .text = op});
    if (takes('6')) {
        made->first = function(false);
        return made->first == nullptr ? nullptr : made;
    }
    if (takes('8')) {
        made->second = type_name();
        made->first = made->second == nullptr ? nullptr : function(true);
        return made->first == nullptr ? nullptr : made;
    }
    made->qualifiers |= extended_qualifiers();
    const auto storage = storage_class();
    if (!storage) {
        return nullptr;
    }
    if (storage->is_of_member) {
        made->second = type_name();
        if (made->second == nullptr) {
            return nullptr;
        }
    }
    NameNode* target = type();
    if (target == nullptr) {
        return nullptr;
    }
    target->qualifiers |= storage->qualifiers;
    made->first = target;
    return made;
}

// `Y`, the number of dimensions, their sizes, the type of the elements.
NameNode* NameParser::array() {
    const auto dimensions = number();
    if (!dimensions || dimensions->is_negative || dimensions->magnitude == 0 ||
        dimensions->magnitude > rest_.size()) {
        return nullptr;
    }
    NodeList bounds(*arena_);
    for (std::uint64_t i = 0; i < dimensions->magnitude; ++i) {
        const auto bound = number();
        if (!bound || bound->is_negative) {
            return nullptr;
        }
        bounds.append(arena_->text(bound->magnitude == 0 ? "" : text_of(*bound)));
    }
    const NameNode* element = type();
    return element == nullptr
               ? nullptr
               : arena_->node(
                     {.kind = NodeKind::array, .first = element, .second = bounds.finish("][")});
}

std::uint8_t NameParser::extended_qualifiers() {
    std::uint8_t qualifiers = 0;
    while (true) {
        if (takes('I')) {
            qualifiers |= is_restrict;
        } else if (takes('F')) {
            qualifiers |= is_unaligned;
        } else if (!takes('E')) { // __ptr64, which is not written
            return qualifiers;
        }
    }
}

std::optional<NameParser::Storage> NameParser::storage_class() {
    const char code = take();
    if (code >= 'A' && code <= 'D') { // is_const and is_volatile have these bits
        return Storage{.qualifiers = static_cast<std::uint8_t>(code - 'A')};
    }
    if (code >= 'Q' && code <= 'T') {
        return Storage{.qualifiers = static_cast<std::uint8_t>(code - 'Q'), .is_of_member = true};
    }
    return std::nullopt;
}

} // namespace etl::symbols
