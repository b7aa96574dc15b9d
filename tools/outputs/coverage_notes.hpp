// What a table was not computed from, or only by assumptions, as sentences. docs/analysis.md#output
#pragma once

#include "analysis/table.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace cli {

/// Returns what is missing, guessed, or assumed, with the next step, a line for each.
std::vector<std::string> coverage_notes(const etl::analysis::Coverage& coverage);

/// Returns whether a further count of the coverage is part of the notes.
bool is_noted(std::string_view remainder) noexcept;

/// Returns what is missing: of samples, those of time, if there are those of hardware counters.
std::string_view missing_source(const etl::analysis::NotRecorded& missing,
                                const etl::analysis::Coverage& coverage) noexcept;

} // namespace cli
