// Where the clock was set back while a trace was recorded, and the streams of buffers cut there, so
// that the times of each ascend. docs/format/buffer.md#set-back
#pragma once

#include "trace/loading/buffer_streams.hpp"

namespace etl::trace {

/// The first record of a stream that was recorded after the clock was set back.
struct ClockCut {
    std::uint32_t stream = 0;
    std::size_t index = 0;             // in the stream, of the buffer that holds it
    std::uint32_t offset = 0;          // of the record in the buffer; 0: the whole buffer
    std::uint32_t epoch = 0;           // how often the clock was set back up to here
    std::int64_t first_time = no_time; // no event of the next two buffers after the cut is earlier
};

struct ClockRollbacks {
    std::vector<flow::ClockRollback> list;
    std::vector<ClockCut> cuts; // of each stream in its order
    bool is_complete = true;    // false: beyond limits::clock_rollbacks they were not looked for
};

/// Compares the flush times of each stream's buffers, which are those of streams_of() by time
/// without sources. Where they fall, the buffers around are loaded: it counts if their events say
/// the same. A trace whose flush times ascend costs nothing more.
ClockRollbacks find_clock_rollbacks(const LoadRequest& request,
                                    std::span<const BufferEntry> entries,
                                    std::span<const BufferStream> streams);

/// The streams, and behind them what was cut off.
std::vector<BufferStream> cut_at(std::vector<BufferStream> streams, std::span<const ClockCut> cuts);

} // namespace etl::trace
