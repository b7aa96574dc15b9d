#include "sql/functions.hpp"

#include <etl/time.hpp>

#include "base/text.hpp"
#include "sql/collations.hpp"
#include "sql/members.hpp"
#include "sql/numbers.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <new>
#include <optional>
#include <span>
#include <string>

namespace etl::sql {

namespace {

constexpr std::size_t digits_of_tick = 2; // of nanoseconds

/// SQLite is C.
template <typename Call>
void guarded(sqlite3_context* context, Call&& call) noexcept {
    try {
        call();
    } catch (...) {
        sqlite3_result_error_nomem(context);
    }
}

void fail(sqlite3_context* to, const std::string& problem) {
    sqlite3_result_error(to, problem.c_str(), static_cast<int>(problem.size()));
}

/// A REAL of 2^64 or more: texts are greater than numbers, and bytes greater than texts.
void pass_beyond_unsigned(sqlite3_context* to, double real) {
    const auto bits = std::bit_cast<std::uint64_t>(real);
    std::array<unsigned char, sizeof(bits)> bytes{}; // in the order of the numbers
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<unsigned char>(bits >> (8 * (bytes.size() - 1 - i)));
    }
    sqlite3_result_blob64(to, bytes.data(), bytes.size(), SQLITE_TRANSIENT);
}

void pass_exact(sqlite3_context* to, const Number& number) {
    if (const auto* const integer = std::get_if<std::int64_t>(&number)) {
        return sqlite3_result_int64(to, *integer);
    }
    if (const auto* const large = std::get_if<std::uint64_t>(&number)) {
        return pass_text(to, std::to_string(*large));
    }
    const double real = std::get<double>(number);
    if (real >= two_to_64) {
        return pass_beyond_unsigned(to, real);
    }
    if (real >= two_to_63) {
        return pass_text(to, std::to_string(static_cast<std::uint64_t>(real)));
    }
    sqlite3_result_double(to, real);
}

void exact(sqlite3_context* to, int /*count*/, sqlite3_value** values) {
    guarded(to, [&] {
        sqlite3_value* const value = values[0];
        const int type = sqlite3_value_type(value);
        if (type == SQLITE_FLOAT) {
            return pass_exact(to, sqlite3_value_double(value));
        }
        const auto bits = type == SQLITE_TEXT ? bits_of_hex(text_of(value)) : std::nullopt;
        return bits ? pass_exact(to, number_of_bits(*bits)) : sqlite3_result_value(to, value);
    });
}

void real(sqlite3_context* to, int /*count*/, sqlite3_value** values) {
    guarded(to, [&] {
        sqlite3_value* const value = values[0];
        return sqlite3_value_type(value) == SQLITE_FLOAT
                   ? pass_exact(to, sqlite3_value_double(value))
                   : sqlite3_result_value(to, value);
    });
}

void decimal(sqlite3_context* to, int /*count*/, sqlite3_value** values) {
    guarded(to, [&] {
        const auto number = number_of_any(text_of(values[0]));
        return number ? pass_exact(to, *number) : sqlite3_result_value(to, values[0]);
    });
}

bool is_number(sqlite3_value* value) noexcept {
    const int type = sqlite3_value_type(value);
    return type == SQLITE_INTEGER || type == SQLITE_FLOAT ||
           (type == SQLITE_TEXT && is_large_number(text_of(value)));
}

/// Reading a value as text would make it a text.
std::string number_as_text(sqlite3_value* value) {
    return sqlite3_value_type(value) == SQLITE_FLOAT ? "a REAL" : std::string(text_of(value));
}

void text(sqlite3_context* to, int /*count*/, sqlite3_value** values) {
    guarded(to, [&] {
        if (!is_number(values[0])) {
            return sqlite3_result_value(to, values[0]);
        }
        fail(to, "the number " + number_as_text(values[0]) +
                     " is compared with a text: write numbers without quotes, or compare "
                     "CAST(... AS TEXT)");
    });
}

void instant(sqlite3_context* to, int /*count*/, sqlite3_value** values) {
    guarded(to, [&] {
        if (!is_number(values[0])) {
            return sqlite3_result_value(to, values[0]);
        }
        fail(to, "a time is compared with nanoseconds, or another number: " +
                     number_as_text(values[0]) + "; compare it with the column time");
    });
}

void instant_of_number(sqlite3_context* to, int count, sqlite3_value** values) {
    if (sqlite3_value_type(values[0]) != SQLITE_INTEGER) {
        return instant(to, count, values);
    }
    guarded(to, [&] {
        constexpr std::int64_t ns_in_tick = 100;
        const std::int64_t ns = sqlite3_value_int64(values[0]);
        const std::int64_t rest = (ns % ns_in_tick + ns_in_tick) % ns_in_tick;
        std::string time;
        append_rfc3339(time, Filetime{(ns - rest) / ns_in_tick + Filetime::unix_epoch}, "");
        time += static_cast<char>('0' + rest / 10);
        time += static_cast<char>('0' + rest % 10);
        pass_text(to, time + "Z");
    });
}

void pass_number(sqlite3_context* to, std::span<sqlite3_value*> values, bool as_bits) {
    sqlite3_value* const value = values[0];
    if (sqlite3_value_type(value) != SQLITE_TEXT) {
        return sqlite3_result_value(to, value);
    }
    const std::string_view text = text_of(value);
    const auto bits = bits_of_text(text);
    if (!bits) {
        return sqlite3_result_value(to, value);
    }
    if (as_bits || *bits >> 63U == 0) {
        return sqlite3_result_int64(to, static_cast<std::int64_t>(*bits));
    }
    const std::string name(values.size() > 1 ? text_of(values[1]) : "it");
    fail(to, std::string(text) +
                 " exceeds INTEGER (9223372036854775807): SQLite cannot calculate with " + name +
                 "; exclude such values, as in CASE WHEN N <= 9223372036854775807 THEN N END");
}

void number(sqlite3_context* to, int count, sqlite3_value** values) {
    guarded(to, [&] { pass_number(to, {values, static_cast<std::size_t>(count)}, false); });
}

void bits(sqlite3_context* to, int count, sqlite3_value** values) {
    guarded(to, [&] { pass_number(to, {values, static_cast<std::size_t>(count)}, true); });
}

void time_number(sqlite3_context* to, int /*count*/, sqlite3_value** values) {
    guarded(to, [&] {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        const auto time = time_of_text(text_of(values[0]));
        if (!time) {
            return sqlite3_result_value(to, values[0]);
        }
        const auto nanoseconds = unix_nanoseconds(time->ticks);
        if (!nanoseconds) { // before or after all that INTEGER can hold
            return sqlite3_result_double(to, unix_ticks(time->ticks) < 0 ? -infinity : infinity);
        }
        std::int64_t rest = 0;
        for (std::size_t i = 0; i < digits_of_tick; ++i) {
            rest = rest * 10 + (i < time->finer.size() ? time->finer[i] - '0' : 0);
        }
        sqlite3_result_int64(to, *nanoseconds + rest);
    });
}

} // namespace

