// RegionWriter: a process' way to the host: its region, its control page, and its socket. Threads
// write events through it without a lock. It outlives its link: a writer may still hold it.
// docs/machine-sessions-internals.md#region
#pragma once

#include "host/clock.hpp"
#include "host/local_socket.hpp"
#include "host/process.hpp"
#include "link/control_page.hpp"
#include "link/messages.hpp"
#include "link/region.hpp"
#include "link/ring.hpp"

#include <cstdint>
#include <optional>
#include <utility>

namespace etl::link {

class RegionWriter {
public:
    RegionWriter(RegionMemory memory, host::Mapping control, host::LocalSocket socket)
        : memory_(std::move(memory)), control_(std::move(control)), socket_(std::move(socket)) {
        for (std::size_t i = 0; i < memory_.shape().stripes; ++i) {
            rings_[i] = RingWriter(memory_.header().stripes[i], memory_.ring(i),
                                   memory_.shape().ring_bytes);
        }
    }

    const ControlPage& control() const noexcept {
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): shared memory
        return *reinterpret_cast<const ControlPage*>(control_.data());
    }

    const host::LocalSocket& socket() const noexcept { return socket_; }

    /// In the child of a fork: the link is the parent's, and ends with the parent even if the child
    /// lives longer. Nothing may be written any more.
    void forget_in_child() noexcept { socket_.close(); }

    /// Nothing: the ring of this processor has no space.
    std::optional<RingPlace> reserve(std::size_t size, std::uint32_t registration) noexcept {
        const std::size_t stripe = host::current_processor() % memory_.shape().stripes;
        return rings_[stripe].reserve(size, registration, host::monotonic_ticks);
    }

    void commit(const RingPlace& place) noexcept {
        RingWriter::commit(place);
        if (place.crosses_quarter) [[unlikely]] {
            ring_doorbell();
        }
    }

    /// Whether a session of the registration in `slot` would record such an event, but refuses
    /// those of this process.
    bool refuses(std::size_t slot, std::uint8_t level, std::uint64_t keyword) const noexcept;

    /// Counts an event that found no space in the sessions that would have recorded it.
    void count_lost(std::size_t slot, std::uint8_t level, std::uint64_t keyword) noexcept;
    /// Counts events in all sessions that record the registration.
    void count_lost_unlinked(std::size_t slot, std::uint32_t events) noexcept;
    /// Counts one in a session.
    void count_lost(std::uint16_t session) noexcept;

private:
    void ring_doorbell() noexcept;

    RegionMemory memory_;
    host::Mapping control_;
    host::LocalSocket socket_;
    std::array<RingWriter, max_stripes> rings_;
};

} // namespace etl::link
