// HostLink: one connection of this process to a host: handshake, requests, and the wait for their
// execution. docs/machine-sessions-internals.md#link
#pragma once

#include "base/result.hpp"
#include "host/places.hpp"
#include "link/messages.hpp"
#include "link/region_writer.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>

namespace etl::session {

/// Requests are made under a lock of the caller; everything else by any thread.
class HostLink {
public:
    using Milliseconds = std::chrono::milliseconds;

    /// Errors: not_found (no host), unsupported (it has another version of the protocol), limit (of
    /// programs of the user), io_failure (it does not answer in time, or may not be asked).
    static Result<std::unique_ptr<HostLink>> connect(const host::MeetingPlace& place,
                                                     Milliseconds wait);

    explicit HostLink(std::shared_ptr<link::RegionWriter> region) : region_(std::move(region)) {}

    /// For writers, who may hold it longer than the link lasts.
    const std::shared_ptr<link::RegionWriter>& region() const noexcept { return region_; }

    const link::ControlPage& control() const noexcept { return region_->control(); }

    /// Sends a request. Returns its number, for wait_until_handled. A host that does not take it
    /// in time loses the link.
    std::uint32_t request(const link::ProviderMessage& message, Milliseconds wait);

    /// Sends a message that is not a request.
    void send(const link::ProviderMessage& message, Milliseconds wait);

    /// Returns when the host has executed a request, or when the time is over. A host that let it
    /// pass once is not waited for again until it has executed everything: one that is stopped
    /// delays the program only once.
    void wait_until_handled(std::uint32_t number, Milliseconds wait);

    /// Ends the link for both sides; the descriptor remains until no writer can hold the region.
    void end() const noexcept { region_->socket().shut_down(); }

private:
    std::shared_ptr<link::RegionWriter> region_;
    std::uint32_t requests_ = 0;
    std::atomic<bool> is_late_{false};
};

} // namespace etl::session
