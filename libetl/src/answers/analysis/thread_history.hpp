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
#include <span>
#include <string>
#include <vector>

namespace etl::analysis {

/// A thread of a process, as far as that is known.
struct ThreadId {
    std::uint32_t tid = 0;
    std::optional<std::uint32_t> pid{};

    auto operator<=>(const ThreadId&) const = default;
};

/// What ended a wait.
enum class WakerKind : std::uint8_t {
    unknown,
    thread,
    idle,      // a processor without a thread, outside of a recorded DPC
    dpc,       // a DPC of another kind than the following ones
    timer,     // a timer expired
    disk,      // a request of the thread to a disk was completed
    network,   // a DPC of the network
    interrupt, // an interrupt service routine
};

/// Returns `thread`, `DPC`, ...
std::string_view name_of(WakerKind kind) noexcept;

struct ThreadInterval {
    enum class State : std::uint8_t { running, ready, waiting };

    ThreadId thread;
    std::string process; // its name; empty: unknown
    State state = State::running;
    std::int64_t begin = 0, end = 0; // raw; a wait ends when the thread is readied
    bool is_open = false;            // it ends after the window
    // Of a wait:
    std::uint8_t reason = 0; // format::wait_reason_name
    WakerKind kind = WakerKind::unknown;
    std::optional<ThreadId> waker{};      // of kind `thread`
    std::uint64_t routine = 0;            // in which it was ended; 0: unknown
    std::uint64_t file = 0;               // object of the request; 0: unknown
    std::optional<std::int64_t> issued{}; // when the request was, raw
    std::string what{};                   // name of the routine, or of the file; by name_wakers()
};

struct HistoryRequest {
    std::uint32_t input = 1;           // number of the trace, from 1
    std::vector<std::uint32_t> tids{}; // of these threads; empty: all
};

/// Intervals at most.
inline constexpr std::size_t max_history = 200'000;

struct ThreadHistory {
    std::vector<ThreadInterval> intervals; // in the order of their ends
    /// Intervals that end at this time or earlier are missing, since there are too many. Raw.
    std::int64_t missing_until = std::numeric_limits<std::int64_t>::min();
    std::vector<std::string> remarks{}; // what was not recorded
};

/// Returns the intervals that end in the window that the options choose, and what each thread did
/// at its end; those that began before it with their begins. What ended a wait follows from
/// ReadyThread, from DPCs and ISRs, and from disk I/O, as far as these are recorded. Uses up the
/// readers, as table_of() does. Errors: those of table_of(); unsupported (the trace is of several
/// machines or boots).
std::expected<ThreadHistory, TraceError> thread_history(dataset::Dataset& traces,
                                                        const HistoryRequest& request);

/// Sets ThreadInterval::what, and the kind `network`, by routines and file objects. Errors: those
/// of reading.
std::expected<void, TraceError> name_wakers(dataset::Dataset& traces, std::uint32_t input,
                                            std::span<ThreadInterval> waits);

} // namespace etl::analysis
