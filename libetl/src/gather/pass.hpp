// One pass over a trace in which each thread collects for itself. Private to gather.
#pragma once

#include <etl/trace/reader.hpp>

#include <utility>
#include <vector>

namespace etl::gather {

/// Adds all events of the trace to `whole`: a Collector has add(Run) and combine(Collector&&).
template <typename Collector>
void collect(trace::Reader& reader, unsigned threads, Collector& whole) {
    std::vector<Collector> parts(threads);
    reader.for_each_buffer(threads, [&](unsigned worker, const trace::BufferEntry&,
                                        flow::Run events) { parts[worker].add(events); });
    for (Collector& part : parts) {
        whole.combine(std::move(part));
    }
}

} // namespace etl::gather
