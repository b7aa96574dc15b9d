// One pass over a trace in which each thread collects for itself. Private to gather.
#pragma once

#include <etl/trace/reader.hpp>

#include <tuple>
#include <utility>
#include <vector>

namespace etl::gather {

/// Adds all events of the trace to each of `all`: a Collector has add(Run) and
/// combine(Collector&&).
template <typename... Collectors>
void collect(trace::Reader& reader, unsigned threads, Collectors&... all) {
    std::vector<std::tuple<Collectors...>> parts(threads);
    reader.for_each_buffer(
        threads, [&](unsigned worker, const trace::BufferEntry&, flow::Run events) {
            std::apply([&](auto&... part) { (part.add(events), ...); }, parts[worker]);
        });
    for (auto& part : parts) {
        (all.combine(std::move(std::get<Collectors>(part))), ...);
    }
}

} // namespace etl::gather
