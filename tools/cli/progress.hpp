// Progress of long-running verbs: options, and the progress that an event implies.
#pragma once

#include "cli/console.hpp"
#include "cli/verb.hpp"
#include "flow/event.hpp"

#include <algorithm>
#include <cstdint>
#include <mutex>

namespace cli {

/// --progress and --no-progress. `to` must outlive `verb`.
inline void add_progress(Verb& verb, ProgressBar::Mode& to) {
    verb.add_flag_callback(
        "--progress", [&to] { to = ProgressBar::Mode::always; },
        "show the progress bar even if the output goes to the terminal");
    verb.add_flag_callback(
        "--no-progress", [&to] { to = ProgressBar::Mode::never; }, "hide the progress bar");
}

/// By the file offset of the buffer of the newest event: 0 to 1.
inline double fraction_by_place(const etl::flow::Event& newest) noexcept {
    return static_cast<double>(newest.buffer->where.value) /
           static_cast<double>(newest.trace().file_size);
}

/// By the time of the newest event in an interval: 0 to 1.
inline double fraction_by_time(etl::Filetime start, etl::Filetime end,
                               const etl::flow::Event& newest) noexcept {
    const auto from = static_cast<double>(start.ticks);
    const double length = static_cast<double>(end.ticks) - from;
    const double gone = static_cast<double>(newest.time().ticks) - from;
    return length > 0 ? std::clamp(gone / length, 0.0, 1.0) : 0;
}

/// Progress of passes over the buffers of traces, from all threads.
class PassProgress {
public:
    PassProgress(ProgressBar::Mode mode, std::uint64_t buffers) : bar_(mode), buffers_(buffers) {}

    /// Counts a completed buffer. Thread-safe.
    void add(std::size_t events) {
        const std::scoped_lock lock(mutex_);
        events_ += events;
        ++done_;
        bar_.show(static_cast<double>(done_) /
                      static_cast<double>(std::max<std::uint64_t>(buffers_, 1)),
                  events_);
    }

private:
    std::mutex mutex_;
    ProgressBar bar_;
    std::uint64_t buffers_; // of all passes
    std::uint64_t done_ = 0, events_ = 0;
};

} // namespace cli
