#include "base/text.hpp"

#include "base/hex_pairs.hpp"
#include "base/string_tail.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace etl {

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

} // namespace etl
