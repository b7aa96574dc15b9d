#include "encode/value_bytes.hpp"

#include <etl/guid.hpp>
#include <etl/time.hpp>

#include "base/hex_pairs.hpp"
#include "base/layout.hpp"
#include "base/text.hpp"
#include "encode/input_value.hpp"
#include "encode/special_bytes.hpp"
#include "schema/event_schema.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

namespace etl::encode {

namespace {

// The texts of enumerations back to numbers. Pure; any thread.

/// The number that is shown as `text`: of a value map one of its texts, of a bit map any of them
/// joined by ` | `, with `0x...` for bits that have none. The first of equal texts counts.
std::optional<std::uint64_t> map_value(const schema::ValueMap& map, std::string_view text) noexcept;

constexpr std::string_view joint = " | ";

/// A text of bits, taken apart from the front.
class Bits {
public:
    Bits(const schema::ValueMap& map, std::string_view text) noexcept : map_(map), left_(text) {}

    std::optional<std::uint64_t> read() noexcept {
        while (!is_done_) {
            if (!take_entry() && !take_number()) {
                return std::nullopt;
            }
        }
        return value_;
    }

private:
    // Entries are written in their order, so that the search goes on where it was; the order of
    // people is another one.
    bool take_entry() noexcept {
        const std::size_t count = map_.entries.size();
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t at = next_ + i < count ? next_ + i : next_ + i - count;
            const auto& [mask, text] = map_.entries[at];
            if (take(text)) {
                value_ |= mask;
                next_ = at + 1 < count ? at + 1 : 0;
                return true;
            }
        }
        return false;
    }

    bool take_number() noexcept {
        const std::string_view text = left_.substr(0, left_.find(joint));
        const auto number = read_whole(text);
        if (!number || number->is_negative) {
            return false;
        }
        value_ |= number->bits;
        return take(text);
    }

    // What is taken reaches to a joint, or to the end.
    bool take(std::string_view text) noexcept {
        if (!left_.starts_with(text)) {
            return false;
        }
        const std::string_view behind = left_.substr(text.size());
        if (!behind.empty() && !behind.starts_with(joint)) {
            return false;
        }
        is_done_ = behind.empty();
        left_ = is_done_ ? behind : behind.substr(joint.size());
        return true;
    }

