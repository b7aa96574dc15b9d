// SessionCore: one slot for a session, as long as the runtime lives. Writers reach it by enable
// slots. Its first part is read by writers at any moment; the rest belongs to controllers, under
// the runtime's mutex. docs/session-internals.md#slots
#pragma once

#include "session/buffers.hpp"
#include "session/live_queue.hpp"
#include "session/logger.hpp"

#include <atomic>
#include <cstdint>
#include <memory>

namespace etl::session {

struct SessionCore {
    // Read by writers. Valid while a reservation with the session's ticket succeeds.
    Buffers buffers;
    std::atomic<std::uint32_t> mode{0};     // adopted
    std::atomic<std::uint32_t> sequence{0}; // USE_LOCAL_SEQUENCE
    std::uint16_t id = 0;                   // logger id; of private ones 65 and on
    std::uint64_t bit = 0;                  // EnableNotice::session_bit

    // Under the runtime's mutex.
    enum class Phase : std::uint8_t { free, starting, running, stopping };
    Phase phase = Phase::free;
    std::uint16_t ticket = 0; // of Buffers::open
    SessionOptions options;   // adopted
    std::unique_ptr<Logger> logger;
    LiveQueue live;
};

/// A session to those who enable providers for it.
struct SessionRef {
    SessionCore* core = nullptr;
    std::uint16_t ticket = 0;

    friend bool operator==(const SessionRef&, const SessionRef&) = default;
};

} // namespace etl::session
