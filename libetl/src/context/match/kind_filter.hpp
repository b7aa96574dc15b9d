// Filters for events by what all events of their kind share: for the events of buffers that are
// read, and for buffers that need not be read.
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

/// Asks of kinds of events, each by one of them, whether a condition can match any event of it. Not
/// thread-safe.
class KindTest {
public:
    /// `inputs` are those of a Matcher for the events; facts are not needed.
    KindTest(const Condition& condition, const MatcherInputs& inputs);
    ~KindTest();
    KindTest(const KindTest&) = delete;
    KindTest& operator=(const KindTest&) = delete;

    /// Returns false only if no event matches that has the header of this one, except for process,
    /// thread, and time, and that decode::KindNumbers does not tell from it.
    bool may_match(const flow::Event& event);

private:
    struct State;

    std::unique_ptr<State> state_;
};

} // namespace etl::match
