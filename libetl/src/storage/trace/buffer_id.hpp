// What tells a buffer from the others of its stream. docs/format/damage.md#missing
#pragma once

#include "trace/reader.hpp"

namespace etl::trace {

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
