// Levels of detail of tracks, as a section of an index: what tracks did in spans of the trace, in
// bins that are short where there are many events, so that a picture of any window costs the same.
// Private to analysis. docs/decisions/0046-levels.md
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>

#include "analysis/indexed/track_sums.hpp"
#include "analysis/tracks.hpp"
#include "base/function_ref.hpp"
#include "base/shared_bytes.hpp"
#include "base/task_pool.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace etl::analysis {

/// Bins of a span; the pictures that people look at have up to 2,000 columns.
inline constexpr std::uint64_t max_span_bins = 1024;

/// Spans that the next longer one is made of.
inline constexpr std::size_t spans_of_span = 8;

/// A span of time, and the bins in which its tracks were added up. Times are raw.
struct TrackSpan {
    std::uint32_t level = 0; // 0: from one cut to the next
    std::uint32_t shift = 0;
    std::int64_t begin = 0, end = 0;
    std::uint32_t block = 0;            // that has its frame
    std::uint64_t offset = 0, size = 0; // of its frame, in the block
    std::uint64_t content_size = 0;     // of its pieces
};

/// An interval of a track that began before the last cut: no span contains it.
struct LongInterval {
    std::uint32_t track = 0, state = 0;
    Interval interval;
    std::uint64_t count = 0;
    /// Time of the event that ended it; none: it is open at the end of the trace.
    std::optional<std::int64_t> ended{};
};

/// The section, and the blocks of frames that it names, which are sections of their own: few are
/// needed for a picture.
struct EncodedLevels {
    /// Empty: there are none, because of late events, of limits, or of a temporary file that cannot
    /// be read.
    std::vector<std::byte> head;
    std::vector<SharedBytes> blocks;
};

/// Makes the section from what happens, in the order of its ends, and from cuts: no event after one
/// has an earlier time, and none before it has that time or a later one. Not thread-safe.
class TrackRecorder {
public:
    /// With more than one of `threads`, spans are packed by a thread while others are recorded.
    explicit TrackRecorder(unsigned threads = 1);
    ~TrackRecorder();
    TrackRecorder(const TrackRecorder&) = delete;
    TrackRecorder& operator=(const TrackRecorder&) = delete;

    void add(std::uint32_t track, std::uint32_t state, std::int64_t time, const TrackSum& sum);

    /// `ended`: as LongInterval.
    void add_interval(std::uint32_t track, std::uint32_t state, const Interval& interval,
                      std::uint64_t count, std::optional<std::int64_t> ended);

    void cut(std::int64_t time);

    /// After the last event. `range`: the times of the first and of the last; `tracks`: those whose
    /// numbers were used; `missing`: sources that the trace does not contain.
    void finish(const Interval& range, std::vector<Track> tracks,
                std::vector<std::string> missing = {});

    /// After finish().
    EncodedLevels take();

private:
    class Spans;

    void extend_to(std::int64_t time);
    void end_span(std::int64_t end);

    std::optional<TrackSums> sums_;                                 // of the span at hand
    std::int64_t begin_ = std::numeric_limits<std::int64_t>::min(); // of the span at hand
    std::optional<std::int64_t> first_;                             // time in it
    std::int64_t last_ = std::numeric_limits<std::int64_t>::min();  // likewise
    bool has_late_ = false; // an event is earlier than its span
    std::vector<LongInterval> long_;
    bool has_too_many_long_ = false;
    std::vector<Track> tracks_;
    std::vector<std::string> missing_;
    Interval range_; // times of the first and the last event
    std::unique_ptr<Spans> spans_;
    std::future<void> packing_; // of the span before
    TaskPool pool_;             // last: its thread ends before what it works on
};

/// Reads the section. Thread-safe.
class TrackLevels {
public:
    /// Returns a block, which is valid as long as the levels; empty: damaged.
    using BlockOf = std::function<Bytes(std::uint32_t block)>;

    /// Errors: malformed; unsupported (version).
    static Result<TrackLevels> open(Bytes head, BlockOf block_of);

    const std::vector<Track>& tracks() const noexcept { return tracks_; }

    /// By level, then by time. Those of each level follow each other without a gap.
    const std::vector<TrackSpan>& spans() const noexcept { return spans_; }

    /// The times of the first and of the last event. Raw.
    const Interval& range() const noexcept { return range_; }

    /// Sources that the trace does not contain.
    const std::vector<std::string>& missing() const noexcept { return missing_; }

    using Wants = FunctionRef<bool(std::uint32_t track)>;

    /// Adds the pieces of a span, whose bins are not longer than those of the sums. False: damaged.
    bool add_span(const TrackSpan& span, Wants wants, TrackSums& to) const;

    /// Shows the intervals of no span. False: damaged.
    bool show_long(Wants wants, FunctionRef<void(const LongInterval&)> show) const;

private:
    /// Of a processor, a state is the number of a track.
    bool has_state(std::uint32_t track, std::uint32_t state) const noexcept;

    std::vector<Track> tracks_;
    std::vector<TrackSpan> spans_;
    std::vector<std::byte> long_;
    BlockOf block_of_;
    std::vector<std::string> missing_;
    Interval range_;
};

} // namespace etl::analysis
