// The tables that an action prints. docs/xperf.md#tables
#pragma once

#include "verbs/xperf/times.hpp"

#include <optional>
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
    double slice_seconds = 0;   // of a timeline; 0: 60 slices
    bool is_of_machine = false; // usage is of all processors
    std::string_view kind{};    // only rows with this text in the column `kind`; empty: all
};

/// What an action selects.
struct Selection {
    std::optional<Moment> from{}, to{};
    std::vector<std::string> processes{};
    std::string where{}; // as --where of `etl cpu`
};

struct Report {
    std::vector<Part> parts{};
    Selection selection{};
};

} // namespace cli::xperf
