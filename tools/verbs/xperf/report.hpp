// The tables that an action prints. docs/xperf.md#tables
#pragma once

#include <etl/time.hpp>

#include "analysis/tables.hpp"
#include "match/time_point.hpp"
#include "outputs/table_output.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cli::xperf {

// Times in the notation of xperf. docs/xperf.md#times

/// A time: from the start of the trace, or absolute.
using Moment = etl::match::TimePoint;

/// `1234`, `1234us`, `1.5s`, `20ms`, `700ns` from the start of the trace, in microseconds without a
/// unit; `2024/05/17:04:00:01.5` in local time, or with `+UTC` in UTC. Nothing for other text.
std::optional<Moment> parse_moment(std::string_view text) noexcept;

/// The forms that parse_moment() accepts, for messages.
inline constexpr std::string_view moment_forms =
    "microseconds from the start of the trace, with a unit (s, ms, us, ns), or "
    "2024/05/17:04:00:01.5, with +UTC in UTC";

/// What an action selects.
struct Selection {
    std::optional<Moment> from{}, to{};
    std::vector<std::string> processes{};
};

/// One table of an action.
struct Part {
    std::string title;
    const char* table; // of analysis
    const char* by = "";
    const char* sort = "";
    std::vector<std::string_view> hidden{};
    std::size_t least_samples = 0;
    double slice_seconds = 0;   // of a timeline; 0: 60 slices
    bool is_of_machine = false; // usage is of all processors
    std::string_view kind{};    // only rows with this text in the column `kind`; empty: all
    std::size_t least_events = 0;
    etl::analysis::TableOptions options{};
    std::optional<Selection> selection{}; // instead of that of the report
    /// How it is printed; none: as columns.
    std::function<std::string(const Part&, const etl::analysis::Table&)> text{};
};

struct Report {
    std::vector<Part> parts{};
    Selection selection{};
    std::optional<TableFormat> format{}; // instead of aligned columns
};

} // namespace cli::xperf
