// Which buffers of a trace follow each other.
#pragma once

#include "base/function_ref.hpp"
#include "flow/filters.hpp"
#include "trace/loading/loaded_buffer.hpp"
#include "trace/reader.hpp"
#include "trace/trace_index.hpp"

#include <span>
#include <vector>

namespace etl::trace {

/// Whether events come in the order of their times, at least within an epoch.
constexpr bool is_by_time(Order order) noexcept {
    return order == Order::time || order == Order::recorded;
}

/// Buffers that follow each other.
struct BufferStream {
    std::vector<std::uint32_t> buffers; // their numbers; at least one
    RecordRange of_first{};             // what of the first and of the last buffer belongs to it
    RecordRange of_last{};
    std::uint64_t rank = 0;            // among events of equal time; counts up with each buffer
    std::uint32_t epoch = 0;           // how often the clock was set back before it
    std::int64_t first_time = no_time; // no event of it is earlier; no_time: not known

    /// What of buffers[i] belongs to it.
    RecordRange range_of(std::size_t i) const noexcept;
};

struct BufferStreams {
    std::vector<BufferStream> streams; // lower processors first
    /// Of a merge that keeps its sources apart: more than there are processors, but numbered as
    /// their writer opened them, so that those with higher first numbers begin later.
    bool has_sources = false;
    /// More than there are processors: as many are open at once as there is room for.
    bool is_bounded = false;

    /// Indices into streams, in the order in which they begin: by epoch if that is asked for, then
    /// by their first times, then by their first numbers.
    std::vector<std::uint32_t> by_beginning(std::span<const BufferEntry> entries,
                                            Order order) const;

    /// Removes the buffers at the start of each stream that contain only events before the window,
    /// and those at its end that contain only events that follow it. `indexed`: by number of the
    /// buffer; all begin with a record that has a timestamp.
    ///
    /// The merge is not changed by it. Of a stream, at most two buffers are open, and each opens
    /// when an earlier one has given its last event, so that the ones removed from the start have
    /// all ended when the first event at or after `from` is due; and the ones removed from the end
    /// open in the order of the stream, after all that is kept.
    void skip_outside(std::span<const IndexedBuffer> indexed, const flow::RawWindow& window);

    /// Removes the buffers of whose numbers `is_kept` is false.
    void keep(FunctionRef<bool(std::uint32_t number)> is_kept);

    /// Whether the place of each event depends only on buffers near its own.
    bool can_skip(std::span<const IndexedBuffer> indexed) const noexcept;
};

/// Order::time and Order::recorded: a stream for each processor; of a merge that keeps its sources
/// apart, which fills a buffer for each of them at the same time, one for each processor and source
/// (docs/merge.md#sources). The other orders: one of all. `log_file_mode` is the header's.
BufferStreams streams_of(std::span<const BufferEntry> entries, Order order,
                         std::uint32_t log_file_mode);

} // namespace etl::trace
