#include "sql/sums.hpp"

#include "sql/members.hpp"
#include "sql/numbers.hpp"
#include "sql/operands.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <new>
#include <optional>

namespace etl::sql {

namespace {

/// A sum of integers of 64 bits, signed or not, in two's complement of 128.
struct WideSum {
    std::uint64_t low, high;

    void add(std::uint64_t value, bool is_negative) noexcept {
        low += value;
        high += std::uint64_t{low < value} - std::uint64_t{is_negative};
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
void step(sqlite3_context* context, int /*count*/, sqlite3_value** values) {
    Sum* const sum = sum_of(context, true);
    if (sum == nullptr) {
        return sqlite3_result_error_nomem(context);
    }
    sqlite3_value* const value = *values;
    if (sqlite3_value_type(value) == SQLITE_NULL) {
        return;
    }
    constexpr int sign = change == Change::add ? 1 : -1;
    sum->values += sign;
    const auto add_integer = [&](std::uint64_t number, bool is_negative) {
        change == Change::add ? sum->integers.add(number, is_negative)
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
    sum->real_values += sign;
    sum->reals += sign * sqlite3_value_double(value);
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
    };

    constexpr std::array functions{Function{"sum", result_of_sum},
                                   Function{"total", result_of_total},
                                   Function{"avg", result_of_average}};
    for (const auto& [name, result] : functions) {
        const int code = sqlite3_create_window_function(
            database, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nullptr,
            step<Change::add>, result, result, step<Change::subtract>, nullptr);
        if (code != SQLITE_OK) {
            return code;
        }
    }
    return SQLITE_OK;
}

} // namespace etl::sql
