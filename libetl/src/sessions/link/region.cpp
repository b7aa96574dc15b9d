#include "link/region.hpp"

#include <algorithm>

namespace etl::link {

Result<RegionMemory> RegionMemory::map(const host::Descriptor& memory, const RegionShape& shape) {
    RegionMemory region;
    region.shape_ = shape;
    auto header = host::Mapping::of(memory, 0, region_page, host::Sharing::read_write);
    if (!header) {
        return std::unexpected(header.error());
    }
    region.header_ = std::move(*header);
    for (std::size_t stripe = 0; stripe < shape.stripes; ++stripe) {
        auto ring = host::Mapping::of(memory, shape.ring_at(stripe), shape.ring_bytes,
                                      host::Sharing::read_write, 2);
        if (!ring) {
            return std::unexpected(ring.error());
        }
        region.rings_.push_back(std::move(*ring));
    }
    return region;
}

RegionHeader& RegionMemory::header() const noexcept {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): shared memory, zero at first
    return *reinterpret_cast<RegionHeader*>(header_.data());
}

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
