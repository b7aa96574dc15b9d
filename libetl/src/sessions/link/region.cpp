#include "link/region.hpp"

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

} // namespace etl::link
