// Parts of traces by time, for several processes or machines. docs/parts.md
#pragma once

#include "flow/filters.hpp"
#include "trace/reader.hpp"
#include "trace/trace_index.hpp"

#include <cstdint>
#include <span>

namespace etl::trace {

/// One of the parts that the time of traces is divided into.
struct Part {
    std::uint32_t number = 1; // 1 to count
    std::uint32_t count = 1;  // at least 1
};

/// A trace and its index, of which neither is null.
struct IndexedTrace {
    const Reader* reader = nullptr;
    const TraceIndex* index = nullptr;
};

/// Returns the time window of a part. The windows of parts 1 to N follow each other without gaps;
/// the first has no start, and the last no end. Each is cut so that the buffers in it, or their
/// shares, have about the same size in total; only buffers within the window `all` count. The
/// windows depend on the indexes and buffer headers alone. WindowReader reads one of them.
flow::TimeFilter::Window window_of(Part part, std::span<const IndexedTrace> traces,
                                   const flow::TimeFilter::Window& all = {});

/// What is wanted of traces.
struct WantedPart {
    Part part;
    flow::TimeFilter::Window window; // of a filter that follows
    /// Nothing follows the first event at or after the end of `window`.
    bool ends_with_window = false;
    /// The first part begins with the traces, not with `window`.
    bool has_all_before = false;
};

/// Returns the window of the part, as far as its events can pass the filter.
flow::TimeFilter::Window window_of(const WantedPart& wanted, std::span<const IndexedTrace> traces);

} // namespace etl::trace
