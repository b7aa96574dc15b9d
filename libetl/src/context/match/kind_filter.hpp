// A filter for events by what all events of their kind share, while buffers are read.
// docs/filters.md#evaluation-order
#pragma once

#include "match/matcher.hpp"

#include <memory>

namespace etl::match {

/// Rejects events that a condition cannot match, whatever their header and payload. Does not need a
/// condition yet when it is made: it is part of ReaderOptions::select, and schemas become known
/// after the traces are open. Thread-safe, except for start().
class KindFilter {
public:
    KindFilter();
    ~KindFilter();
    KindFilter(const KindFilter&) = delete;
    KindFilter& operator=(const KindFilter&) = delete;

    /// From here on events are rejected. Conditions on fields, messages, or processes are not used:
    /// all events may match them. Call before the events are read.
    void start(const Condition& condition, const MatcherInputs& inputs);

    /// Returns false only for events that do not match. While most events pass, most are not
    /// tested: whatever tests them later finds their kinds again.
    bool may_match(const flow::Event& event);

private:
    struct State;

    std::unique_ptr<State> state_;
};

} // namespace etl::match
