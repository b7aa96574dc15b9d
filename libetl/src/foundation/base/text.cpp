#include "base/text.hpp"

#include "base/code_points.hpp"
#include "base/hex_pairs.hpp"
#include "base/text_blocks.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace etl {

// The appenders between encodings (text.hpp).

namespace {

// 0x80..0x9F of Windows-1252. The five holes stand for the C1 control of the same number, as
// MultiByteToWideChar gives them.
constexpr std::array<std::uint16_t, 32> windows_1252{
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};

// Bytes at the front that are valid UTF-8.
std::size_t utf8_run(Bytes text) noexcept {
    std::size_t at = 0;
    while (at < text.size()) {
        at += ascii_run(text.subspan(at));
        while (at < text.size() && std::to_integer<unsigned>(text[at]) >= 0x80U) {
            const CodePoint front = front_of_utf8(text.data() + at, text.size() - at);
            if (!front.valid) {
                return at;
            }
            at += front.size;
        }
    }
    return at;
}

} // namespace

void append_utf16le(std::string& to, Bytes units) {
    // A unit takes at most three bytes, an odd last byte three as well; a block is stored before it
    // is counted.
    append_at_most(to, (units.size() / 2 + 1) * 3 + 8, [&](char* out) {
        const std::byte* at = units.data();
        const std::byte* const end = at + units.size();
        while (at != end) {
            if (end - at >= 16) {
                const unsigned plain = blocks::narrow_units<false>(at, out);
                if (plain == 8) { // constants, so that no block waits for the one before it
                    at += 16;
                    out += 8;
                    continue;
                }
                at += std::size_t{2} * plain;
                out += plain;
            }
            // What is not ASCII comes in runs.
            std::uint32_t value = 0;
            do {
                const CodePoint front = front_of_utf16le(at, static_cast<std::size_t>(end - at));
                value = front.value;
                at += front.size;
                out = put_code_point(out, value);
            } while (at != end && value >= 0x80);
        }
        return out;
    });
}

void append_ansi(std::string& to, Bytes text) {
    if (utf8_run(text) == text.size()) {
        to.append(as_text(text));
        return;
    }
    append_at_most(to, text.size() * 3, [&](char* out) {
        for (const std::byte byte : text) {
            const auto value = std::to_integer<std::uint32_t>(byte);
            out = put_code_point(out, value >= 0x80 && value < 0xA0 ? windows_1252[value - 0x80]
                                                                    : value);
        }
        return out;
    });
}

void append_utf8(std::string& to, Bytes text) {
    while (true) {
        const std::size_t good = utf8_run(text);
        to.append(as_text(text.first(good)));
        text = text.subspan(good);
        if (text.empty()) {
            return;
        }
        append_code_point(to, replacement);
        text = text.subspan(front_of_utf8(text.data(), text.size()).size);
    }
}

void append_code_point(std::string& to, std::uint32_t code_point) {
    const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
    char utf8[4];
    const char* const end =
        put_code_point(utf8, surrogate || code_point > 0x10FFFF ? replacement : code_point);
    to.append(utf8, static_cast<std::size_t>(end - utf8));
}

bool is_valid_utf8(std::string_view text) noexcept {
    return utf8_run(std::as_bytes(std::span(text))) == text.size();
}

std::u16string to_utf16(std::string_view text) {
    std::u16string units;
    units.reserve(text.size());
    Bytes left = std::as_bytes(std::span(text));
    while (!left.empty()) {
        const CodePoint front = front_of_utf8(left.data(), left.size());
        if (front.value < 0x10000) {
            units.push_back(static_cast<char16_t>(front.value));
        } else {
            units.push_back(static_cast<char16_t>(0xD800U + ((front.value - 0x10000U) >> 10U)));
            units.push_back(static_cast<char16_t>(0xDC00U + (front.value & 0x3FFU)));
        }
        left = left.subspan(front.size);
    }
    return units;
}

std::byte* put_utf16le(std::byte* to, std::string_view text) noexcept {
    const auto put = [&](std::uint32_t unit) {
        store_le<std::uint16_t>(to, static_cast<std::uint16_t>(unit));
        to += 2;
    };
    const std::byte* at = std::as_bytes(std::span(text)).data();
    const std::byte* const end = at + text.size();
    while (at != end) {
        const auto plain = std::to_integer<std::uint32_t>(*at);
        if (plain < 0x80) [[likely]] {
            put(plain);
            ++at;
            continue;
        }
        const CodePoint front = front_of_utf8(at, static_cast<std::size_t>(end - at));
        at += front.size;
        if (front.value < 0x10000) {
            put(front.value);
        } else {
            put(0xD800U + ((front.value - 0x10000U) >> 10U));
            put(0xDC00U + (front.value & 0x3FFU));
        }
    }
    return to;
}

