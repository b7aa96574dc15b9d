// Actions that consist of tables. docs/xperf.md#tables
#pragma once

#include "verbs/xperf/options.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace cli::xperf {

/// One table of an action.
struct Part {
    const char* title;
    const char* table; // of analysis
    const char* by = "";
    const char* sort = "";
    std::vector<std::string_view> hidden{};
    std::size_t least_samples = 0;
    double slice_seconds = 0; // of a timeline; 0: 60 slices
};

/// What an action selects.
struct Selection {
    std::optional<Moment> from{}, to{};
    std::vector<std::string> processes{};
};

/// Prints the tables, each after its title.
ExitCode print_parts(const Run& run, const std::vector<Part>& parts, const Selection& selection);

} // namespace cli::xperf
