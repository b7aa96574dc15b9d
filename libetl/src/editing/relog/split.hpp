// Splitting of a trace: each event goes to the part selected by its key. docs/split.md
#pragma once

#include <etl/error.hpp>
#include <etl/relog.hpp>

#include "flow/source.hpp"
#include "trace/writer.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace etl::relog {

/// The counts of the first pass of a split.
struct SplitForecast {
    std::size_t parts = 0;
    std::uint64_t context_events = 0;
    std::uint64_t context_bytes = 0; // padded size of context records, per file that contains them
};

/// The key shared by the events of a part.
struct PartKey {
    struct Window {
        Filetime from, to; // to: exclusive

        bool operator==(const Window&) const = default;
    };

    struct Range {
        std::uint64_t first = 0, last = 0; // counted from 1, in time order

        bool operator==(const Range&) const = default;
    };

    struct Processor {
        std::uint16_t number = 0;

        bool operator==(const Processor&) const = default;
    };

    struct Process {
        std::uint32_t id = 0;   // flow::no_id: events about no process or an unknown process
        std::uint32_t life = 0; // number by SplitOptions::process_of, of the uses of one ID

        bool operator==(const Process&) const = default;
    };

    /// monostate: context only, of all parts or of a trace without other events.
    std::variant<std::monostate, Window, Range, Guid, Process, Processor> value;

    bool operator==(const PartKey&) const = default;
};

struct SplitOptions {
    SplitBy by = SplitBy::size;
    /// Size of a part. For size: bytes of padded records; for time: units of 100 ns; for count:
    /// events. Excludes context, unless SplitContext::none, and stacks of the last events. At least
    /// 1.
    std::uint64_t limit = 0;
    SplitContext context = SplitContext::copied;
    /// For SplitBy::process: returns the process that an event is about, flow::no_id if none or
    /// unknown (facts::Attributor). Processes with the same ID, one after the other or on several
    /// machines, differ in `life`. Must be deterministic. Empty: the process ID in the header.
    std::function<PartKey::Process(const flow::Event& event)> process_of;
    /// Writer options of each part. Parts may replace the trace itself only with io::AtomicFiles:
    /// see trace::WriterOptions::files. The recording is that of the entire trace; time windows
    /// begin at its StartTime. Buffers have at most the given size, unless a record is larger, and
    /// are smaller for small parts.
    trace::WriterOptions writer;
    /// Called once before anything is written. May be empty.
    std::function<void(const SplitForecast& forecast)> planned;
    /// Called periodically with the pass number (from 1), the number of passes (0: not known yet),
    /// and the newest event. Return false to stop. May be empty.
    std::function<bool(unsigned pass, unsigned passes, const flow::Event& newest)> progress;
};

/// One file created.
struct Part {
    std::string path;
    PartKey key;
    std::uint64_t events = 0;  // events of this part, without context
    std::uint64_t context = 0; // events that other parts contain or need as well
    std::string context_path;  // path of the file with its context; empty: this file
    std::uint64_t lost = 0;    // records too large for a buffer, not counted in events or context
    std::uint64_t bytes = 0;   // size of the file
    std::uint64_t own_record_bytes = 0, context_record_bytes = 0; // padded, before compression
};

using OpenSource = std::function<Result<std::unique_ptr<flow::Source>>()>;

/// Splits a trace. `open` creates a source in time order, each time with the same events: the first
/// pass counts, further passes write as many parts at a time as limits allow. `pattern` contains
/// one `%d`, which counts from 1, or from 0 for a file of shared context, in order of time, number,
/// or first event (providers). Parts without events of their own are not created. The losses of the
/// session are recorded in the first file only. Errors: invalid_option (the pattern, the limit),
/// limit (limits::split_parts), malformed (`open` returned a different source), io_failure (and
/// other write failures: the first), those of the source and of Writer.
Result<std::vector<Part>> split(const OpenSource& open, const std::string& pattern,
                                const SplitOptions& options);

} // namespace etl::relog
