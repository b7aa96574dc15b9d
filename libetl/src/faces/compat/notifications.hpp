// Notifications: callbacks for what becomes of sessions, of this process or of the machine. One
// thread, from the first registration on; none in the child of a fork before it registers. Any
// thread. docs/compat.md#notifications
#pragma once

#include <etl/compat/ntetw.h>
#include <etl/session.hpp>

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

namespace etl::compat {

/// The GUID that programs register for sessions.
inline constexpr GUID session_notifications = {
    0x2a6e185b, 0x90de, 0x4fc5, {0x82, 0x6c, 0x9f, 0x44, 0xe6, 0x08, 0xa4, 0x27}};

class Notifications {
public:
    /// Returns a handle. Errors: no_system_resources (no thread), access_denied (by the host of the
    /// machine's sessions, if one runs).
    session::Outcome<REGHANDLE> add(PETW_NOTIFICATION_CALLBACK callback, PVOID context);
    /// Returns the context; nothing if the handle is none.
    std::optional<PVOID> remove(REGHANDLE handle);

    /// Posts an event of this process. Callbacks run in the thread of notifications.
    void post(const session::SessionEvent& event);

    /// Around a fork.
    void lock() { mutex_.lock(); }

    void unlock() { mutex_.unlock(); }

    void forget_in_child() noexcept;

private:
    struct Registered {
        PETW_NOTIFICATION_CALLBACK callback = nullptr;
        PVOID context = nullptr;
    };

    bool begin(std::uint64_t next);
    void run();
    void wait();
    void deliver(const session::SessionEvent& event, bool is_of_machine);

    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<REGHANDLE, Registered> registered_;
    std::deque<session::SessionEvent> posted_;
    REGHANDLE last_ = 0;
    REGHANDLE running_ = 0; // whose callback runs
    std::optional<std::thread::id> thread_;
    std::uint64_t next_ = 0; // of the machine's events
};

} // namespace etl::compat
