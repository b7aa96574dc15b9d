// What threads did in a time window: when each ran, was ready, and waited, and who ended the waits.
// docs/explore.md#follow
//
//     traces.options().from = "+10s"; // and `to`
//     auto history = analysis::thread_history(traces, {.tids = {4242}});
#pragma once

#include "dataset/dataset.hpp"

#include <compare>
#include <cstdint>
#include <expected>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace etl::analysis {

/// A thread of a process, as far as that is known.
struct ThreadId {
    std::uint32_t tid = 0;
    std::optional<std::uint32_t> pid{};

    auto operator<=>(const ThreadId&) const = default;
};

struct ThreadInterval {
    enum class State : std::uint8_t { running, ready, waiting };

    ThreadId thread;
    std::string process; // its name; empty: unknown
    State state = State::running;
    std::int64_t begin = 0, end = 0; // raw; a wait ends when the thread is readied
    // Of a wait:
    std::uint8_t reason = 0;         // format::wait_reason_name
    bool by_dpc = false;             // it was ended in a DPC,
    std::optional<ThreadId> waker{}; // or by this thread; neither: unknown
};

struct HistoryRequest {
    std::uint32_t input = 1;           // number of the trace, from 1
    std::vector<std::uint32_t> tids{}; // of these threads; empty: all
};

/// Intervals at most.
inline constexpr std::size_t max_history = 400'000;

/// Returns the intervals that end in the window that the options choose, in the order of their
/// ends; those that began before it with their begins. An interval that has not ended then is
/// running, and ends with the window. Uses up the readers, as table_of() does. Errors: those of
/// table_of(); limit; unsupported (the trace is of several machines or boots).
std::expected<std::vector<ThreadInterval>, TraceError>
thread_history(dataset::Dataset& traces, const HistoryRequest& request);

} // namespace etl::analysis
