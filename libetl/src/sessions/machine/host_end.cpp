// The end of a host: its sessions first, whatever clients and files do.
#include "host/process.hpp"
#include "machine/host_state.hpp"
#include "session/control/runtime_state.hpp"

#include <algorithm>
#include <exception>
#include <thread>

namespace etl::machine {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds for_events{2000}; // written until now, into the sessions
constexpr std::chrono::milliseconds for_all{4500};
constexpr std::chrono::milliseconds for_consumers{200};
constexpr std::chrono::milliseconds pause{2};

} // namespace

void Host::State::begin_end() noexcept {
    is_stopping_ = true;
    log_.close();
    for (const ControllerThread& controller : controllers_) {
        controller.socket.shut_down();
    }
}

/// When it returns, every file that takes writes is complete. Others are named.
void Host::State::end_sessions() noexcept {
    const auto deadline = Clock::now() + for_all;
    begin_end();
    end_links();
    drain_->settle_until(Clock::now() + for_events);
    for (bool is_done = false; !is_done && Clock::now() < deadline;) {
        try {
            is_done = go_on_ending();
        } catch (const std::exception&) {
            // Of memory or a thread: others that end give theirs back.
        }
        std::this_thread::sleep_for(is_done ? std::chrono::milliseconds{0} : pause);
    }
    deliveries_.wait_until(std::min(deadline, Clock::now() + for_consumers));
    for (const Ending& ending : endings_) {
        if (!ending.is_done && options_.report) {
            options_.report(printable(ending.text));
        }
    }
}

/// Programs see one end, not that of each session. The drain takes what they have written.
void Host::State::end_links() noexcept {
    for (const auto& [tag, link] : links_) {
        link->socket().shut_down();
        link->end();
    }
}

/// Starts the end of each session in a thread of its own: one that hangs delays no other. True: all
/// sessions have ended.
bool Host::State::go_on_ending() {
    session::Runtime::State& runtime = runtime_.state();
    std::list<Ending> found;
    {
        const std::lock_guard lock(runtime.mutex);
        runtime.for_each_core([&](session::SessionCore& core) {
            const auto is_its = [&](const Ending& one) {
                return one.core == &core && !one.is_done;
            };
            if (std::ranges::none_of(endings_, is_its)) {
                Ending& ending = found.emplace_back();
                ending.core = &core;
                ending.text = "session " + core.options.name + " of user " +
                              std::to_string(core.options.owner) + ": " + core.options.file +
                              " takes no writes; repair it with `etl repair`";
            }
        });
    }
    while (!found.empty()) {
        Ending& ending = found.front();
        ending.thread = std::thread([&ending, &runtime] {
            host::become_helper_thread("etl-end");
            try {
                runtime.stop_or_wait(*ending.core);
            } catch (const std::exception&) { // NOLINT(bugprone-empty-catch): tried again
            }
            ending.is_done = true;
        });
        endings_.splice(endings_.end(), found, found.begin());
    }
    return std::ranges::all_of(endings_, [](const Ending& one) { return one.is_done.load(); });
}

} // namespace etl::machine
