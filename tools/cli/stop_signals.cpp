#include "cli/stop_signals.hpp"

#include <array>
#include <csignal>

namespace cli {

namespace {

std::atomic<bool> is_received{false}; // handlers of signals reach nothing else
static_assert(std::atomic<bool>::is_always_lock_free);

constexpr std::array<int, 2> stops{SIGINT, SIGTERM};

extern "C" void on_stop(int signal) {
    is_received.store(true, std::memory_order_relaxed);
    std::signal(signal, SIG_DFL);
}

} // namespace

StopSignals::StopSignals() noexcept {
    is_received = false;
    for (const int signal : stops) {
        if (std::signal(signal, on_stop) == SIG_IGN) {
            std::signal(signal, SIG_IGN);
        }
    }
}

StopSignals::~StopSignals() {
    for (const int signal : stops) {
        if (std::signal(signal, SIG_DFL) == SIG_IGN) {
            std::signal(signal, SIG_IGN);
        }
    }
}

const std::atomic<bool>& StopSignals::received() const noexcept {
    return is_received;
}

} // namespace cli
