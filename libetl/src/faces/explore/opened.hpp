// Opened traces, and what questions have found out about them. Private to explore.
#pragma once

#include "dataset/dataset.hpp"
#include "explore/explorer.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>

namespace etl::explore {

/// What questions of all kinds need.
dataset::Needs usual_needs();

/// A question under way: the traces as if opened for it alone.
struct Asked {
    std::unique_ptr<dataset::Messages> messages; // that the options of `traces` refer to
    dataset::Dataset traces;
    dataset::Filters filters;
};

/// Whether Selection::processes selects events, or the table of the question does it.
enum class ProcessFilter : bool { table, events };

/// Thread-safe.
class OpenedTraces {
public:
    explicit OpenedTraces(dataset::Dataset traces);

    /// The traces for a question about `selection`, which reads what all questions need first,
    /// once. Errors: those of Dataset::filters() and context(); stopped.
    std::expected<Asked, TraceError> ask(const Selection& selection, const Stop* stop,
                                         ProcessFilter processes);

    /// Makes a question begin with what is known of a window.
    void recall(Asked& asked, const flow::TimeFilter::Window& window) const;

    /// Keeps what a question has found for others about the same window, if it is small.
    void keep(const Asked& asked);

    bool is_indexed() const noexcept { return is_indexed_; }

    /// Nothing is read from it.
    const dataset::Dataset& traces() const noexcept { return traces_; }

private:
    std::expected<void, TraceError> prepare(const Asked& asked);

    dataset::Dataset traces_;
    bool is_indexed_ = false;
    mutable std::mutex mutex_; // of what follows
    std::condition_variable prepared_;
    bool is_preparing_ = false;
    std::optional<dataset::Known> known_;   // what no window limits; none: not yet
    std::deque<dataset::Known> of_windows_; // the newest first
};

/// Returns the error of a question that was stopped.
TraceError stopped_error();

inline bool is_stopped(const Stop* stop) noexcept {
    return stop != nullptr && stop->is_requested();
}

/// Returns a text in quotes, for an expression.
std::string quoted(const std::string& text);

/// Returns an error about a member of a question.
std::unexpected<TraceError> wrong(ErrorCode code, std::string about, std::string detail);

/// Errors: invalid_option, if there are more than max_rows.
std::expected<void, TraceError> check_count(std::uint64_t rows);

} // namespace etl::explore
