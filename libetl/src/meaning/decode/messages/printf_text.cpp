#include "decode/messages/printf_text.hpp"

#include "schema/wpp_format.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace etl::decode {

namespace {

// Digits behind the point that a double can fill are fewer; the rest of a precision is zeros.
constexpr std::size_t max_decimals = 100;

bool is_continuation(char c) noexcept {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

void make_upper(char* begin, const char* end) noexcept {
    for (; begin != end; ++begin) {
        if (*begin >= 'a' && *begin <= 'z') {
            *begin = static_cast<char>(*begin - 'a' + 'A');
        }
    }
}

std::string_view sign_of(bool is_negative, const Notation& notation) noexcept {
    return is_negative ? "-" : notation.has_plus ? "+" : notation.has_blank ? " " : "";
}

// Sign or base, zeros that a precision or the flag wants, digits, in the width.
void append_number(std::string& to, std::string_view prefix, std::string_view digits,
                   std::size_t least_digits, const Notation& notation, bool may_fill_with_zeros) {
    const std::size_t zeros = least_digits > digits.size() ? least_digits - digits.size() : 0;
    const std::size_t size = prefix.size() + zeros + digits.size();
    const std::size_t padding = notation.width > size ? notation.width - size : 0;
    const bool fills = may_fill_with_zeros && notation.has_zeros && !notation.is_left;
    if (!notation.is_left && !fills) {
        to.append(padding, ' ');
    }
    to.append(prefix).append(zeros + (fills ? padding : 0), '0').append(digits);
    if (notation.is_left) {
        to.append(padding, ' ');
    }
}

std::uint64_t sign_extended(std::uint64_t bits, unsigned size) noexcept {
    const unsigned unused = 64 - 8 * size;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << unused) >> unused);
}

} // namespace

std::size_t take_number(std::string_view& text) noexcept {
    std::size_t value = 0;
    while (!text.empty() && text.front() >= '0' && text.front() <= '9') {
        value =
            std::min(widest_notation, value * 10 + static_cast<std::size_t>(text.front() - '0'));
        text.remove_prefix(1);
    }
    return value;
}

Notation parse_notation(std::string_view text) noexcept {
    Notation result;
    for (; !text.empty(); text.remove_prefix(1)) {
        const char c = text.front();
        result.is_left |= c == '-';
        result.has_zeros |= c == '0';
        result.has_plus |= c == '+';
        result.has_blank |= c == ' ';
        result.is_alternate |= c == '#';
        if (std::string_view("-0+ #").find(c) == std::string_view::npos) {
            break;
        }
    }
    result.width = take_number(text);
    if (text.starts_with('.')) {
        text.remove_prefix(1);
        result.precision = take_number(text);
    }
    if (!text.empty()) {
        result.conversion = schema::conversion_of(text);
    }
    return result;
}

void append_integer(std::string& to, std::uint64_t bits, unsigned size, const Notation& notation) {
    const char conversion = notation.conversion;
    const bool is_signed = conversion == 'd' || conversion == 'i';
    const bool is_hex = conversion == 'x' || conversion == 'X' || conversion == 'p';
    const bool is_negative = is_signed && static_cast<std::int64_t>(sign_extended(bits, size)) < 0;
    const std::uint64_t magnitude = is_negative ? 0 - sign_extended(bits, size) : bits;
    std::array<char, 24> buffer;
    char* end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), magnitude,
                              is_hex              ? 16
                              : conversion == 'o' ? 8
                                                  : 10)
                    .ptr;
    if (conversion == 'X' || conversion == 'p') {
        make_upper(buffer.data(), end);
    }
    std::string_view prefix = is_signed ? sign_of(is_negative, notation) : "";
    if (notation.is_alternate && magnitude != 0) {
        prefix = conversion == 'x'   ? "0x"
                 : conversion == 'X' ? "0X"
                 : conversion == 'o' ? "0"
                                     : prefix;
    }
    const bool has_precision = notation.precision != Notation::no_precision;
    const std::size_t least = conversion == 'p' ? 2UL * size
                              : has_precision   ? notation.precision
                                                : 1;
    append_number(to, prefix, {buffer.data(), end}, least, notation, !has_precision);
}

void append_real(std::string& to, double value, const Notation& notation) {
    const char lower = static_cast<char>(notation.conversion | 0x20);
    const auto format = lower == 'e'   ? std::chars_format::scientific
                        : lower == 'f' ? std::chars_format::fixed
                        : lower == 'a' ? std::chars_format::hex
                                       : std::chars_format::general;
    constexpr std::size_t usual = 6;
    const bool has_precision = notation.precision != Notation::no_precision;
    const std::size_t decimals = std::min(has_precision ? notation.precision : usual, max_decimals);
    // The largest double has 309 digits before the point.
    std::array<char, 512> buffer;
    char* const begin = buffer.data();
    char* const last = begin + buffer.size();
    const double magnitude = std::signbit(value) ? -value : value;
    char* const end =
        lower == 'a' && !has_precision
            ? std::to_chars(begin, last, magnitude, format).ptr
            : std::to_chars(begin, last, magnitude, format, static_cast<int>(decimals)).ptr;
    if (notation.conversion != lower) {
        make_upper(begin, end);
    }
    const std::string_view digits(begin, end);
    std::string prefix(sign_of(std::signbit(value) && !std::isnan(value), notation));
    if (lower == 'a' && std::isfinite(value)) {
        prefix += notation.conversion == 'a' ? "0x" : "0X";
    }
    append_number(to, prefix, digits, 1, notation, std::isfinite(value));
}

void fit_text(std::string& to, std::size_t begin, const Notation& notation) {
    if (notation.width == 0 && notation.precision >= to.size() - begin) [[likely]] {
        return;
    }
    std::size_t characters = 0;
    std::size_t end = begin;
    for (; end < to.size(); ++end) {
        if (!is_continuation(to[end]) && characters++ == notation.precision) {
            --characters;
            break;
        }
    }
    to.resize(end);
    if (notation.width > characters) {
        to.insert(notation.is_left ? to.size() : begin, notation.width - characters, ' ');
    }
}

} // namespace etl::decode
