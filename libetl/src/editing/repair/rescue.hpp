// The records of one buffer that are whole, put together in memory of their own; and what lies
// between them. docs/repair.md#records
#pragma once

#include "repair/repair.hpp"
#include "trace/reader.hpp"
#include "trace/recording.hpp"

#include <limits>
#include <optional>
#include <vector>

namespace etl::repair {

/// Bytes of a buffer that are no records any more.
struct Hole {
    std::uint32_t offset = 0; // in the unpacked buffer
    std::uint64_t bytes = 0;
    std::optional<std::int64_t> after, before; // raw times of the records around it
};

struct Rescued {
    std::uint32_t used = 0;    // bytes put together, those for the header included
    std::uint64_t records = 0; // 0 as well where the buffer is not made of records
    std::uint64_t unlinked =
        0; // records whose extended items do not parse and are payload from now on
    std::optional<std::int64_t> oldest, newest; // raw times; those out of bounds do not count
    std::vector<Hole> holes;
};

/// Raw times that a buffer's records can have. Beyond them a record is no evidence of itself.
struct TimeBounds {
    std::int64_t from = std::numeric_limits<std::int64_t>::min();
    std::int64_t to = std::numeric_limits<std::int64_t>::max();

    bool hold(std::int64_t time) const noexcept { return from <= time && time <= to; }
};

/// Copies the whole records of `buffer` into `to`, which begins with room for the buffer header;
/// those that do not fit, and what follows, are a hole. With them come records behind damage, too,
/// when an unbroken chain of them, all with times within `bounds`, leads to the end of the buffer.
/// A buffer that is not made of records is copied as it is.
Rescued rescue(const trace::BufferContent& buffer, const TimeBounds& bounds, MutableBytes to);

// Which time stamps can be in a buffer: not before what its processor wrote last, not behind the
// moment it was flushed. docs/repair.md#records

/// A FILETIME of 1981 to 2234: what one in a trace is worth. Counters do not get there.
constexpr bool is_wall_time(std::int64_t time) noexcept {
    return 120'000'000'000'000'000 <= time && time <= 200'000'000'000'000'000;
}

class BufferTimes {
public:
    explicit BufferTimes(const trace::Recording& recording);

    /// When a buffer was flushed, raw, unless its header says nothing that can be. `last`: the
    /// newest time in an earlier buffer of the same processor, if there was one.
    std::optional<std::int64_t> flushed(const trace::BufferContent& buffer,
                                        std::optional<std::int64_t> last) const;

    TimeBounds bounds(const trace::BufferContent& buffer, std::optional<std::int64_t> last) const;

private:
    std::int64_t earliest(std::optional<std::int64_t> last) const;

    flow::Clock clock_;
    std::int64_t reference_; // when the recording began, raw
    std::int64_t slack_;     // by which clocks of processors and providers may be off
    bool is_system_time_;
};

// The recording that a repaired trace goes by: its own log file header set right, one that is read
// although its record is damaged, that of another file, or one made of what the buffers tell.
// docs/repair.md#header

struct ChosenRecording {
    trace::Recording recording; // EndTime as the trace has it
    bool is_guessed = false;    // nothing readable said what the clock is
    bool counts_losses = false; // the header of the trace has the totals
    std::vector<std::string> corrections;

    flow::Clock clock() const { return {recording.header, recording.reference_time}; }
};

/// `head`: the header buffer as it is, empty where there is none. Extras are left to the caller.
ChosenRecording choose_recording(trace::Reader& reader, Bytes head,
                                 const std::optional<trace::Recording>& given);

} // namespace etl::repair