    const schema::ValueMap& map_;
    std::string_view left_;
    std::uint64_t value_ = 0;
    std::size_t next_ = 0;
    bool is_done_ = false;
};

std::optional<std::uint64_t> map_value(const schema::ValueMap& map,
                                       std::string_view text) noexcept {
    for (const auto& [value, known] : map.entries) {
        if (known == text) {
            return value;
        }
    }
    return map.kind == schema::ValueMap::Kind::bits ? Bits(map, text).read() : std::nullopt;
}

using Kind = InputValue::Kind;

Put problem(const char* what) noexcept {
    return {nullptr, what};
}

Put put_bits(std::byte* to, std::uint64_t bits, std::uint32_t size) noexcept {
    switch (size) {
    case 1:
        store_le(to, static_cast<std::uint8_t>(bits));
        break;
    case 2:
        store_le(to, static_cast<std::uint16_t>(bits));
        break;
    case 4:
        store_le(to, static_cast<std::uint32_t>(bits));
        break;
    default:
        store_le(to, bits);
        break;
    }
    return {to + size};
}

// `STATUS_NAME (0xc0000034)`: the number.
std::string_view code_in(std::string_view text) noexcept {
    const std::size_t open = text.rfind('(');
    return open != std::string_view::npos && text.ends_with(')')
               ? text.substr(open + 1, text.size() - open - 2)
               : text;
}

std::optional<Whole> whole_of(const LayoutField& field, const InputValue& given) noexcept {
    if (given.kind != Kind::text) {
        return read_whole(given);
    }
    if (field.map != nullptr) {
        if (const auto value = map_value(*field.map, given.text)) {
            return Whole{*value, false, true};
        }
    }
    return read_whole(field.is_error_code ? code_in(given.text) : given.text);
}

/// What is wrong with a text that read_whole() rejects.
const char* why_not_whole(std::string_view text) noexcept {
    const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
    const std::string_view digits = text.substr(is_hex ? 2 : text.starts_with('-') ? 1 : 0);
    const std::string_view known = is_hex ? "0123456789abcdefABCDEF" : "0123456789";
    return digits.empty() || digits.find_first_not_of(known) != digits.npos
               ? is_hex ? "not a hexadecimal number" : "not a decimal number"
               : "more than 64 bits";
}

Put put_whole(std::byte* to, const LayoutField& field, const InputValue& given) noexcept {
    const auto number = whole_of(field, given);
    if (!number) {
        return problem(given.kind == Kind::real   ? "not a 64-bit integer"
                       : given.kind != Kind::text ? "not a number"
                       : field.map != nullptr     ? "neither in the map nor a number"
                                                  : why_not_whole(given.text));
    }
    // What is shown in hexadecimal, and what is an error code, is taken with either sign.
    const bool is_bits =
        schema::is_hex(field.form) || field.form == Form::ipv4 || field.is_error_code;
    const bool is_signed = schema::is_signed(field.form);
    const bool fits = ((is_bits || is_signed) && fits_signed(*number, field.size)) ||
                      ((is_bits || !is_signed) && fits_unsigned(*number, field.size));
    return fits ? put_bits(to, number->bits, field.size) : problem("out of range");
}

Put put_boolean(std::byte* to, const LayoutField& field, const InputValue& given) noexcept {
    if (given.kind == Kind::boolean) {
        return put_bits(to, given.boolean ? 1 : 0, field.size);
    }
    const auto number = read_whole(given);
    if (!number) {
        return problem("not true or false");
    }
    return fits_unsigned(*number, field.size) ? put_bits(to, number->bits, field.size)
                                              : problem("out of range");
}

Put put_real(std::byte* to, const LayoutField& field, const InputValue& given) noexcept {
    const auto number = read_real(given);
    if (!number) {
        return problem("not a number");
    }
    if (field.form == Form::float64) {
        return put_bits(to, std::bit_cast<std::uint64_t>(*number), 8);
    }
    const auto narrow = static_cast<float>(*number);
    if (std::isinf(narrow) && !std::isinf(*number)) {
        return problem("out of range");
    }
    return put_bits(to, std::bit_cast<std::uint32_t>(narrow), 4);
}

// One character, or its number.
Put put_character(std::byte* to, const LayoutField& field, const InputValue& given) noexcept {
    if (given.kind != Kind::text) {
        const auto number = read_whole(given);
        return !number ? problem("not a character")
               : fits_unsigned(*number, field.size) || fits_signed(*number, field.size)
                   ? put_bits(to, number->bits, field.size)
                   : problem("out of range");
    }
    constexpr std::size_t max_size = 4; // one character in UTF-8
    if (given.text.size() > max_size) {
        return problem("more than one character");
    }
    const std::byte* const end =
        field.form == Form::char16 ? put_utf16le(to, given.text) : put_windows_1252(to, given.text);
    return end == to + field.size ? Put{to + field.size}
                                  : problem("not one character of this size");
}

Put put_filetime(std::byte* to, const InputValue& given) noexcept {
    if (given.kind == Kind::text) {
        if (const auto time = parse_rfc3339(given.text)) {
            return put_bits(to, static_cast<std::uint64_t>(time->ticks), 8);
        }
    }
    const auto ticks = read_whole(given);
    return ticks ? put_bits(to, ticks->bits, 8) : problem("not a time");
}

Put put_port(std::byte* to, const InputValue& given) noexcept {
    const auto port = read_whole(given);
    if (!port || !fits_unsigned(*port, 2)) {
        return problem("not a port");
    }
    to[0] = static_cast<std::byte>(port->bits >> 8U);
    to[1] = static_cast<std::byte>(port->bits);
    return {to + 2};
}

Put put_guid(std::byte* to, const InputValue& given) noexcept {
    const auto guid = given.kind == Kind::text ? parse_guid(given.text) : std::nullopt;
    if (!guid) {
        return problem("not a GUID");
    }
    store_le(to, *guid);
    return {to + sizeof *guid};
}

// Windows-1252 is the guess of decode too, where text is no UTF-8.
Put put_narrow(std::byte* to, std::string_view text, std::size_t expected) noexcept {
    if (text.size() > expected) {
        std::byte* const end = put_windows_1252(to, text);
        const auto size = static_cast<std::size_t>(end == nullptr ? 0 : end - to);
        if (end != nullptr && size <= expected && !is_valid_utf8(as_text({to, size}))) {
            return {end};
        }
    }
    std::ranges::copy(std::as_bytes(std::span(text)), to);
    return {to + text.size()};
}

// In a dump U+FFFD stands for bytes that were no UTF-8. Where it is too long, one such byte will
// do.
Put put_utf8(std::byte* to, std::string_view text, std::size_t expected) noexcept {
    constexpr std::string_view replacement = "\xEF\xBF\xBD";
    if (text.size() <= expected) {
        return put_narrow(to, text, max_text);
    }
    while (!text.empty()) {
        const std::size_t plain = std::min(text.find(replacement), text.size());
        to = put_narrow(to, text.substr(0, plain), max_text).end;
        text.remove_prefix(plain);
        if (!text.empty()) {
            *to++ = std::byte{0xFF};
            text.remove_prefix(replacement.size());
        }
    }
    return {to};
}

bool is_mac(Form form) noexcept {
    return form == Form::mac_address || form == Form::padded_mac_address;
}

// Forms that are texts of a notation of their own, then hex digits, which decode falls back to.
Put put_special(std::byte* to, const LayoutField& field, std::string_view text) noexcept {
    std::byte* end = field.form == Form::ipv4             ? put_ipv4(to, text)
                     : field.form == Form::ipv6           ? put_ipv6(to, text)
                     : field.form == Form::socket_address ? put_socket_address(to, text)
                     : is_mac(field.form)                 ? put_mac_address(to, text)
                                                          : nullptr;
    end = end != nullptr ? end : put_bytes_of_hex(to, text);
    if (end != nullptr && field.form == Form::padded_mac_address && field.shape == Shape::fixed) {
        const std::byte* const whole = to + field.size;
        for (; end < whole; ++end) {
            *end = std::byte{0};
        }
    }
    return end != nullptr
               ? Put{end}
               : problem(field.form == Form::binary ? "not a hex string" : "not an address");
}

// A SID that is not valid is decoded as hex digits; its count of parts states its size.
Put put_sid_or_hex(std::byte* to, std::string_view text) noexcept {
    constexpr std::ptrdiff_t head = 8;
    std::byte* end = put_sid(to, text);
    if (end == nullptr) {
        end = put_bytes_of_hex(to, text);
        const bool has_size = end != nullptr && end - to >= head &&
                              end - to == head + 4 * std::to_integer<std::ptrdiff_t>(to[1]);
        end = has_size ? end : nullptr;
    }
    return end != nullptr ? Put{end} : problem("not a SID");
}

Put put_text(std::byte* to, const LayoutField& field, const InputValue& given,
             std::size_t expected) noexcept {
    if (given.kind != Kind::text) {
        if (field.form == Form::ipv4 && field.shape == Shape::fixed) {
            return put_whole(to, field, given);
        }
        return problem("not a string");
    }
    if (given.text.size() > max_text) {
        return problem("longer than the maximum payload");
    }
    if (field.form == Form::text16) {
        return {put_utf16le(to, given.text)};
    }
    if (field.form == Form::text8) {
        return put_narrow(to, given.text, expected);
    }
    if (field.form == Form::utf8) {
        return put_utf8(to, given.text, expected);
    }
    if (field.form == Form::systemtime) {
        std::byte* const end = put_systemtime(to, given.text);
        return end != nullptr ? Put{end} : problem("not a time");
    }
    if (field.form == Form::sid) {
        return put_sid_or_hex(to, given.text);
    }
    return put_special(to, field, given.text);
}

} // namespace

