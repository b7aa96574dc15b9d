// Buffers that a trace lacks, by their sequence numbers and the count in the log file header: the
// only judgement of it, for readers and repairs. docs/format/damage.md#missing
#pragma once

#include "trace/reader.hpp"

#include <vector>

namespace etl::trace {

struct MissingBuffers {
    /// Why buffers are missing. Only `lost` is a loss.
    enum class Reason : std::uint8_t {
        lost,
        running_circular, // overwritten, or not yet flushed when the log was copied; so also of a
                          // session in memory
        circular,         // overwritten, or numbers that the session never used
        appended,         // the header does not count the buffers of all runs
    };

    struct Gap {
        std::uint64_t count = 0;
        std::optional<std::int64_t> first{};      // sequence number of the first; none: unknown
        std::optional<std::uint16_t> processor{}; // none: unknown
        /// Positions in Reader::buffers() of the neighbors by sequence number; none: the gap is at
        /// the beginning or at the end, or its place is unknown.
        std::optional<std::uint32_t> after{}, before{};
        FileOffset where{};      // of the buffer `before`; without one, the end of the trace
        bool is_counted = false; // known only from BuffersWritten of the header
    };

    /// By run and number. At most limits::listed_gaps; the last one counts the rest.
    std::vector<Gap> gaps;
    /// Buffers that repeat the one before them of their processor. They are no further buffers.
    std::uint64_t repeated = 0;
    Reason reason = Reason::lost;

    /// Returns how many buffers are missing.
    std::uint64_t count() const noexcept;

    /// Returns whether they were lost, rather than overwritten or never numbered.
    bool is_loss() const noexcept { return !gaps.empty() && reason == Reason::lost; }
};

/// Returns the buffers that a trace with these buffers() lacks. Sequence numbers can be missing
/// without a loss, so they count only if BuffersWritten does not match or is not available.
/// `log_file_mode` replaces that of the header.
MissingBuffers find_missing_buffers(const flow::TraceInfo& info,
                                    std::span<const BufferEntry> buffers,
                                    std::optional<std::uint32_t> log_file_mode = {});

/// Adds the buffers that were lost to BuffersLost of the header in `info`, and sets
/// `missing_buffers`, as Reader does: everything that is made of the trace then counts them. Not if
/// its session was not stopped and counted lost buffers, which are among those that are missing.
void count_missing_buffers(flow::TraceInfo& info, const MissingBuffers& missing);

/// Returns BuffersLost as the file has it.
inline std::uint32_t buffers_lost_by_session(const flow::TraceInfo& info) noexcept {
    return info.header.buffers_lost - info.missing_buffers;
}

/// Returns the finding about a gap: a note unless the buffers are lost.
Diagnostic finding_of(const MissingBuffers::Gap& gap, MissingBuffers::Reason reason);

// What tells a buffer from the others of its stream.

/// The stream that a buffer belongs to: those of a processor; of a merge, which fills buffers for
/// each of its sources at their own speeds, those of a processor and a source.
constexpr std::uint32_t stream_of(const BufferEntry& entry, std::uint32_t log_file_mode) noexcept {
    const bool is_relogged = (log_file_mode & format::log_mode::relog) != 0;
    return entry.processor | (is_relogged ? std::uint32_t{entry.logger_id} << 16U : 0U);
}

struct BufferId {
    std::int64_t sequence = 0, time_stamp = 0;

    /// Whether the next buffer of the stream is the same one. Without a time that is not known.
    constexpr bool is_repeated_by(const BufferEntry& next) const noexcept {
        return next.sequence == sequence && next.time_stamp == time_stamp && time_stamp != 0;
    }
};

} // namespace etl::trace