std::byte* put_windows_1252(std::byte* to, std::string_view text) noexcept {
    Bytes left = std::as_bytes(std::span(text));
    while (!left.empty()) {
        const CodePoint front = front_of_utf8(left.data(), left.size());
        left = left.subspan(front.size);
        std::uint32_t value = front.value;
        if (value >= 0x80 && (value < 0xA0 || value > 0xFF)) {
            const auto* const known = std::ranges::find(windows_1252, value);
            if (known == windows_1252.end()) {
                return nullptr;
            }
            value = static_cast<std::uint32_t>(known - windows_1252.begin()) + 0x80U;
        }
        *to++ = static_cast<std::byte>(value);
    }
    return to;
}

namespace {

constexpr char lower(char c) noexcept {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// The place behind the UTF-8 character at `at`.
constexpr std::size_t next_character(std::string_view text, std::size_t at) noexcept {
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) {
        ++at;
    }
    return at;
}

template <typename Float>
void append_any_float(std::string& to, Float value) {
    if (std::isnan(value)) {
        to.append("NaN");
    } else if (std::isinf(value)) {
        to.append(value < 0 ? "-Infinity" : "Infinity");
    } else {
        char digits[32]; // the shortest form of a double takes at most 24
        const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
        to.append(digits, static_cast<std::size_t>(end - digits));
    }
}

} // namespace

void append_hex(std::string& to, std::uint64_t value) {
    const auto digits = std::max(1U, (static_cast<unsigned>(std::bit_width(value)) + 3U) / 4U);
    append_at_most(to, 2U + digits, [&](char* at) {
        at[0] = '0';
        at[1] = 'x';
        char* const end = at + 2 + digits;
        char* digit = end;
        for (; digit - at >= 4; value >>= 8U) {
            digit -= 2;
            put_hex(digit, static_cast<std::byte>(value));
        }
        if (digit - at == 3) {
            at[2] = hex_pairs[value & 15U][1];
        }
        return end;
    });
}

void append_hex_bytes(std::string& to, Bytes bytes) {
    append_at_most(to, bytes.size() * 2, [&](char* at) {
        for (const std::byte byte : bytes) {
            at = put_hex(at, byte);
        }
        return at;
    });
}

void append_float(std::string& to, float value) {
    append_any_float(to, value);
}

void append_float(std::string& to, double value) {
    append_any_float(to, value);
}

bool equals_ignoring_case(std::string_view a, std::string_view b) noexcept {
    return std::ranges::equal(a, b, {}, lower, lower);
}

std::string to_lower_ascii(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), lower);
    return result;
}

std::optional<std::uint64_t> parse_number(std::string_view text) noexcept {
    const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
    text.remove_prefix(is_hex ? 2 : 0);
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value, is_hex ? 16 : 10);
    return error == std::errc{} && stop == end ? std::optional(value) : std::nullopt;
}

bool matches_glob(std::string_view pattern, std::string_view text) noexcept {
    std::size_t p = 0;
    std::size_t t = 0;
    // Only the last star is ever stretched: an earlier one could not help where the last one
    // cannot.
    std::size_t behind_star = std::string_view::npos;
    std::size_t stretched_to = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            behind_star = ++p;
            stretched_to = t;
        } else if (p < pattern.size() && pattern[p] == '?') {
            ++p;
            t = next_character(text, t);
        } else if (p < pattern.size() && lower(pattern[p]) == lower(text[t])) {
            ++p;
            ++t;
        } else if (behind_star != std::string_view::npos) {
            p = behind_star;
            stretched_to = next_character(text, stretched_to);
            t = stretched_to;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

namespace {

constexpr char quote = '"';

char* put_doubled(char* out, std::string_view text) noexcept {
    const char* at = text.data();
    const char* const end = at + text.size();
    while (end - at >= blocks::block_size) {
        const unsigned plain = blocks::copy_to_quote(at, out);
        at += plain;
        out += plain;
        if (plain != blocks::block_size) {
            ++at;
            *out++ = quote;
            *out++ = quote;
        }
    }
    for (; at != end; ++at) {
        *out++ = *at;
        if (*at == quote) {
            *out++ = quote;
        }
    }
    return out;
}

} // namespace

void append_csv_quoted(std::string& to, std::string_view text) {
    // A block is stored before it is known how much of it stays.
    append_at_most(to, 2 * text.size() + blocks::block_size + 2, [&](char* out) {
        *out++ = quote;
        out = put_doubled(out, text);
        *out++ = quote;
        return out;
    });
}

} // namespace etl
