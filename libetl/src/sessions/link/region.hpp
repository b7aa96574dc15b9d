// Region: the memory that one process writes its events to and the host reads them from: a page of
// counters, then one ring per stripe. Both sides share this layout. Everything in it can be
// overwritten by the process at any time. docs/machine-sessions-internals.md#region
#pragma once

#include <etl/error.hpp>

#include "host/shared_memory.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace etl::link {

inline constexpr std::size_t region_page = 4096;
inline constexpr std::size_t max_stripes = 16;
inline constexpr std::size_t max_machine_sessions = 64;

/// A ring holds the largest record, 64 KB, and as much again.
inline constexpr std::size_t min_ring_bytes = 128U << 10U;
inline constexpr std::size_t max_ring_bytes = 64U << 20U;

struct alignas(64) StripeWords {
    std::atomic<std::uint64_t> word{0};                 // RingWord
    alignas(64) std::atomic<std::uint64_t> consumed{0}; // position: space before it is free
};

/// At the start of a region.
struct RegionHeader {
    std::array<StripeWords, max_stripes> stripes;
    /// 1: the host waits for a doorbell.
    alignas(64) std::atomic<std::uint32_t> wants_doorbell{0};
    /// Events that found no space, by the number of the session - 1.
    alignas(64) std::array<std::atomic<std::uint32_t>, max_machine_sessions> lost{};
};

static_assert(sizeof(RegionHeader) <= region_page);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free); // of two processes

/// The shape of a region, chosen by the host. Memory that no record has reached takes no space.
struct RegionShape {
    std::uint32_t stripes = 1;
    std::uint32_t ring_bytes = min_ring_bytes; // a power of two

    constexpr std::size_t size() const noexcept {
        return region_page + std::size_t{stripes} * ring_bytes;
    }

    constexpr std::size_t ring_at(std::size_t stripe) const noexcept {
        return region_page + stripe * ring_bytes;
    }

    constexpr bool is_valid() const noexcept {
        return stripes >= 1 && stripes <= max_stripes && std::has_single_bit(ring_bytes) &&
               ring_bytes >= min_ring_bytes && ring_bytes <= max_ring_bytes;
    }

    /// About `total` bytes for the processors of a machine; never less than one small ring.
    static constexpr RegionShape of(std::uint32_t processors, std::size_t total) noexcept {
        RegionShape shape;
        const auto max = static_cast<std::uint32_t>(
            std::clamp<std::size_t>(total / min_ring_bytes, 1, max_stripes));
        shape.stripes = std::clamp<std::uint32_t>(processors, 1, max);
        shape.ring_bytes = static_cast<std::uint32_t>(
            std::bit_floor(std::clamp(total / shape.stripes, min_ring_bytes, max_ring_bytes)));
        return shape;
    }
};

/// RegionMemory: a region as mapped by either side: the page of counters, and each ring twice, one
/// mapping after the other, so that no record has to wrap.
class RegionMemory {
public:
    /// Errors: io_failure.
    static Result<RegionMemory> map(const host::Descriptor& memory, const RegionShape& shape);

    RegionHeader& header() const noexcept;

    std::byte* ring(std::size_t stripe) const noexcept { return rings_[stripe].data(); }

    const RegionShape& shape() const noexcept { return shape_; }

private:
    RegionShape shape_;
    host::Mapping header_;
    std::vector<host::Mapping> rings_;
};

} // namespace etl::link
