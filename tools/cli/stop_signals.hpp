// Ctrl-C and termination as a request to stop cleanly.
#pragma once

#include <atomic>

namespace cli {

/// While it lives, the first SIGINT or SIGTERM only sets received(); the second one ends the
/// program. Signals that the program ignores stay ignored. One at a time.
class StopSignals {
public:
    StopSignals() noexcept;
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;
    ~StopSignals();

    const std::atomic<bool>& received() const noexcept;
};

} // namespace cli
