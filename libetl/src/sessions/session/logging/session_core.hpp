// SessionCore: one slot for a session, as long as the runtime lives. Writers reach it by enable
// slots. Its first part is read by writers at any moment; the rest belongs to controllers, under
// the runtime's mutex. docs/session-internals.md#slots
#pragma once

#include "session/buffers/buffers.hpp"
#include "session/live/live_queue.hpp"
#include "session/logging/log_path.hpp"
#include "session/logging/logger.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace etl::session {

struct SessionCore {
    // Read by writers. Valid while a reservation with the session's ticket succeeds.
    Buffers buffers;
    std::atomic<std::uint32_t> mode{0};     // adopted
    std::atomic<std::uint32_t> owner{0};    // user ID, of a machine session
    std::atomic<std::uint32_t> sequence{0}; // USE_LOCAL_SEQUENCE
    std::atomic<std::uint64_t> bit{0}; // EnableNotification::session_bit; 0: there are too many
    std::atomic<std::uint32_t> open_ticket{0}; // ticket + 1 while it runs
    std::uint16_t id = 0;                      // logger id; private ones behind the others. Fixed

    // Under the runtime's mutex.
    enum class Phase : std::uint8_t {
        free,
        starting,
        running,
        ending, // by itself: nobody finds it any more
        stopping,
    };

    Phase phase = Phase::free;
    std::uint16_t ticket = 0; // of Buffers::open
    std::uint32_t number = 0; // Session's: which of all sessions of the runtime
    SessionOptions options;   // adopted
    std::u16string name;      // folded
    LogPath path;             // what it writes; of a ring that is being stopped, too
    LogPath path_aside;       // what it writes as well for now: goes over to it, or a ring's copy
    std::optional<Status> ended_with; // by itself, while it was starting or afterwards
    std::thread ending;               // that stops it then
    std::thread::id busy;             // who starts it, or stops it

    // How many hold it, including the thread that stops it after the last of the others.
    std::atomic<std::uint32_t> holds{0};
    std::mutex control;                  // one that changes it at a time
    std::atomic<std::uint32_t> freed{0}; // grows when it is free again
    std::unique_ptr<Logger> logger;      // comes and goes under the runtime's mutex
    LiveQueue live;
};

/// A session to those who enable providers for it.
struct SessionRef {
    SessionCore* core = nullptr;
    std::uint16_t ticket = 0;

    friend bool operator==(const SessionRef&, const SessionRef&) = default;
};

} // namespace etl::session
