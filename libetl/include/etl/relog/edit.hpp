// Edits as values: what becomes of each event on its way from a source to a writer.
//     DropEvents quiet([](const flow::Event& e) { return read_header(e).level > 4; });
//     EditedSource edited(reader, quiet);
//     io::AtomicFiles files; // the output may bear the name of the input
//     auto writer = trace::Writer::create(
//         "quiet.etl", {.recording = trace::relogged(reader.info()), .files = &files});
//     trace::copy(edited, **writer);
//     (*writer)->close();
//     files.commit();
#pragma once

#include <etl/flow/source.hpp>
#include <etl/relog/draft.hpp>
#include <etl/trace/recording.hpp>

#include <functional>
#include <memory>

namespace etl::relog {

/// Takes what an edit makes of an event. Nothing is copied by itself: an event that is not given on
/// does not exist any more.
class Output {
public:
    virtual ~Output() = default;
    /// The event that edit() was called with, as it is. Nothing is copied.
    virtual void pass() = 0;
    /// A copy of the draft as it is now; the draft may be used again at once. One whose time is
    /// still to come waits until the source has got there, so that the output stays in order (up to
    /// limits::waiting_drafts bytes of them; then the earliest goes out early).
    virtual void emit(const Draft& draft) = 0;

    /// A copy of the draft here and now, whatever its time: for edits that move all events alike.
    virtual void emit_now(const Draft& draft) { emit(draft); }
};

/// What becomes of events. One thread; may keep state between calls.
class Edit {
public:
    virtual ~Edit() = default;
    virtual void edit(const flow::Event& event, Output& to) = 0;

    /// After the last event. `last` is the last that edit() saw, null when there was none.
    virtual void finish(const flow::Event* /*last*/, Output& /*to*/) {}
};

/// A source whose events have gone through an edit. What passes as it is comes out in runs of the
/// upstream, or parts of them; drafts lie in memory of the source's own, which is used again.
/// The edit and the upstream outlive it, with the traces of its events: a draft that waits is of
/// one of them, or of one it was given (Draft::set_trace). The upstream does not pause
/// (flow::Source::is_paused). One thread; pins may be let go of on any.
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

/// An edit that is a function.
class FunctionEdit final : public Edit {
public:
    using Function = std::function<void(const flow::Event& event, Output& to)>;

    explicit FunctionEdit(Function function) : function_(std::move(function)) {}

    void edit(const flow::Event& event, Output& to) override { function_(event, to); }

private:
    Function function_;
};

/// Moves all events by `ticks` of 100 ns. Where a clock counts ticks their time stamps stay, and
/// the trace that they belong to begins at another time: payloads hold stamps of that clock, too.
/// Where raw time stamps are FILETIMEs they are changed, and those by which stacks find their
/// events; what has no stamp moves with the record before it, 0 is no time and stays; other times
/// in payloads are left as they are (docs/relogging.md#time-offset). Either way shift() is what the
/// writer's recording needs. One thread; outlives its events, whose traces it owns.
class TimeShift final : public Edit {
public:
    explicit TimeShift(std::int64_t ticks);
    ~TimeShift() override;

    void edit(const flow::Event& event, Output& to) override;

    /// The recording of a trace all of whose events are shifted: StartTime, EndTime and BootTime go
    /// with them.
    trace::Recording shift(trace::Recording recording) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Keeps one of every `every` events of each kind (provider or class, and id or type; TraceLogging:
/// its metadata), the first of them always; context (flow/context.hpp) is not counted but kept, and
/// stacks go with their events. The same events give the same ones.
class Downsampler final : public Edit {
public:
    /// 0 is 1: all are kept.
    explicit Downsampler(std::uint32_t every);
    ~Downsampler() override;

    void edit(const flow::Event& event, Output& to) override;

    /// Whether an event is kept, for who decides on stacks himself (relog/keep_context.hpp): asked
    /// once for each, counts. Context is kept, stacks of events are not counted and not kept.
    bool keeps(const flow::Event& event);

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace etl::relog
