#include "decode/json_value.hpp"

#include <etl/time.hpp>

#include "base/json_text.hpp"
#include "base/layout.hpp"
#include "decode/known_names.hpp"
#include "decode/messages/special_text.hpp"

#include <charconv>
#include <cmath>

namespace etl::decode {

namespace {

constexpr std::size_t max_number = 32;

template <typename Write>
void append_quoted(TextAppender& to, Write write) {
    to.append_with([&](std::string& text) {
        text.push_back('"');
        write(text);
        text.push_back('"');
    });
}

template <typename Float, typename Bits>
void append_json_float(TextAppender& to, Bits bits) {
    const auto value = std::bit_cast<Float>(bits);
    if (!std::isfinite(value)) {
        append_quoted(to, [&](std::string& text) { append_float(text, value); });
        return;
    }
    char digits[max_number];
    const std::string_view text(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    to.text(text);
    // A reader that tells integers from floats shall see a float.
    if (text.find_first_of(".e") == std::string_view::npos) {
        to.text(".0");
    }
}

// Text in an 8-bit encoding is brought to UTF-8 behind the quote, then escaped in place only if it
// needs to be.
template <typename Append>
void append_json_narrow(TextAppender& to, Append append) {
    to.append_with([&](std::string& text) {
        text.push_back('"');
        const std::size_t begin = text.size();
        append(text);
        const auto needs_escape = [](char c) {
            return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
        };
        if (std::any_of(text.begin() + static_cast<std::ptrdiff_t>(begin), text.end(),
                        needs_escape)) [[unlikely]] {
            const std::size_t size = text.size() - begin;
            // The plain form stays where it is while the escaped one is written behind it, and is
            // then cut out.
            text.reserve(text.size() + 6 * size + 64);
            append_json_escaped(text, std::string_view(text).substr(begin, size));
            text.erase(begin, size);
        }
        text.push_back('"');
    });
}

void append_hex_text(TextAppender& to, std::uint64_t bits) {
    to.reserve(max_number);
    to.put('"');
    to.put_hex(bits);
    to.put('"');
}

void append_binary(TextAppender& to, Bytes bytes) {
    to.reserve(2 * bytes.size() + 2);
    to.put('"');
    to.hex_bytes(bytes);
    to.put('"');
}

// A field has one form, whatever its value.
void append_enumeration(TextAppender& to, const Value& value) {
    append_json_narrow(to, [&](std::string& text) { decode::append_enumeration(text, value); });
}

// `NAME (0x...)`, without a name `0x...`.
void append_error_code(TextAppender& to, const Value& value) {
    const auto code = static_cast<std::uint32_t>(bits_of(value));
    const std::string_view name = error_name(value.error_space, code);
    append_quoted(to, [&](std::string& text) {
        text.append(name).append(name.empty() ? "" : " (");
        append_hex(text, code);
        text.append(name.empty() ? "" : ")");
    });
}

void append_json_integer(TextAppender& to, const Value& value, const JsonValueOptions& options) {
    if (value.map != nullptr && options.enumerations) {
        return append_enumeration(to, value);
    }
    if (value.error_space != ErrorSpace::none && options.error_names) {
        return append_error_code(to, value);
    }
    if (is_hex(value.form)) {
        append_hex_text(to, bits_of(value));
        return;
    }
    to.reserve(max_number);
    if (is_signed(value.form)) {
        to.put_decimal(signed_of(value));
    } else {
        to.put_decimal(bits_of(value));
    }
}

// A form of fixed size. False: the bytes are of another size, nothing is written.
bool append_fixed(TextAppender& to, const Value& value) {
    const Bytes bytes = value.bytes;
    if (value.form == Form::guid && bytes.size() == 16) {
        to.reserve(38);
        to.put('"');
        to.put_guid(load_le<Guid>(bytes.data()));
        to.put('"');
    } else if (value.form == Form::filetime && bytes.size() == 8) {
        append_quoted(to, [&](std::string& text) {
            append_rfc3339(text, {load_le<std::int64_t>(bytes.data())});
        });
    } else if (value.form == Form::systemtime && bytes.size() == 16) {
        append_quoted(to, [&](std::string& text) {
            append_systemtime(text, bytes.first<16>(), 7);
            text.push_back('Z');
        });
    } else if (value.form == Form::ipv4 && bytes.size() == 4) {
        append_quoted(to, [&](std::string& text) { append_ipv4(text, bytes.first<4>()); });
    } else if (value.form == Form::ipv6 && bytes.size() == 16) {
        append_quoted(to, [&](std::string& text) { append_ipv6(text, bytes.first<16>()); });
    } else {
        return false;
    }
    return true;
}

// A form of any size. False: the bytes are none of it, nothing is written.
bool append_sized(std::string& text, const Value& value) {
    if (value.form == Form::sid) {
        return append_sid(text, value.bytes);
    }
    if (value.form == Form::socket_address) {
        return append_socket_address(text, value.bytes, ZeroPort::shown);
    }
    return append_mac(text,
                      value.form == Form::mac_address ? value.bytes : without_padding(value.bytes));
}

bool has_any_size(Form form) noexcept {
    return form == Form::sid || form == Form::socket_address || form == Form::mac_address ||
           form == Form::padded_mac_address;
}

void append_special(TextAppender& to, const Value& value) {
    bool is_done = false;
    if (has_any_size(value.form)) {
        if (value.form == Form::sid && value.bytes.empty()) {
            to.text("null");
            return;
        }
        append_quoted(to, [&](std::string& text) { is_done = append_sized(text, value); });
        if (!is_done) {
            to.drop(2);
        }
    } else {
        is_done = append_fixed(to, value);
    }
    if (!is_done) {
        append_binary(to, value.bytes);
    }
}

} // namespace

void append_enumeration(std::string& to, const Value& value) {
    const std::uint64_t bits = bits_of(value);
    if (append_mapped(to, *value.map, bits, " | ", HexCase::lower) == Mapped::yes) {
        return;
    }
    if (is_hex(value.form) || value.map->kind == schema::ValueMap::Kind::bits) {
        append_hex(to, bits);
    } else if (is_signed(value.form)) {
        append_decimal(to, signed_of(value));
    } else {
        append_decimal(to, bits);
    }
}

void append_json_value(TextAppender& to, const Value& value, const JsonValueOptions& options) {
    switch (value.form) {
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
        return append_json_integer(to, value, options);
    case Form::text16:
    case Form::char16:
        return append_quoted(to,
                             [&](std::string& text) { append_json_utf16le(text, value.bytes); });
    case Form::text8:
    case Form::char8:
        return append_json_narrow(
            to, [&](std::string& text) { append_narrow(text, value.bytes, options.code_page); });
    case Form::utf8:
        return append_json_narrow(to, [&](std::string& text) { append_utf8(text, value.bytes); });
    case Form::boolean:
        return to.text(any_byte_set(value.bytes) ? "true" : "false");
    case Form::float32:
        return append_json_float<float>(to, static_cast<std::uint32_t>(bits_of(value)));
    case Form::float64:
        return append_json_float<double>(to, bits_of(value));
    case Form::port:
        to.reserve(max_number);
        return to.put_decimal(
            static_cast<std::uint16_t>(std::byteswap(static_cast<std::uint16_t>(bits_of(value)))));
    case Form::ticks:
        to.reserve(max_number);
        return to.put_decimal(bits_of(value));
    case Form::null:
        return to.text("null");
    case Form::binary:
        return append_binary(to, value.bytes);
    case Form::guid:
    case Form::filetime:
    case Form::systemtime:
    case Form::sid:
    case Form::ipv4:
    case Form::ipv6:
    case Form::socket_address:
    case Form::mac_address:
    case Form::padded_mac_address:
        return append_special(to, value);
    }
}

} // namespace etl::decode
