// Tokens of binary XML and types of its values, as in event logs (.evtx) and in the templates of
// instrumentation manifests (WEVT_TEMPLATE resources). [MS-EVEN6] 2.2.12, docs/format/evtx.md
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace etl::evtx {

/// Low four bits of a token byte.
enum class Token : std::uint8_t {
    end_of_fragment = 0x0,
    open_element = 0x1,
    close_start = 0x2,
    close_empty = 0x3,
    end_element = 0x4,
    text = 0x5,
    attribute = 0x6,
    cdata = 0x7,
    character = 0x8,
    entity = 0x9,
    instruction = 0xA,
    instruction_data = 0xB,
    template_instance = 0xC,
    substitution = 0xD,
    optional_substitution = 0xE,
    fragment_header = 0xF,
};

inline constexpr std::uint8_t token_bits = 0x0F;
/// Set in a token byte: attributes follow the element, another attribute or more content follows.
inline constexpr std::uint8_t more_bit = 0x40;
/// Index of an element that depends on no value.
inline constexpr std::uint16_t no_dependency = 0xFFFF;

constexpr Token token_of(std::uint8_t byte) noexcept {
    return Token{static_cast<std::uint8_t>(byte & token_bits)};
}

/// Returns whether a token is one value of an attribute or a part of an element's text.
constexpr bool is_value(Token token) noexcept {
    return token == Token::text || token == Token::character || token == Token::entity ||
           token == Token::substitution || token == Token::optional_substitution;
}

/// Type of a value; array_bit is added for an array of such values.
enum class ValueType : std::uint8_t {
    null = 0,
    string = 1, // UTF-16
    ansi = 2,   // 8-bit text
    int8 = 3,
    uint8 = 4,
    int16 = 5,
    uint16 = 6,
    int32 = 7,
    uint32 = 8,
    int64 = 9,
    uint64 = 10,
    float32 = 11,
    float64 = 12,
    boolean = 13, // 4 bytes
    binary = 14,
    guid = 15,
    size = 16, // 4 or 8 bytes
    filetime = 17,
    systemtime = 18,
    sid = 19,
    hex32 = 20,
    hex64 = 21,
    xml = 33, // a fragment of binary XML
};

inline constexpr std::uint8_t array_bit = 0x80;

/// Returns the hash of a name, of which 16 bits are stored with it. The hash of other UTF-16 units
/// in an event log is computed alike.
constexpr std::uint32_t name_hash(std::u16string_view units) noexcept {
    std::uint32_t hash = 0;
    for (const char16_t unit : units) {
        hash = hash * 65599U + unit;
    }
    return hash;
}

// Characters of names of elements and attributes are made of, for reading and writing binary XML.

/// Returns whether XML stays well-formed with it. Each byte of a UTF-8 sequence is accepted.
inline bool is_name_character(char c) noexcept {
    constexpr std::string_view forbidden = "<>&\"'=/!?%();,#[]{}";
    return static_cast<unsigned char>(c) > ' ' && forbidden.find(c) == forbidden.npos;
}

inline bool is_xml_name(std::string_view name) noexcept {
    return !name.empty() && std::ranges::all_of(name, is_name_character);
}

} // namespace etl::evtx
