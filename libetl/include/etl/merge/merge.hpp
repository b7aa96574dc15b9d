// Several traces as one: one header, one clock, the events in the order of time.
//     auto merged = etl::merge::Merged::create(inputs);
//     io::AtomicFiles files;                       // "out.etl" may be one of the inputs
//     trace::WriterOptions options = (*merged)->writer_options();
//     options.files = &files;
//     auto writer = trace::Writer::create("out.etl", options);
//     trace::copy(**merged, **writer);
//     (*writer)->close();
//     files.commit();
// docs/merge.md
#pragma once

#include <etl/base/result.hpp>
#include <etl/flow/source.hpp>
#include <etl/merge/correlate.hpp>
#include <etl/trace/writer.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace etl::merge {

/// When the events of a trace begin, raw.
struct Beginning {
    std::int64_t first = 0;                  // the least time stamp, that of the header included
    std::optional<std::int64_t> first_event; // behind the header buffer; none: there is no event
};

/// Reads a source, in the order of time, up to its first event behind the header buffer. Errors:
/// the source's.
Result<Beginning> beginning_of(flow::Source& source);

/// One trace. `open` makes its source, in the order of time, when the merge gets there; the merge
/// lets go of it at its end, so that thousands of traces need no more memory than those that
/// overlap.
struct Input {
    std::shared_ptr<const flow::TraceInfo> trace;
    /// Called once, or never when the merge is given up before.
    std::function<Result<std::unique_ptr<flow::Source>>()> open;
    /// beginning_of(a source of it); Align::first_event asks for it. When it must be open at the
    /// latest. None: when the merge gets to the time of its header record, which hardly any event
    /// comes before; one that does is late in the output.
    std::optional<Beginning> beginning = std::nullopt;
};

/// What becomes of time stamps.
enum class Timestamps : std::uint8_t {
    keep,        // raw, as Windows does; the traces must fit together (correlate)
    system_time, // all become FILETIME: traces of any boots, machines and clocks
};

/// What the time of each trace is moved by, with Stamps::system_time.
enum class Align : std::uint8_t {
    none,        // their clocks were right
    start,       // all begin when the first one, as given, began
    first_event, // the first events behind the header buffers meet that of the first one; needs
                 // Input::begins of all
};

/// What the inputs are to each other.
enum class Relation : std::uint8_t {
    /// Recorded side by side, or on several machines, whose processors are then kept apart:
    /// docs/merge.md#machines.
    sessions,
    /// Files of one session on one machine, one after the other: it keeps its name, and its header
    /// counts what was lost since the boot (docs/format/writing.md#modes).
    series,
};

struct Options {
    Timestamps timestamps = Timestamps::keep;
    Align align = Align::none;
    Relation relation = Relation::sessions;
    std::vector<std::int64_t> offsets{}; // by input, of 100 ns, on top of that; missing ones: 0
    /// Buffers keep the number of their input, from 1, as LoggerId, and an event at the beginning
    /// says which input that is: see docs/merge.md#sources. The writer has to keep_logger_ids, as
    /// writer_options() says; one that does not loses all origins.
    bool tag_sources = false;
};

/// event.trace() of what it gave lives as long as this, also when the source it came from is gone:
/// Input::trace, or what became of it with system_time; info() for events about sources.
class MergedSource final : public flow::Source {
public:
    /// Errors: invalid_option (no inputs; alignment or offsets without system_time; an input whose
    /// beginning is needed and not given), unsupported
    /// (they do not fit: ask correlate() why; with system_time: a trace without a header, whose
    /// clock nobody knows), limit (more processors than limits::processors; more sources to tag
    /// than LoggerId can count).
    static Result<std::unique_ptr<MergedSource>> create(std::vector<Input> inputs,
                                                        const Options& options = {});
    ~MergedSource() override;

    /// What the output's header says: as relogged() of the trace that began first, with the latest
    /// end, all losses, and the processors of all. docs/merge.md#header
    trace::Recording recording() const;

    /// How a writer writes this: recording(), and keep_logger_ids with Options::tag_sources. How
    /// the file is packed and made is the caller's to add; with io::AtomicFiles it may replace an
    /// input.
    trace::WriterOptions writer_options() const;

    /// The output as a trace: for events that somebody adds. Lives as long as this.
    const flow::TraceInfo& info() const noexcept;

    /// Context that several inputs hold, byte for byte, on the same processor at the same time, is
    /// given once: parts of one trace become that trace again. So many were left out.
    std::uint64_t repeated_context() const noexcept;

    /// Events lie in memory of this, their records too where they are converted (system_time);
    /// their buffers tell where they were.
    flow::Run next_run() override;
    flow::Pin pin() const override;

    /// The first failure of an input, to open or to read on. The others go on to their ends.
    const Error* error() const noexcept override;

private:
    struct State;
    explicit MergedSource(std::unique_ptr<State> state) noexcept;
    std::unique_ptr<State> state_;
};

} // namespace etl::merge
