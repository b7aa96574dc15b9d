#include "sql/operands.hpp"

#include <etl/base/text.hpp>
#include <etl/base/unix_time.hpp>

#include "sql/collations.hpp"
#include "sql/members.hpp"

#include <array>
#include <charconv>
#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <variant>

namespace etl::sql {

namespace {

constexpr double two_to_63 = 9223372036854775808.0, two_to_64 = 18446744073709551616.0;

/// A number as it is written: std::uint64_t only if INTEGER cannot hold it.
using Number = std::variant<std::int64_t, std::uint64_t, double>;

template <typename T>
std::optional<T> parsed(std::string_view text) noexcept {
    T number{};
    const char* const end = text.data() + text.size();
    const auto [at, code] = std::from_chars(text.data(), end, number);
    return code == std::errc{} && at == end ? std::optional(number) : std::nullopt;
}

std::optional<std::uint64_t> parsed_hex(std::string_view text) noexcept {
    if (text.size() < 3 || text[0] != '0' || (text[1] != 'x' && text[1] != 'X')) {
        return std::nullopt;
    }
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [at, code] = std::from_chars(text.data() + 2, end, number, 16);
    return code == std::errc{} && at == end ? std::optional(number) : std::nullopt;
}

Number number_of_bits(std::uint64_t number) noexcept {
    return number <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())
               ? Number(static_cast<std::int64_t>(number))
               : Number(number);
}

std::optional<Number> number_of(std::string_view text) noexcept {
    if (text.empty() || text.find_first_not_of("0123456789.+-eE") != text.npos) {
        return std::nullopt;
    }
    text.remove_prefix(text.size() > 1 && text[0] == '+' && text[1] != '-' ? 1 : 0);
    if (const auto integer = parsed<std::int64_t>(text)) {
        return *integer;
    }
    if (const auto large = parsed<std::uint64_t>(text)) {
        return number_of_bits(*large);
    }
    double real = 0;
    const char* const end = text.data() + text.size();
    const auto [at, code] = std::from_chars(text.data(), end, real);
    if (at != end || code == std::errc::invalid_argument) {
        return std::nullopt;
    }
    if (code == std::errc::result_out_of_range) { // or next to zero
        real = text.find("e-") == text.npos && text.find("E-") == text.npos
                   ? std::numeric_limits<double>::infinity()
                   : 0;
        real = text[0] == '-' ? -real : real;
    }
    return real;
}

std::strong_ordering compare(std::uint64_t large, double real) noexcept {
    if (real >= two_to_64) {
        return std::strong_ordering::less;
    }
    return real < two_to_63 ? std::strong_ordering::greater
                            : large <=> static_cast<std::uint64_t>(real);
}

/// Texts are greater than numbers, and bytes greater than texts.
void pass_greater_than_text(sqlite3_context* to) noexcept {
    sqlite3_result_zeroblob(to, 0);
}

void pass(sqlite3_context* to, const Number& number) noexcept {
    if (const auto* const integer = std::get_if<std::int64_t>(&number)) {
        return sqlite3_result_int64(to, *integer);
    }
    const auto* const real = std::get_if<double>(&number);
    sqlite3_result_double(to, real == nullptr ? static_cast<double>(std::get<std::uint64_t>(number))
                                              : *real);
}

/// What compares with a large number as another number does.
void pass_for_large(sqlite3_context* to, std::uint64_t large, const Number& number) {
    if (const auto* const other = std::get_if<std::uint64_t>(&number)) {
        return pass_text(to, std::to_string(*other));
    }
    const auto* const real = std::get_if<double>(&number);
    const auto order = real == nullptr ? std::strong_ordering::greater : compare(large, *real);
    if (order == std::strong_ordering::equal) {
        return pass_text(to, std::to_string(large));
    }
    return order < 0 ? pass_greater_than_text(to) : pass(to, number);
}

void pass_for_real(sqlite3_context* to, double real, const Number& number) noexcept {
    const auto* const large = std::get_if<std::uint64_t>(&number);
    if (large == nullptr) {
        return pass(to, number);
    }
    const auto order = compare(*large, real);
    constexpr double infinity = std::numeric_limits<double>::infinity();
    sqlite3_result_double(to, order == 0 ? real : order < 0 ? -infinity : infinity);
}

/// What compares with a hexadecimal text as a number does: one with as many digits.
void pass_for_hex(sqlite3_context* to, std::size_t size, std::uint64_t number) {
    std::string text;
    append_hex(text, number);
    if (text.size() > size) {
        return pass_greater_than_text(to);
    }
    text.insert(2, size - text.size(), '0');
    pass_text(to, text);
}

/// SQLite is C.
template <typename Call>
void guarded(sqlite3_context* context, Call&& call) noexcept {
    try {
        call();
    } catch (...) {
        sqlite3_result_error_nomem(context);
    }
}

void pass_operand(sqlite3_context* to, sqlite3_value* first, sqlite3_value* second) {
    const int type = sqlite3_value_type(first);
    const int second_type = sqlite3_value_type(second);
    const auto number = second_type == SQLITE_NULL || second_type == SQLITE_BLOB ? std::nullopt
                        : parsed_hex(text_of(second))
                            ? std::optional(number_of_bits(*parsed_hex(text_of(second))))
                            : number_of(text_of(second));
    if (!number || type == SQLITE_NULL || type == SQLITE_BLOB) {
        return sqlite3_result_value(to, second);
    }
    if (type == SQLITE_INTEGER) {
        return pass(to, *number);
    }
    if (type == SQLITE_FLOAT) {
        return pass_for_real(to, sqlite3_value_double(first), *number);
    }
    const std::string_view text = text_of(first);
    if (is_large_number(text)) {
        return pass_for_large(to, *parsed<std::uint64_t>(text), *number);
    }
    const auto* const integer = std::get_if<std::int64_t>(&*number);
    if (second_type == SQLITE_INTEGER && integer != nullptr && *integer >= 0 && parsed_hex(text)) {
        return pass_for_hex(to, text.size(), static_cast<std::uint64_t>(*integer));
    }
    sqlite3_result_value(to, second);
}

void operand(sqlite3_context* to, int, sqlite3_value** values) {
    guarded(to, [&] { pass_operand(to, values[0], values[1]); });
}

void pass_number(sqlite3_context* to, sqlite3_value* value, bool as_bits) {
    if (sqlite3_value_type(value) != SQLITE_TEXT) {
        return sqlite3_result_value(to, value);
    }
    const std::string_view text = text_of(value);
    const auto bits = is_large_number(text) ? parsed<std::uint64_t>(text) : parsed_hex(text);
    if (!bits) {
        return sqlite3_result_value(to, value);
    }
    const Number number = number_of_bits(*bits);
    if (as_bits || std::holds_alternative<std::int64_t>(number)) {
        return sqlite3_result_int64(to, static_cast<std::int64_t>(*bits));
    }
    const std::string problem =
        std::string(text) + " exceeds INTEGER (9223372036854775807): SQLite cannot calculate with "
                            "it; exclude such values, as in CASE WHEN N <= 9223372036854775807 "
                            "THEN N END";
    sqlite3_result_error(to, problem.c_str(), -1);
}

void number(sqlite3_context* to, int, sqlite3_value** values) {
    guarded(to, [&] { pass_number(to, values[0], false); });
}

void bits(sqlite3_context* to, int, sqlite3_value** values) {
    guarded(to, [&] { pass_number(to, values[0], true); });
}

void pass_time_number(sqlite3_context* to, std::string_view text) {
    constexpr std::size_t digits_of_tick = 2; // of nanoseconds
    const auto time = time_of_text(text);
    const auto nanoseconds = time ? unix_nanoseconds(time->ticks) : std::nullopt;
    if (!nanoseconds || time->finer.size() > digits_of_tick) {
        const std::string problem =
            "'" + std::string(text) + "' is no time in nanoseconds since 1970";
        return sqlite3_result_error(to, problem.c_str(), -1);
    }
    std::int64_t rest = 0;
    for (std::size_t i = 0; i < digits_of_tick; ++i) {
        rest = rest * 10 + (i < time->finer.size() ? time->finer[i] - '0' : 0);
    }
    sqlite3_result_int64(to, *nanoseconds + rest);
}

void time_number(sqlite3_context* to, int, sqlite3_value** values) {
    guarded(to, [&] { pass_time_number(to, text_of(values[0])); });
}

} // namespace

std::string_view text_of(sqlite3_value* value) noexcept {
    const unsigned char* const text = sqlite3_value_text(value);
    const auto size = static_cast<std::size_t>(sqlite3_value_bytes(value));
    return text == nullptr ? std::string_view() : as_text(std::as_bytes(std::span(text, size)));
}

bool is_number_text(std::string_view text) noexcept {
    return number_of(text).has_value();
}

int register_operand_functions(sqlite3* database) {
    struct Function {
        std::string_view name;
        int arguments;
        void (*call)(sqlite3_context*, int, sqlite3_value**);
    };

    constexpr std::array functions{
        Function{number_function, 1, number}, Function{bits_function, 1, bits},
        Function{operand_function, 2, operand}, Function{time_number_function, 1, time_number}};
    constexpr int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    int code = SQLITE_OK;
    for (const Function& function : functions) {
        code = code == SQLITE_OK
                   ? sqlite3_create_function_v2(database, function.name.data(), function.arguments,
                                                flags, nullptr, function.call, nullptr, nullptr,
                                                nullptr)
                   : code;
    }
    return code;
}

} // namespace etl::sql
