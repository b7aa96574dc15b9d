// Traces in memory, shown to sinks as the command line does it.
#pragma once

#include "analysis/activity.hpp"
#include "tests/unit/answers/analysis/analyzed.hpp"

namespace etl::profiles {

inline analysis::Table show(test::Image trace, analysis::ActivitySink& sink,
                            const analysis::Asked& asked = {}) {
    const auto reader = analysis::reader_of(std::move(trace));
    const analysis::PassOptions options = analysis::options_of(*reader, asked);
    const auto activity = analysis::make_activity(sink);
    auto table = analysis::run(*reader, reader->info(), *activity, options);
    EXPECT_TRUE(table);
    return *std::move(table);
}

inline analysis::Table show(const std::vector<test::KernelRecord>& records,
                            analysis::ActivitySink& sink, const analysis::Asked& asked = {}) {
    return show(analysis::trace_of(analysis::on_processor(0, records)), sink, asked);
}

} // namespace etl::profiles
