#include "schema/embedded/binary_xml_tokens.hpp"

#include "base/text.hpp"
#include "evtx/tokens.hpp"

#include <algorithm>

namespace etl::schema {

namespace {

using evtx::Token;
using evtx::ValueType;

template <typename T>
constexpr std::uint8_t byte(T token) noexcept {
    return static_cast<std::uint8_t>(token);
}

// The type that a substitution names: that of .evtx values, which are those of in types as far as
// both know them.
std::uint8_t value_type(const Field& field) noexcept {
    const std::uint8_t flag =
        field.count.kind == Extent::Kind::natural ? std::uint8_t{0} : evtx::array_bit;
    const auto with = [&](auto type) { return static_cast<std::uint8_t>(byte(type) | flag); };
    const InType type = field.in_type;
    if (type == InType::counted_unicode_string) {
        return with(ValueType::string);
    }
    if (type == InType::counted_ansi_string) {
        return with(ValueType::ansi);
    }
    if (type == InType::counted_binary || type == InType::structure) {
        return with(ValueType::binary);
    }
    return type <= InType::hex_int64 ? with(type) : flag;
}

} // namespace

BinaryXmlTokens::BinaryXmlTokens(const EventSchema& schema, ByteWriter& out)
    : schema_(schema), top_level_(schema.top_level()), out_(out) {}

void BinaryXmlTokens::begin_fragment() {
    out_.u8(byte(Token::fragment_header)).u8(1).u8(1).u8(0);
}

void BinaryXmlTokens::end_fragment() {
    out_.u8(byte(Token::end_of_fragment));
}

std::size_t BinaryXmlTokens::open(std::string_view element, bool has_attributes) {
    const auto flag = has_attributes ? evtx::more_bit : std::uint8_t{0};
    out_.u8(static_cast<std::uint8_t>(byte(Token::open_element) | flag)).u16(0xFFFF);
    const std::size_t size = reserve();
    name(element);
    return size;
}

void BinaryXmlTokens::start_content() {
    out_.u8(byte(Token::close_start));
}

void BinaryXmlTokens::close(std::size_t size) {
    out_.u8(byte(Token::end_element));
    fill_in(size);
}

void BinaryXmlTokens::close_empty(std::size_t size) {
    out_.u8(byte(Token::close_empty));
    fill_in(size);
}

std::size_t BinaryXmlTokens::reserve() {
    out_.u32(0);
    return out_.size() - 4;
}

void BinaryXmlTokens::fill_in(std::size_t size) {
    out_.patch(size, static_cast<std::uint32_t>(out_.size() - size - 4));
}

std::size_t BinaryXmlTokens::attribute(std::string_view text) {
    out_.u8(byte(Token::attribute));
    const std::size_t at = out_.size() - 1;
    name(text);
    return at;
}

void BinaryXmlTokens::has_more(std::size_t attribute) {
    out_.patch(attribute, static_cast<std::uint8_t>(byte(Token::attribute) | evtx::more_bit));
}

void BinaryXmlTokens::text(std::string_view utf8) {
    constexpr std::size_t most = 0xFFFF;
    const std::u16string units = to_utf16(utf8);
    std::u16string_view left = units;
    do {
        std::u16string_view part = left.substr(0, most);
        if (part.size() == most && part.back() >= 0xD800 && part.back() < 0xDC00) {
            part.remove_suffix(1); // surrogates stay together
        }
        out_.u8(byte(Token::text))
            .u8(byte(ValueType::string))
            .u16(static_cast<std::uint16_t>(part.size()));
        out_.text16(part);
        left.remove_prefix(part.size());
    } while (!left.empty());
}

void BinaryXmlTokens::entity(std::string_view text) {
    out_.u8(byte(Token::entity));
    name(text);
}

void BinaryXmlTokens::substitution(std::uint16_t index) {
    const std::uint8_t type =
        index < top_level_.size() ? value_type(schema_.fields[top_level_[index]]) : 0;
    out_.u8(byte(Token::substitution)).u16(index).u8(type);
}

void BinaryXmlTokens::name(std::string_view utf8) {
    std::u16string units = to_utf16(utf8);
    units.resize(std::min<std::size_t>(units.size(), 0xFFFF));
    const std::uint32_t hash = evtx::name_hash(units);
    out_.u16(static_cast<std::uint16_t>(hash)).u16(static_cast<std::uint16_t>(units.size()));
    out_.zero_terminated16(units);
}

} // namespace etl::schema
