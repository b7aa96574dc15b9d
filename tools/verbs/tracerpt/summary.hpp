// summary.txt of tracerpt. docs/tracerpt.md#summary
#pragma once

#include "cli/traces.hpp"
#include "verbs/tracerpt/counts.hpp"

#include <string>

namespace cli {

/// What the summary and the report say about the inputs.
struct InputTotals {
    std::vector<std::string> files;
    std::uint64_t buffers = 0;
    std::uint64_t events = 0;
    std::uint64_t lost_events = 0;
    std::optional<etl::Filetime> begin, end; // none: no events

    std::uint64_t elapsed_seconds() const noexcept;
};

InputTotals totals_of(const Traces& traces, const EventCounts& counts);

/// `utc_offset_minutes`: of the times.
std::string summary_text(const InputTotals& totals, const EventCounts& counts,
                         int utc_offset_minutes);

/// `2024-05-17T07:00:00.1234567+01:00`
std::string time_text(etl::Filetime time, int utc_offset_minutes);

} // namespace cli
