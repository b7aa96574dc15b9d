// ClassGuids: classes of events that classic providers register (TRACE_GUID_REGISTRATION), by the
// handles that TraceEventInstance names them with. Numbers, not addresses: a foreign one is found
// out. Kept for ever. Any thread; looking up takes no lock.
#pragma once

#include "base/guid.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>

namespace etl::compat {

struct ClassGuid {
    Guid guid;
    std::atomic<std::uint32_t> instances{0}; // made by CreateTraceInstanceId
};

class ClassGuids {
public:
    /// Never 0 but where all are used up. The same GUID has the same handle.
    std::uintptr_t add(const Guid& guid);

    /// Null: none.
    ClassGuid* find(std::uintptr_t handle) noexcept {
        return handle == 0 || handle > places_.size()
                   ? nullptr
                   : places_[handle - 1].load(std::memory_order_acquire);
    }

    /// Around a fork: nobody else is in the middle of anything.
    void lock() { mutex_.lock(); }

    void unlock() { mutex_.unlock(); }

private:
    static constexpr std::size_t most = 0x1000;

    std::mutex mutex_;
    std::deque<ClassGuid> owned_;
    std::array<std::atomic<ClassGuid*>, most> places_{};
};

} // namespace etl::compat
