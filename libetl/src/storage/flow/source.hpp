// The interface between modules: runs of ordered events, and the sources that return them.
#pragma once

#include <etl/error.hpp>

#include "base/function_ref.hpp"
#include "flow/event.hpp"

#include <memory>
#include <span>
#include <vector>

namespace etl::flow {

/// Consecutive events, in order, of one buffer.
using Run = std::span<const Event>;

/// Keeps alive the memory that events point to (a decompressed buffer and its events), provided
/// that the source and its files still exist. Traces (event.trace()) need no pin: all of them live
/// as long as the source that returned the events.
using Pin = std::shared_ptr<const void>;

/// A source of events. Not thread-safe.
class Source {
public:
    virtual ~Source() = default;

    /// Returns the next events in order, at least one; empty at the end or after an error. Valid
    /// until the next call, or while the pin() exists.
    virtual Run next_run() = 0;

    /// Returns a pin that keeps the memory of the last run alive.
    virtual Pin pin() const = 0;

    /// Returns why the source ended early, or null.
    virtual const Error* error() const noexcept = 0;

    /// After next_run() returned an empty run, returns true if no event has arrived yet and the
    /// next call continues, false at the end. Always false for a source that cannot pause.
    virtual bool is_paused() const noexcept { return false; }
};

/// A loop over single events. Waits while the source pauses.
///     EventCursor events(source);
///     while (const Event* event = events.next()) { ... }   // valid until the next call
class EventCursor {
public:
    explicit EventCursor(Source& source) noexcept : source_(&source) {}

    const Event* next() {
        while (at_ == run_.size()) [[unlikely]] {
            run_ = source_->next_run();
            at_ = 0;
            if (run_.empty() && !source_->is_paused()) {
                return nullptr;
            }
        }
        return &run_[at_++];
    }

private:
    Source* source_;
    Run run_;
    std::size_t at_ = 0;
};

} // namespace etl::flow
