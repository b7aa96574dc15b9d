// The currency between rooms: runs of ordered events, and who gives, passes on and takes them.
#pragma once

#include <etl/base/function_ref.hpp>
#include <etl/base/result.hpp>
#include <etl/flow/event.hpp>

#include <memory>
#include <span>
#include <vector>

namespace etl::flow {

/// Consecutive events, in order, of one buffer.
using Run = std::span<const Event>;

/// Keeps the memory alive that events point into (a decompressed buffer and its events), as long as
/// the source itself and the files behind it live. The traces that events are of (event.trace())
/// need no pin: they live as long as the source that gave the events, all of them, whatever it
/// reads from and lets go of.
using Pin = std::shared_ptr<const void>;

/// Where events come from. One thread.
class Source {
public:
    virtual ~Source() = default;

    /// The next events in order, at least one; empty at the end, or after an error. Valid until the
    /// next call, or as long as somebody keeps the pin().
    virtual Run next_run() = 0;

    /// Keeps alive what the last run points into.
    virtual Pin pin() const = 0;

    /// Why the source ended early, or null.
    virtual const Error* error() const noexcept = 0;

    /// After next_run() returned an empty run: true if nothing has arrived for now and the next
    /// call continues, false at the end. Always false for a source that cannot pause.
    virtual bool is_paused() const noexcept { return false; }
};

/// The loop for people: one event after another. Waits through the pauses of a source.
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
