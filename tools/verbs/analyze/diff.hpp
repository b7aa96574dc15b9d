// etl diff: the tables of two traces side by side. docs/analysis.md#diff
#pragma once

#include "analysis/table.hpp"
#include "cli/exit_code.hpp"
#include "cli/verb.hpp"

#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace cli {

/// A condition of --fail-if: `cpu.running_ns(kettle*) > +10%`.
struct DiffCondition {
    enum class Compared : unsigned char { change_percent, change, value };

    std::string text;   // as given
    std::string table;  // `cpu`
    std::string column; // empty: the sort column
    std::string row;    // glob for the first key; `*`: the total
    std::string op;     // `>`, `>=`, `<`, `<=`
    Compared compared = Compared::value;
    double value = 0; // in percent, or in the unit of the column
    /// Of the value, as `10MB` and `5ms`; none: `%`, or no unit.
    std::optional<etl::analysis::Unit> unit{};
};

/// Parses a condition. Errors: what is wrong.
std::expected<DiffCondition, std::string> parse_condition(std::string_view text);

/// The values of a row in both tables; none: null, or no such row.
struct DiffValues {
    std::optional<double> before, after;
};

/// Returns whether a condition is true.
bool holds(const DiffCondition& condition, const DiffValues& values);

void add_diff(Verb& etl, ExitCode& exit);

} // namespace cli
