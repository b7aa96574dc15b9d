// Walks back from an instant of a thread through those that it waited for. Private to explore.
// docs/explore.md#follow
#pragma once

#include "explore/thread_histories.hpp"

#include <cstdint>
#include <expected>
#include <string_view>
#include <vector>

namespace etl::explore {

/// A row of an answer.
struct Step {
    std::string_view state;            // running, ready, waiting, unknown, cycle
    analysis::ThreadInterval interval; // with begin and end of the step
    bool has_waker = false;            // it is a wait, or begins when one ended
};

/// Rows of a path at most; what is before them is `unknown`.
inline constexpr std::size_t max_path_steps = 10'000;

/// What a thread did between two times, in the order of time, without gaps. What it waited for is
/// what the thread that ended the wait did meanwhile, and so on. Errors: those of reading.
std::expected<std::vector<Step>, TraceError> critical_path(ThreadHistories& histories,
                                                           const analysis::ThreadId& thread,
                                                           std::int64_t start, std::int64_t end);

/// The wait of a thread, from its end back to its begin: what the one that ended it did meanwhile,
/// to a wait of its own, which is followed in the same way. Errors: those of reading.
std::expected<std::vector<Step>, TraceError> follow_wait(ThreadHistories& histories,
                                                         const analysis::ThreadInterval& wait);

std::string_view name_of(analysis::ThreadInterval::State state) noexcept;

} // namespace etl::explore
