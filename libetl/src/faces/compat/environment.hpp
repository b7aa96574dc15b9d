// Environment: what the functions of the C headers share, where Windows has a kernel: one runtime,
// classes of classic providers, traces that are open. There is one; it is made by the first call
// that needs it and never destroyed, as anybody may still write while the process ends; at exit its
// sessions are stopped. Any thread. docs/compat.md#process
#pragma once

#include <etl/guid.hpp>
#include <etl/machine.hpp>
#include <etl/session.hpp>

#include "compat/notifications.hpp"
#include "compat/open_traces.hpp"
#include "host/process.hpp"
#include "session/control/runtime_state.hpp"
#include "session/providers/registrations.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>

namespace etl::compat {

/// ClassGuids: classes of events that classic providers register (TRACE_GUID_REGISTRATION), by the
/// handles that TraceEventInstance names them with. Numbers, not addresses: a foreign one is found
/// out. Kept for ever. Any thread; looking up takes no lock.
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
    static constexpr std::size_t max = 0x1000;

    std::mutex mutex_;
    std::deque<ClassGuid> owned_;
    std::array<std::atomic<ClassGuid*>, max> places_{};
};

/// Registrations that said that their descriptors' types mean something. No lock.
class TypedRegistrations {
public:
    void add(std::uint64_t handle) noexcept { place(handle).store(handle); }

    void remove(std::uint64_t handle) noexcept {
        place(handle).compare_exchange_strong(handle, 0); // not that of a later one
    }

    bool has(std::uint64_t handle) const noexcept {
        return places_[handle % places_.size()].load(std::memory_order_relaxed) == handle;
    }

private:
    std::atomic<std::uint64_t>& place(std::uint64_t handle) noexcept {
        return places_[handle % places_.size()];
    }

    // The low 16 bits of a handle are a number up to max_registrations.
    std::array<std::atomic<std::uint64_t>, 2 * session::max_registrations> places_{};
};

struct Environment final : host::ForkWatch {
    Notifications notifications;
    session::Runtime runtime{
        {.observer = [this](const session::SessionEvent& event) { notifications.post(event); }}};
    session::Runtime::State& state;
    session::Registrations& registrations;
    TypedRegistrations typed;
    ClassGuids classes;
    OpenTraces traces;
    const bool is_of_machine; // ETL_SCOPE=machine: sessions are those of the machine
    std::optional<session::Attachment> attached; // to them

    Environment();

    void before_fork() noexcept override;
    void in_parent() noexcept override;
    void in_child() noexcept override;

private:
    void unlock() noexcept;
};

Environment& environment();

} // namespace etl::compat