Put put_value(std::byte* to, const LayoutField& field, const InputValue& given,
              std::size_t expected) noexcept {
    switch (field.form) {
    case Form::int8:
    case Form::int16:
    case Form::int32:
    case Form::int64:
    case Form::uint8:
    case Form::uint16:
    case Form::uint32:
    case Form::uint64:
    case Form::hex8:
    case Form::hex16:
    case Form::hex32:
    case Form::hex64:
    case Form::ticks:
        return put_whole(to, field, given);
    case Form::float32:
    case Form::float64:
        return put_real(to, field, given);
    case Form::boolean:
        return put_boolean(to, field, given);
    case Form::char8:
    case Form::char16:
        return put_character(to, field, given);
    case Form::guid:
        return put_guid(to, given);
    case Form::filetime:
        return put_filetime(to, given);
    case Form::port:
        return put_port(to, given);
    case Form::systemtime:
    case Form::sid:
    case Form::binary:
    case Form::text16:
    case Form::text8:
    case Form::utf8:
    case Form::ipv4:
    case Form::ipv6:
    case Form::socket_address:
    case Form::mac_address:
    case Form::padded_mac_address:
        return put_text(to, field, given, expected);
    case Form::null:
        break;
    }
    return given.kind == Kind::null ? Put{to} : problem("the type has no values");
}

} // namespace etl::encode
