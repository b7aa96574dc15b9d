// Runtime::State: the sessions of a runtime and its providers. Lock order: mutex, then the lock of
// Registrations; a logger thread takes neither while anybody waits for it.
// docs/session-internals.md
#pragma once

#include <etl/host/fork.hpp>
#include <etl/session/runtime.hpp>

#include "session/registrations.hpp"
#include "session/session_core.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace etl::session {

struct Runtime::State final : host::ForkWatch {
    RuntimeOptions options;
    mutable std::mutex mutex;
    std::vector<std::unique_ptr<SessionCore>> cores; // by id - 1; made when first needed
    Registrations registrations;
    std::atomic<std::uint32_t> global_sequence{0}; // USE_GLOBAL_SEQUENCE

    /// The core of a handle (number and private bit) that runs, or null.
    SessionCore* running(std::uint64_t handle);

    void before_fork() noexcept override;
    void in_parent() noexcept override;
    void in_child() noexcept override;
};

} // namespace etl::session
