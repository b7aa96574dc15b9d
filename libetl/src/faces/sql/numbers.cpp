#include "sql/numbers.hpp"

#include <charconv>
#include <cmath>
#include <limits>

namespace etl::sql {

namespace {

template <typename T>
std::optional<T> parsed(std::string_view text, int base = 10) noexcept {
    T number{};
    const char* const end = text.data() + text.size();
    const auto [at, code] = std::from_chars(text.data(), end, number, base);
    return code == std::errc{} && at == end ? std::optional(number) : std::nullopt;
}

std::optional<double> parsed_real(std::string_view text) noexcept {
    double real = 0;
    const char* const end = text.data() + text.size();
    const auto [at, code] = std::from_chars(text.data(), end, real);
    if (at != end || code == std::errc::invalid_argument) {
        return std::nullopt;
    }
    if (code == std::errc::result_out_of_range) { // or next to zero
        const bool is_small = text.find("e-") != text.npos || text.find("E-") != text.npos;
        real = is_small ? 0 : std::numeric_limits<double>::infinity();
        real = text[0] == '-' ? -real : real;
    }
    return real;
}

std::strong_ordering ordered(double one, double other) noexcept {
    return one < other   ? std::strong_ordering::less
           : one > other ? std::strong_ordering::greater
                         : std::strong_ordering::equal;
}

std::strong_ordering compare(std::uint64_t large, double real) noexcept {
    return real >= two_to_64  ? std::strong_ordering::less
           : real < two_to_63 ? std::strong_ordering::greater
                              : large <=> static_cast<std::uint64_t>(real);
}

std::strong_ordering compare(std::int64_t integer, double real) noexcept {
    if (real >= two_to_63 || real < -two_to_63) {
        return real > 0 ? std::strong_ordering::less : std::strong_ordering::greater;
    }
    const double whole = std::trunc(real);
    const auto order = integer <=> static_cast<std::int64_t>(whole);
    return order == 0 ? ordered(whole, real) : order;
}

} // namespace

Number number_of_bits(std::uint64_t bits) noexcept {
    return bits >> 63U == 0 ? Number(static_cast<std::int64_t>(bits)) : Number(bits);
}

std::optional<Number> number_of_text(std::string_view text) noexcept {
    if (text.empty() || text.find_first_not_of("0123456789.+-eE") != text.npos) {
        return std::nullopt;
    }
    text.remove_prefix(text.size() > 1 && text[0] == '+' && text[1] != '-' ? 1 : 0);
    if (const auto integer = parsed<std::int64_t>(text)) {
        return *integer;
    }
    if (const auto large = parsed<std::uint64_t>(text)) {
        return *large;
    }
    const auto real = parsed_real(text);
    return real ? std::optional<Number>(*real) : std::nullopt;
}

std::optional<std::uint64_t> bits_of_hex(std::string_view text) noexcept {
    const bool is_hex = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    return is_hex ? parsed<std::uint64_t>(text.substr(2), 16) : std::nullopt;
}

std::optional<std::uint64_t> bits_of_text(std::string_view text) noexcept {
    return is_large_number(text) ? parsed<std::uint64_t>(text) : bits_of_hex(text);
}

std::optional<Number> number_of_any(std::string_view text) noexcept {
    const auto bits = bits_of_hex(text);
    return bits ? std::optional(number_of_bits(*bits)) : number_of_text(text);
}

std::strong_ordering compare_numbers(const Number& one, const Number& other) noexcept {
    const auto* const real = std::get_if<double>(&one);
    const auto* const other_real = std::get_if<double>(&other);
    if (real != nullptr && other_real != nullptr) {
        return ordered(*real, *other_real);
    }
    if (real != nullptr) {
        return 0 <=> compare_numbers(other, one);
    }
    const auto* const large = std::get_if<std::uint64_t>(&one);
    if (other_real != nullptr) {
        return large != nullptr ? compare(*large, *other_real)
                                : compare(std::get<std::int64_t>(one), *other_real);
    }
    const auto* const other_large = std::get_if<std::uint64_t>(&other);
    if (large != nullptr && other_large != nullptr) {
        return *large <=> *other_large;
    }
    return large != nullptr         ? std::strong_ordering::greater
           : other_large != nullptr ? std::strong_ordering::less
                                    : std::get<std::int64_t>(one) <=> std::get<std::int64_t>(other);
}

bool is_large_number(std::string_view text) noexcept {
    constexpr std::string_view max = "9223372036854775807", last = "18446744073709551615";
    return (text.size() == max.size() || text.size() == last.size()) &&
           text.find_first_not_of("0123456789") == text.npos && text[0] != '0' &&
           (text.size() == max.size() ? text > max : text <= last);
}

NumberSize number_size(std::string_view number) noexcept {
    const auto value = number_of_any(number);
    const auto* const real = value ? std::get_if<double>(&*value) : nullptr;
    if (real != nullptr) {
        return *real >= two_to_63 ? NumberSize::beyond_unsigned : NumberSize::integer;
    }
    return value && std::holds_alternative<std::uint64_t>(*value) ? NumberSize::beyond_integer
                                                                  : NumberSize::integer;
}

} // namespace etl::sql
