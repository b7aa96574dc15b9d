// Progress of long-running verbs: options, and the progress that an event implies.
#pragma once

#include "cli/console.hpp"
#include "cli/verb.hpp"
#include "flow/pipeline.hpp"

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

using etl::flow::fraction_by_place;
using etl::flow::fraction_by_time;

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
