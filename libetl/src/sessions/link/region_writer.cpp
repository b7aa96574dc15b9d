#include "link/region_writer.hpp"

#include <algorithm>

namespace etl::link {

void RegionWriter::count_lost(std::size_t slot, std::uint8_t level,
                              std::uint64_t keyword) noexcept {
    Enabling enabling;
    if (control().registrations[slot % max_link_registrations].read(enabling) == 0) {
        return;
    }
    const auto count = std::min<std::size_t>(enabling.count, max_enablers);
    std::uint64_t counted = 0; // a session that reaches it in two ways lost one event
    for (std::size_t i = 0; i < count; ++i) {
        const Enabler& one = enabling.enablers[i];
        const std::size_t session = (one.session - 1U) % max_machine_sessions;
        if (!one.is_refusing() && one.matches(level, keyword) && (counted >> session & 1U) == 0) {
            counted |= std::uint64_t{1} << session;
            memory_.header().lost[session].fetch_add(1, std::memory_order_relaxed);
        }
    }
    ring_doorbell();
}

void RegionWriter::count_lost_unlinked(std::size_t slot, std::uint32_t events) noexcept {
    Enabling enabling;
    if (events == 0 || control().registrations[slot % max_link_registrations].read(enabling) == 0) {
        return;
    }
    const auto count = std::min<std::size_t>(enabling.count, max_enablers);
    for (std::size_t i = 0; i < count; ++i) {
        const Enabler& one = enabling.enablers[i];
        memory_.header().lost[(one.session - 1U) % max_machine_sessions].fetch_add(
            one.is_refusing() ? 0 : events, std::memory_order_relaxed);
    }
    ring_doorbell();
}

bool RegionWriter::refuses(std::size_t slot, std::uint8_t level,
                           std::uint64_t keyword) const noexcept {
    Enabling enabling;
    if (control().registrations[slot % max_link_registrations].read(enabling) == 0) {
        return false;
    }
    const auto count = std::min<std::size_t>(enabling.count, max_enablers);
    return std::any_of(
        enabling.enablers.begin(), enabling.enablers.begin() + count,
        [&](const Enabler& one) { return one.is_refusing() && one.matches(level, keyword); });
}

void RegionWriter::count_lost(std::uint16_t session) noexcept {
    memory_.header().lost[(session - 1U) % max_machine_sessions].fetch_add(
        1, std::memory_order_relaxed);
    ring_doorbell();
}

/// Once until the host has looked. A program that closed the descriptor may have something else
/// under its number.
void RegionWriter::ring_doorbell() noexcept {
    std::atomic<std::uint32_t>& wanted = memory_.header().wants_doorbell;
    if (wanted.load(std::memory_order_relaxed) != 0 &&
        wanted.exchange(0, std::memory_order_acq_rel) == 1 && socket_.is_intact()) {
        static_cast<void>(socket_.send(doorbell_packet));
    }
}

} // namespace etl::link
