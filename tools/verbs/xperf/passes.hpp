// The dumper over the traces of a command line. docs/xperf.md#dumper
#pragma once

#include "dumper/dumper.hpp"
#include "verbs/xperf/options.hpp"

#include <functional>
#include <vector>

namespace cli::xperf {

struct DumpPlan {
    std::optional<Moment> from{}, to{};
    std::vector<etl::Guid> providers{};
    bool has_raw_data = false, excludes_interrupts = false;
    /// Other events are not read; empty: all are.
    std::function<bool(const etl::flow::Event&)> wants{};
};

/// Writes the lines of all traces.
ExitCode dump(const Run& run, const DumpPlan& plan);

/// The times of a range in the traces.
etl::match::TimeBounds bounds_of(const Traces& traces);

} // namespace cli::xperf
