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

struct SplitOptions {
    SplitBy by = SplitBy::size;
    /// size: bytes of records, padded; time: of 100 ns; count: events. Context aside, if it goes
    /// into every part; stacks of the last events come on top. At least 1.
    std::uint64_t limit = 0;
    /// Context (flow/context.hpp) goes into every part, and stacks to their events; otherwise every
    /// event is in one part, the one that its own key names.
    bool with_context = true;
    /// For SplitBy::process: the process that an event is about, flow::no_id if there is none or it
    /// is not known (facts::Attributor). Always the same for the same event. Empty: the process
    /// that the header names.
    std::function<std::uint32_t(const flow::Event& event)> process_of;
    /// Of each part. Parts may replace the trace itself with io::AtomicFiles only: see
    /// trace::WriterOptions::files. Its recording is that of the whole, and windows of time begin
    /// with its StartTime. Buffers are at most as large as it says, unless a record is larger, and
    /// smaller where a part is small.
    trace::WriterOptions writer;
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

    /// Nothing (monostate): context alone, in a trace that has nothing else.
    std::variant<std::monostate, Window, Range, Guid, Process, Processor> value;

    bool operator==(const PartKey&) const = default;
};

/// One file that was made.
struct Part {
    std::string path;
    PartKey key;
    std::uint64_t events = 0;  // of its own
    std::uint64_t context = 0; // events that are in every part
    std::uint64_t lost = 0;    // that no buffer could hold: neither among events nor context
    std::uint64_t bytes = 0;   // of the file
    std::uint64_t own_record_bytes = 0, context_record_bytes = 0; // padded, before any compression
};

using OpenSource = std::function<Result<std::unique_ptr<flow::Source>>()>;

/// `open` makes the source anew, in the order of time and always with the same events: a first pass
/// counts, further ones write, as many parts at a time as limits allow. `pattern` has one `%d`,
/// which counts from 1: in the order of time, of numbers, or of the first event (providers). Parts
/// without an event of their own are not made. What the session lost stands in the first part only.
/// Errors: invalid_option (the pattern, the limit), limit (limits::split_parts), malformed (`open`
/// made another source than before), io_failure (and other failures of writing: the first), those
/// of the source and of Writer.
Result<std::vector<Part>> split(const OpenSource& open, const std::string& pattern,
                                const SplitOptions& options);

} // namespace etl::relog
