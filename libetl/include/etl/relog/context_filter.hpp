// Filtering that leaves a trace readable: what a filter keeps, the context that this needs, and the
// stacks that belong to it. docs/relog.md#context
#pragma once

#include <etl/flow/context.hpp>
#include <etl/flow/source.hpp>

#include <functional>
#include <memory>

namespace etl::relog {

/// Passes on the events that `kept` says, their stacks, and all context but that of stacks nobody
/// kept; in the order of the upstream, which is that of time: a stack comes behind its event.
/// `kept` is asked once for each event, context and stacks too, so that counting is the caller's
/// business. What is remembered for the stacks is bounded; of events longer ago
/// (limits::kept_timestamps) more stacks may be kept than belong to them, never fewer. The upstream
/// does not pause (flow::Source::is_paused). One thread.
class ContextFilter final : public flow::Source {
public:
    using Predicate = std::function<bool(const flow::Event&)>;

    ContextFilter(flow::Source& upstream, Predicate kept);
    ~ContextFilter() override;

    flow::Run next_run() override;
    flow::Pin pin() const override;
    const Error* error() const noexcept override;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace etl::relog
