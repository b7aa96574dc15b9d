// Environment: what the functions of the C headers share, where Windows has a kernel: one runtime,
// classes of classic providers, traces that are open. There is one; it is made by the first call
// that needs it and never destroyed, as anybody may still write while the process ends; at exit its
// sessions are stopped. Any thread. docs/compat.md#process
#pragma once

#include <etl/host/fork.hpp>
#include <etl/session/attachment.hpp>
#include <etl/session/runtime.hpp>

#include "compat/class_guids.hpp"
#include "compat/open_traces.hpp"
#include "session/control/runtime_state.hpp"
#include "session/providers/registrations.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace etl::compat {

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

    // The low 16 bits of a handle are a number up to most_registrations.
    std::array<std::atomic<std::uint64_t>, 2 * session::most_registrations> places_{};
};

/// What TraceSetInformation was told of providers that a session's groups may not enable: to be
/// asked for again. Any thread.
class DisallowLists {
public:
    void set(const session::SessionRef& session, std::vector<Guid> providers) {
        const std::scoped_lock lock(mutex_);
        lists_[session.core] = {session.ticket, std::move(providers)};
    }

    /// Empty: none was set since it started.
    std::vector<Guid> of(const session::SessionRef& session) {
        const std::scoped_lock lock(mutex_);
        const auto at = lists_.find(session.core);
        return at != lists_.end() && at->second.ticket == session.ticket ? at->second.providers
                                                                         : std::vector<Guid>();
    }

    /// Around a fork: nobody else is in the middle of anything.
    void lock() { mutex_.lock(); }

    void unlock() { mutex_.unlock(); }

private:
    struct List {
        std::uint16_t ticket = 0;
        std::vector<Guid> providers;
    };

    std::mutex mutex_;
    std::map<session::SessionCore*, List> lists_; // cores live as long as the runtime
};

struct Environment final : host::ForkWatch {
    session::Runtime runtime;
    session::Runtime::State& state;
    session::Registrations& registrations;
    TypedRegistrations typed;
    ClassGuids classes;
    OpenTraces traces;
    DisallowLists disallowed;
    const bool is_of_machine; // ETL_SCOPE=machine: sessions are those of the machine
    std::optional<session::Attachment> attached; // to them

    Environment();

    void before_fork() noexcept override;
    void in_parent() noexcept override;
    void in_child() noexcept override;
};

Environment& environment();

} // namespace etl::compat
