// A filter that keeps a trace decodable: it keeps the selected events, context events, and the
// stacks of kept events. docs/relog.md#context
#pragma once

#include "flow/context.hpp"
#include "flow/source.hpp"

#include <functional>
#include <memory>

namespace etl::relog {

/// Passes on the events for which `kept` is true, their stacks (also those that the .NET runtime
/// logs as events), and all context events except stack definitions that no kept event uses. The
/// upstream must be in time order, in which a stack follows its event, and must not pause
/// (flow::Source::is_paused). `kept` is called once for every event, including context events and
/// stacks, so it can count. Memory for stacks is bounded: for events further back than
/// limits::kept_timestamps, surplus stacks may be kept, but none are lost. Not thread-safe.
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
