#include "encode/input_value.hpp"

#include "base/hex_pairs.hpp"

#include <charconv>
#include <limits>

namespace etl::encode {

namespace {

template <typename T>
std::optional<T> read_all(std::string_view text) noexcept {
    T value = 0;
    const char* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || at != end) {
        return std::nullopt;
    }
    return value;
}

// At least one digit.
std::optional<Whole> read_hex(std::string_view digits) noexcept {
    std::uint64_t bits = 0;
    for (const char c : digits) {
        const std::uint8_t digit = hex_values[static_cast<unsigned char>(c)];
        if (digit > 15 || bits >> 60U != 0) {
            return std::nullopt;
        }
        bits = bits << 4U | digit;
    }
    return Whole{bits, false, true};
}

} // namespace

std::optional<Whole> read_whole(std::string_view text) noexcept {
    if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        return read_hex(text.substr(2));
    }
    if (text.starts_with('-')) {
        const auto value = read_all<std::int64_t>(text);
        return value ? std::optional(Whole{static_cast<std::uint64_t>(*value), *value < 0})
                     : std::nullopt;
    }
    const auto bits = read_all<std::uint64_t>(text);
    return bits ? std::optional(Whole{*bits}) : std::nullopt;
}

std::optional<Whole> read_whole(const InputValue& given) noexcept {
    switch (given.kind) {
    case InputValue::Kind::integer:
        return Whole{static_cast<std::uint64_t>(given.integer), given.integer < 0};
    case InputValue::Kind::unsigned_integer:
        return Whole{given.unsigned_integer};
    case InputValue::Kind::text:
        return read_whole(given.text);
    case InputValue::Kind::null:
    case InputValue::Kind::boolean:
    case InputValue::Kind::real:
    case InputValue::Kind::array:
    case InputValue::Kind::object:
        break;
    }
    return std::nullopt;
}

std::optional<double> read_real(const InputValue& given) noexcept {
    switch (given.kind) {
    case InputValue::Kind::real:
        return given.real;
    case InputValue::Kind::integer:
        return static_cast<double>(given.integer);
    case InputValue::Kind::unsigned_integer:
        return static_cast<double>(given.unsigned_integer);
    case InputValue::Kind::text:
        break;
    case InputValue::Kind::null:
    case InputValue::Kind::boolean:
    case InputValue::Kind::array:
    case InputValue::Kind::object:
        return std::nullopt;
    }
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (given.text == "NaN") {
        return std::numeric_limits<double>::quiet_NaN();
    }
    if (given.text == "Infinity") {
        return infinity;
    }
    if (given.text == "-Infinity") {
        return -infinity;
    }
    double value = 0;
    const char* const end = given.text.data() + given.text.size();
    const auto [at, error] = std::from_chars(given.text.data(), end, value);
    return error == std::errc{} && at == end ? std::optional(value) : std::nullopt;
}

bool fits_unsigned(const Whole& number, std::uint32_t size) noexcept {
    return !number.is_negative && (size >= 8 || number.bits >> (8 * size) == 0);
}

bool fits_signed(const Whole& number, std::uint32_t size) noexcept {
    if (number.is_hex) {
        return fits_unsigned(number, size);
    }
    const std::uint64_t sign = std::uint64_t{1} << (8 * size - 1);
    return number.is_negative ? number.bits >= ~sign + 1 : number.bits < sign;
}

} // namespace etl::encode
