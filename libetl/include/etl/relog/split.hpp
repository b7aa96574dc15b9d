// One trace into several: each event goes to the part that its key names. docs/split.md
#pragma once

#include <etl/base/result.hpp>
#include <etl/flow/source.hpp>
#include <etl/trace/writer.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace etl::relog {

enum class SplitBy : std::uint8_t { size, time, count, provider, process, processor };

/// Where context (flow/context.hpp) goes: what events of all parts need to be understood.
enum class SplitContext : std::uint8_t {
    copied, // into every part, and stacks to their events
    shared, // into a file of its own, that of number 0; stacks to their events
    none,   // every event is in one part, the one that its own key names
};

/// What the first pass of a split has counted.
struct SplitForecast {
    std::size_t parts = 0;
    std::uint64_t context_events = 0;
    std::uint64_t context_bytes = 0; // of records, padded, in each file that holds them
};

struct SplitOptions {
    SplitBy by = SplitBy::size;
    /// size: bytes of records, padded; time: of 100 ns; count: events. Context aside, unless it is
    /// SplitContext::none; stacks of the last events come on top. At least 1.
    std::uint64_t limit = 0;
    SplitContext context = SplitContext::copied;
    /// For SplitBy::process: the process that an event is about, flow::no_id if there is none or it
    /// is not known (facts::Attributor). Always the same for the same event. Empty: the process
    /// that the header names.
    std::function<std::uint32_t(const flow::Event& event)> process_of;
    /// Of each part. Parts may replace the trace itself with io::AtomicFiles only: see
    /// trace::WriterOptions::files. Its recording is that of the whole, and windows of time begin
    /// with its StartTime. Buffers are at most as large as it says, unless a record is larger, and
    /// smaller where a part is small.
    trace::WriterOptions writer;
    /// Called once, before anything is written. May be empty.
    std::function<void(const SplitForecast& forecast)> planned;
    /// Told now and then which pass this is, counted from 1, of how many (0: not known yet), and
    /// the newest event; false stops. May be empty.
    std::function<bool(unsigned pass, unsigned passes, const flow::Event& newest)> progress;
};

/// What the events of a part have in common.
struct PartKey {
    struct Window {
        Filetime from, to; // to: not included

        bool operator==(const Window&) const = default;
    };

    struct Range {
        std::uint64_t first = 0, last = 0; // counted from 1, in the order of time

        bool operator==(const Range&) const = default;
    };

    struct Processor {
        std::uint16_t number = 0;

        bool operator==(const Processor&) const = default;
    };

    struct Process {
        std::uint32_t id = 0; // flow::no_id: events about no process, or about an unknown one

        bool operator==(const Process&) const = default;
    };

    /// Nothing (monostate): context alone, of all parts or of a trace that has nothing else.
    std::variant<std::monostate, Window, Range, Guid, Process, Processor> value;

    bool operator==(const PartKey&) const = default;
};

/// One file that was made.
struct Part {
    std::string path;
    PartKey key;
    std::uint64_t events = 0;  // of its own
    std::uint64_t context = 0; // events that other parts have or need as well
    std::string context_path;  // of the file that holds its context; empty: none but itself
    std::uint64_t lost = 0;    // that no buffer could hold: neither among events nor context
    std::uint64_t bytes = 0;   // of the file
    std::uint64_t own_record_bytes = 0, context_record_bytes = 0; // padded, before any compression
};

using OpenSource = std::function<Result<std::unique_ptr<flow::Source>>()>;

/// `open` makes the source anew, in the order of time and always with the same events: a first pass
/// counts, further ones write, as many parts at a time as limits allow. `pattern` has one `%d`,
/// which counts from 1, and from 0 if there is a file of shared context: in the order of time, of
/// numbers, or of the first event (providers). Parts without an event of their own are not made.
/// What the session lost stands in the first file only.
/// Errors: invalid_option (the pattern, the limit), limit (limits::split_parts), malformed (`open`
/// made another source than before), io_failure (and other failures of writing: the first), those
/// of the source and of Writer.
Result<std::vector<Part>> split(const OpenSource& open, const std::string& pattern,
                                const SplitOptions& options);

} // namespace etl::relog
