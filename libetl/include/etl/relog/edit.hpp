// Edits as values: what becomes of each event on its way from a source to a writer.
//     DropEvents quiet([](const flow::Event& e) { return read_header(e).level > 4; });
//     EditedSource edited(reader, quiet);
//     trace::copy(edited, writer);
#pragma once

#include <etl/flow/source.hpp>
#include <etl/relog/draft.hpp>

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
    virtual void give(const Draft& draft) = 0;
};

/// What becomes of events. One thread; may keep state between calls.
class Edit {
public:
    virtual ~Edit() = default;
    virtual void edit(const flow::Event& event, Output& to) = 0;

    /// After the last event. `last` is the last that edit() saw, null when there was none.
    virtual void finish(const flow::Event* /*last*/, Output& /*to*/) {}
};

/// A source whose events have gone through an edit. The edit and the upstream outlive it.
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
class EditWith final : public Edit {
public:
    using Function = std::function<void(const flow::Event& event, Output& to)>;

    explicit EditWith(Function function) : function_(std::move(function)) {}

    void edit(const flow::Event& event, Output& to) override { function_(event, to); }

private:
    Function function_;
};

/// Adds `ticks` of 100 ns to all time stamps, in the clock of each trace. What times payloads hold
/// is left as it is (docs/relog.md#time-offset).
class ShiftTime final : public Edit {
public:
    explicit ShiftTime(std::int64_t ticks) noexcept : ticks_(ticks) {}

    void edit(const flow::Event& event, Output& to) override;

private:
    std::int64_t ticks_;
    Draft draft_;
};

/// Keeps one of every `every` events of each kind (provider or class, and id or type), the first of
/// them always; context (flow/context.hpp) is not counted but kept.
class Downsample final : public Edit {
public:
    explicit Downsample(std::uint32_t every);
    ~Downsample() override;

    void edit(const flow::Event& event, Output& to) override;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace etl::relog
