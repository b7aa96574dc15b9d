// Records that a session left in buffers which never got into its log file: from the file of live
// buffers beside it. docs/repair.md#live, docs/format/live-buffers.md
#pragma once

#include "flow/trace_info.hpp"
#include "format/live_buffers.hpp"
#include "trace/reader.hpp"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace etl::repair {

/// A buffer that holds records, or may.
struct LiveBuffer {
    std::uint32_t number = 0; // in the file of live buffers
    std::uint16_t processor = 0;
    std::int64_t sequence = 0; // 0: the logger never looked at it, or another one has its number
    std::uint64_t order = 0;
    std::int64_t closed_at = 0; // raw; 0: it was open
};

/// What is whole of one buffer.
struct LiveContent {
    std::uint32_t used = 0; // bytes, those for a buffer header included
    std::uint64_t records = 0;
    std::uint64_t incomplete = 0; // places for records that were not all there, or given up
    std::uint64_t unlinked = 0;   // as Rescued's
    std::uint64_t damaged = 0;    // bytes behind the last record that are none
    std::optional<std::int64_t> oldest, newest; // raw
};

/// The file may belong to a process that still lives: each byte is looked at once.
class LiveRecords {
public:
    /// Errors: those of format::parse_live_buffers.
    static Result<LiveRecords> open(std::shared_ptr<const io::InputFile> file);

    const format::LiveBuffers& facts() const noexcept { return facts_; }

    /// Whether it belongs to the session that wrote a file with such a header. Nothing: one of them
    /// does not identify its session.
    std::optional<bool> belongs_to(const flow::TraceInfo& trace) const;

    /// What the session lost by the end of its process, as the header of its log file would count.
    /// Nothing: a file of version 1, which does not count.
    std::optional<format::LiveLosses> losses() const;

    /// A trace of nothing but the header buffer, padded; empty: it is not known.
    std::vector<std::byte> empty_trace() const;

    /// Those that hold something, in the order in which they were opened, as far as the log file
    /// has not got them: a buffer with a number is in there if one of that number is, whole.
    std::vector<LiveBuffer> missing_in(std::span<const trace::BufferEntry> buffers) const;

    /// How many buffers were in use and have a damaged entry: what they hold is lost.
    std::uint64_t damaged() const;

    /// Copies the whole records of one into `to`, behind room for a buffer header. What `to` has no
    /// room for counts as damaged.
    LiveContent copy(const LiveBuffer& buffer, MutableBytes to);

private:
    std::shared_ptr<const io::InputFile> file_;
    format::LiveBuffers facts_;
    std::vector<std::byte> copy_;
};

} // namespace etl::repair
