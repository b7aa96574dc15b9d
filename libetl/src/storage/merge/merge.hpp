// Merging of several traces: one header, one clock, and the events in time order.
//     auto merged = etl::merge::MergedSource::create(inputs);
//     io::AtomicFiles files;                       // "out.etl" may be one of the inputs
//     trace::WriterOptions options = (*merged)->writer_options();
//     options.files = &files;
//     auto writer = trace::Writer::create("out.etl", options);
//     trace::copy(**merged, **writer);
//     (*writer)->close();
//     files.commit();
// docs/merge.md
#pragma once

#include <etl/error.hpp>

#include "flow/source.hpp"
#include "merge/correlate.hpp"
#include "trace/writer.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace etl::merge {

/// The raw start times of a trace.
struct Beginning {
    std::int64_t first = 0;                  // lowest timestamp, including the header
    std::optional<std::int64_t> first_event; // first event after the header buffer; none: no event
};

/// Reads a source in time order up to its first event after the header buffer. Errors: those of the
/// source.
Result<Beginning> beginning_of(flow::Source& source);

/// One trace to merge. `open` creates its source, in time order, when the merge reaches its start;
/// the source is released at its end, so that only overlapping traces use memory.
struct Input {
    std::shared_ptr<const flow::TraceInfo> trace;
    /// Called at most once; not at all if the merge ends early.
    std::function<Result<std::unique_ptr<flow::Source>>()> open;
    /// Result of beginning_of(); required by Align::first_event. The trace is opened no later than
    /// this. None: opened at the time of its header record; the rare events before that time are
    /// late in the output.
    std::optional<Beginning> beginning = std::nullopt;
};

/// How timestamps are converted.
enum class Timestamps : std::uint8_t {
    keep,        // keep raw timestamps, as Windows does; the traces must match (correlate)
    system_time, // convert to FILETIME: traces of any boots, machines, and clocks
};

/// How trace times are aligned with Timestamps::system_time.
enum class Align : std::uint8_t {
    none,        // no alignment
    start,       // align the start of each trace with that of the first one given
    first_event, // align the first event after the header buffer with that of the first trace;
                 // requires Input::beginning for all
};

/// The relation between the inputs.
enum class Relation : std::uint8_t {
    /// Recorded concurrently, or on several machines, whose processors are then kept separate:
    /// docs/merge.md#machines.
    sessions,
    /// Successive files of one session on one machine. The session name is kept, and the header
    /// counts the losses since boot (docs/format/writing.md#modes).
    series,
};

struct Options {
    Timestamps timestamps = Timestamps::keep;
    Align align = Align::none;
    Relation relation = Relation::sessions;
    std::vector<std::int64_t> offsets{}; // additional offset per input, in 100 ns; missing: 0
    /// Store the input number (from 1) as the LoggerId of buffers, and add an event at the start
    /// that identifies each input: see docs/merge.md#sources. Requires a writer with
    /// keep_logger_ids (see writer_options()); otherwise origins are lost. Always done with
    /// system_time and several inputs, whose machines and boots could not be told apart otherwise,
    /// and if an input is such a merge, whose inputs are then counted one by one.
    bool tag_sources = false;
    /// Return context events that several inputs contain as often as they do.
    bool keeps_repeated_context = false;
};

/// The merged events. The event.trace() of returned events is valid as long as this object, even
/// after its source is released: it is Input::trace, or its converted form with system_time, or
/// info() for events that describe inputs.
class MergedSource final : public flow::Source {
public:
    /// Errors: invalid_option (no inputs; alignment or offsets without system_time; a required
    /// beginning is missing), unsupported (the traces do not match, see correlate(); with
    /// system_time: a trace without a header, whose clock is unknown), limit (more processors than
    /// etl::limits::processors; more inputs to tag than LoggerId can count).
    static Result<std::unique_ptr<MergedSource>> create(std::vector<Input> inputs,
                                                        const Options& options = {});
    ~MergedSource() override;

    /// Returns the recording for the output: relogged() of the trace that began first, with the
    /// latest end, the total losses, and the processors of all inputs. docs/merge.md#header
    trace::Recording recording() const;

    /// Returns options for writing the output: recording(), and keep_logger_ids if sources are
    /// recorded (Options::tag_sources). The caller adds compression and file options; with
    /// io::AtomicFiles the output may replace an input.
    trace::WriterOptions writer_options() const;

    /// Returns the output as a trace, for added events. Valid as long as this object.
    const flow::TraceInfo& info() const noexcept;

    /// Returns the number of duplicate context events omitted. Context events that are identical,
    /// byte for byte, on the same processor at the same time, are returned once, so that merging
    /// the parts of a trace restores it.
    std::uint64_t repeated_context() const noexcept;

    /// Events are in memory of this object, and so are converted records (system_time); their
    /// buffers contain the original location.
    flow::Run next_run() override;
    flow::Pin pin() const override;

    /// Returns the first failure to open or read an input. The other inputs continue to their ends.
    const Error* error() const noexcept override;

private:
    struct State;
    explicit MergedSource(std::unique_ptr<State> state) noexcept;
    std::unique_ptr<State> state_;
};

} // namespace etl::merge
