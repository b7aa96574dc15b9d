// What the first lines of an input say of the trace to come: a trace says who it is before its
// first event. docs/write.md#header
#pragma once

#include "fromjson/event_line.hpp"
#include "fromjson/line_records.hpp"
#include "fromjson/line_trace.hpp"
#include "trace/recording.hpp"

#include <expected>
#include <unordered_set>
#include <vector>

namespace etl::fromjson {

// The log file header event of a dump: what the trace that is written is to say of itself.
// docs/write.md#header

/// True for the event that every trace begins with.
bool is_logfile_header(const EventLine& line);

/// The recording by a line that is_logfile_header(): by its payload, else by its data; with
/// Prefer::data by its payload and then by what its data say otherwise. What neither says is as of
/// a machine of which nothing is known. `reader` has read the line just now.
LineResult<etl::trace::Recording> recording_of(const EventLine& line, const EventLineReader& reader,
                                               PreferredSource prefer);

struct TracePlan {
    std::optional<etl::trace::Recording> recording; // none: no line was of use so far
    bool has_header = false;                        // it comes from a log file header
    RawTimes raw_times = RawTimes::foreign;
    /// Lines that went into the recording, by number: they are no events any more.
    std::unordered_set<std::uint64_t> used;
};

/// Looks at lines before the output is opened. One thread.
class TracePlanner {
public:
    TracePlanner(EventLineReader& reader, PreferredSource prefer)
        : reader_(&reader), prefer_(prefer) {}

    /// The next line; what is wrong with it is told when it is written.
    void inspect(std::string_view line, std::uint64_t number);

    /// False: what follows the lines so far does not belong to the header buffer any more.
    bool needs_more_lines() const noexcept { return wants_more_; }

    /// The plan by the lines so far. Without a log file header a recording on the system's clock
    /// that begins with the earliest event, or at an unknown time (0) if none has a time. `records`
    /// makes those of the header buffer.
    TracePlan take(LineRecords& records);

private:
    void keep_extra(std::string_view text, std::uint64_t number);

    struct Extra {
        std::string text;
        std::uint64_t number;
    };

    EventLineReader* reader_;
    PreferredSource prefer_;
    TracePlan plan_;
    bool wants_more_ = true;
    bool has_events_ = false;
    std::size_t written_by_hand_ = 0; // lines
    std::optional<etl::Filetime> earliest_;
    std::optional<etl::Filetime> earliest_stored_; // by raw_time, of lines without a time
    std::vector<Extra> extras_;                    // records of the header buffer
    std::size_t extra_bytes_ = 0;
};

} // namespace etl::fromjson
