// Edits: objects that pass, change, drop, or add events between a source and a writer.
//     DropEvents quiet([](const flow::Event& e) { return read_header(e).level > 4; });
//     EditedSource edited(reader, quiet);
//     io::AtomicFiles files; // the output may have the name of the input
//     auto writer = trace::Writer::create(
//         "quiet.etl", {.recording = trace::relogged(reader.info()), .files = &files});
//     trace::copy(edited, **writer);
//     (*writer)->close();
//     files.commit();
#pragma once

#include <etl/relog.hpp>

#include "flow/source.hpp"
#include "trace/recording.hpp"

#include <functional>
#include <memory>

namespace etl::relog {

/// An edit of events. Not thread-safe; may keep state between calls.
class Edit {
public:
    virtual ~Edit() = default;
    virtual void edit(const flow::Event& event, Output& to) = 0;

    /// Called after the last event. `last` is the last event passed to edit(), or null.
    virtual void finish(const flow::Event* /*last*/, Output& /*to*/) {}
};

/// A source that applies an edit to the events of another source. Unchanged events are returned in
/// upstream runs or parts of them; drafts are copied to memory that is reused. The edit, the
/// upstream, and the traces of all events, including those set with Draft::set_trace, must outlive
/// this object. The upstream must not pause (flow::Source::is_paused). Not thread-safe; pins may be
/// released on any thread.
class EditedSource final : public flow::Source {
public:
    EditedSource(flow::Source& upstream, Edit& edit);
    ~EditedSource() override;

    flow::Run next_run() override;
    flow::Pin pin() const override;
    const Error* error() const noexcept override;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// An edit defined by a function.
class FunctionEdit final : public Edit {
public:
    using Function = std::function<void(const flow::Event& event, Output& to)>;

    explicit FunctionEdit(Function function) : function_(std::move(function)) {}

    void edit(const flow::Event& event, Output& to) override { function_(event, to); }

private:
    Function function_;
};

/// Shifts all events by `ticks` of 100 ns. With a tick-counting clock, timestamps are unchanged and
/// the start time of the trace is shifted, because payloads contain timestamps of that clock as
/// well. With FILETIME timestamps, the timestamps are changed, including those by which stacks
/// refer to events. A record without a timestamp moves with the previous record; a time of 0 is not
/// a time and is kept. Other times in payloads are unchanged (docs/relogging.md#time-offset). In
/// both cases, apply shift() to the writer's recording. Not thread-safe; owns the traces of its
/// events and must outlive them.
class TimeShift final : public Edit {
public:
    explicit TimeShift(std::int64_t ticks);
    ~TimeShift() override;

    void edit(const flow::Event& event, Output& to) override;

    /// Returns the recording for a trace whose events are all shifted: StartTime, EndTime, and
    /// BootTime are shifted as well.
    trace::Recording shift(trace::Recording recording) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Keeps the first of every `every` events of each kind (provider or class, and ID or type; for
/// TraceLogging, the metadata). Context events (flow/context.hpp) are kept without being counted;
/// stacks follow their events. Deterministic.
class Downsampler final : public Edit {
public:
    /// 0 is treated as 1: all events are kept.
    explicit Downsampler(std::uint32_t every);
    ~Downsampler() override;

    void edit(const flow::Event& event, Output& to) override;

    /// Returns whether an event is kept, for callers that handle stacks themselves
    /// (relog/context_filter.hpp). Counts the event, so call it once per event. True for context
    /// events; false for stacks, which are not counted.
    bool keeps(const flow::Event& event);

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace etl::relog