std::string_view text_of(sqlite3_value* value) noexcept {
    const unsigned char* const text = sqlite3_value_text(value);
    const auto size = static_cast<std::size_t>(sqlite3_value_bytes(value));
    return text == nullptr ? std::string_view() : as_text(std::as_bytes(std::span(text, size)));
}

int register_operand_functions(sqlite3* database) {
    struct Function {
        std::string_view name;
        int arguments;
        void (*call)(sqlite3_context*, int, sqlite3_value**);
    };

    constexpr std::array functions{Function{number_function, 1, number},
                                   Function{number_function, 2, number},
                                   Function{bits_function, 1, bits},
                                   Function{bits_function, 2, bits},
                                   Function{decimal_function, 1, decimal},
                                   Function{exact_function, 1, exact},
                                   Function{real_function, 1, real},
                                   Function{text_function, 1, text},
                                   Function{instant_function, 1, instant},
                                   Function{instant_of_number_function, 1, instant_of_number},
                                   Function{time_number_function, 1, time_number}};
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

namespace {

/// A sum of integers of 64 bits, signed or not, in two's complement of 128.
struct WideSum {
    std::uint64_t low, high;

    /// Adds the value `times` times.
    void add(std::uint64_t value, bool is_negative, std::uint64_t times) noexcept {
        const WideSum product = product_of(is_negative ? 0 - value : value, times);
        if (is_negative) {
            high -= product.high + std::uint64_t{low < product.low};
            low -= product.low;
        } else {
            low += product.low;
            high += product.high + std::uint64_t{low < product.low};
        }
    }

    void subtract(std::uint64_t value, bool is_negative) noexcept {
        high -= std::uint64_t{low < value} - std::uint64_t{is_negative};
        low -= value;
    }

    std::optional<std::int64_t> as_signed() const noexcept {
        const bool is_negative = low >> 63U != 0;
        return high == (is_negative ? ~std::uint64_t{0} : 0)
                   ? std::optional(static_cast<std::int64_t>(low))
                   : std::nullopt;
    }

    std::optional<std::uint64_t> as_unsigned() const noexcept {
        return high == 0 ? std::optional(low) : std::nullopt;
    }

    static WideSum product_of(std::uint64_t one, std::uint64_t other) noexcept {
        constexpr unsigned half = 32;
        constexpr std::uint64_t low_half = 0xFFFFFFFF;
        const std::uint64_t low = (one & low_half) * (other & low_half);
        const std::uint64_t middle = (one >> half) * (other & low_half) + (low >> half);
        const std::uint64_t cross = (one & low_half) * (other >> half) + (middle & low_half);
        return {(cross << half) | (low & low_half),
                (one >> half) * (other >> half) + (middle >> half) + (cross >> half)};
    }

    double as_real() const noexcept {
        if (const auto number = as_signed()) {
            return static_cast<double>(*number);
        }
        return std::ldexp(static_cast<double>(static_cast<std::int64_t>(high)), 64) +
               static_cast<double>(low);
    }
};

/// What was added up so far. SQLite provides the memory, filled with zeros.
struct Sum {
    WideSum integers;
    double reals;
    std::int64_t values, real_values;

    double as_real() const noexcept { return integers.as_real() + reals; }
};

Sum* sum_of(sqlite3_context* context, bool is_new) noexcept {
    return static_cast<Sum*>(sqlite3_aggregate_context(context, is_new ? int{sizeof(Sum)} : 0));
}

enum class Change : bool { add, subtract };

template <Change change>
void step(sqlite3_context* context, int count, sqlite3_value** values) {
    Sum* const sum = sum_of(context, true);
    if (sum == nullptr) {
        return sqlite3_result_error_nomem(context);
    }
    const std::span arguments(values, static_cast<std::size_t>(count));
    sqlite3_value* const value = arguments.front();
    if (sqlite3_value_type(value) == SQLITE_NULL) {
        return;
    }
    const std::int64_t times = count > 1 ? sqlite3_value_int64(arguments.back()) : 1;
    const std::int64_t change_of_count = change == Change::add ? times : -times;
    sum->values += change_of_count;
    const auto add_integer = [&](std::uint64_t number, bool is_negative) {
        change == Change::add
            ? sum->integers.add(number, is_negative, static_cast<std::uint64_t>(times))
            : sum->integers.subtract(number, is_negative);
    };
    if (sqlite3_value_type(value) == SQLITE_TEXT) {
        if (const auto number = bits_of_text(text_of(value))) {
            return add_integer(*number, false);
        }
    }
    if (sqlite3_value_numeric_type(value) == SQLITE_INTEGER) {
        const std::int64_t number = sqlite3_value_int64(value);
        return add_integer(static_cast<std::uint64_t>(number), number < 0);
    }
    sum->real_values += change_of_count;
    sum->reals += static_cast<double>(change_of_count) * sqlite3_value_double(value);
}

void result_of_sum(sqlite3_context* to) {
    const Sum* const sum = sum_of(to, false);
    if (sum == nullptr || sum->values == 0) {
        return sqlite3_result_null(to);
    }
    if (sum->real_values != 0) {
        return sqlite3_result_double(to, sum->as_real());
    }
    if (const auto number = sum->integers.as_signed()) {
        return sqlite3_result_int64(to, *number);
    }
    const auto number = sum->integers.as_unsigned();
    if (!number) {
        return sqlite3_result_error(to, "the sum exceeds 64 bits; use total(), which is REAL", -1);
    }
    pass_integer(to, *number);
}

void result_of_total(sqlite3_context* to) {
    const Sum* const sum = sum_of(to, false);
    sqlite3_result_double(to, sum != nullptr ? sum->as_real() : 0.0);
}

void result_of_count(sqlite3_context* to) {
    const Sum* const sum = sum_of(to, false);
    sqlite3_result_int64(to, sum == nullptr ? 0 : sum->values);
}

void result_of_average(sqlite3_context* to) {
    const Sum* const sum = sum_of(to, false);
    if (sum == nullptr || sum->values == 0) {
        return sqlite3_result_null(to);
    }
    sqlite3_result_double(to, sum->as_real() / static_cast<double>(sum->values));
}

} // namespace

int register_sums(sqlite3* database) {
    struct Function {
        const char* name;
        void (*result)(sqlite3_context*);
        bool is_own; // what SQLite has of this name adds up other values
    };

    constexpr std::array functions{
        Function{"sum", result_of_sum, true}, Function{"total", result_of_total, true},
        Function{"avg", result_of_average, true}, Function{"count", result_of_count, false}};
    constexpr int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    for (const auto& [name, result, is_own] : functions) {
        const std::string counted = std::string(counted_prefix) + name;
        int code = sqlite3_create_function_v2(database, counted.c_str(), 2, flags, nullptr, nullptr,
                                              step<Change::add>, result, nullptr);
        if (is_own && code == SQLITE_OK) {
            code =
                sqlite3_create_window_function(database, name, 1, flags, nullptr, step<Change::add>,
                                               result, result, step<Change::subtract>, nullptr);
        }
        if (code != SQLITE_OK) {
            return code;
        }
    }
    return SQLITE_OK;
}

} // namespace etl::sql
