#include "session/writing/region_write.hpp"

#include "link/region_writer.hpp"

namespace etl::session {

WriteResult write_to_region(const MachineTarget& target, const EventImage& image) noexcept {
    constexpr std::uint64_t largest = 0xFFFF; // the size of a record is 16 bits wide
    const std::uint64_t size = image.size(target.property);
    if (size > largest) [[unlikely]] {
        target.region->count_lost(target.slot, image.level(), image.keyword());
        return {.status = Status::arithmetic_overflow, .lost = 1};
    }
    const auto place = target.region->reserve(static_cast<std::size_t>(size), target.number);
    if (!place) [[unlikely]] {
        target.region->count_lost(target.slot, image.level(), image.keyword());
        return {.status = Status::not_enough_memory, .lost = 1};
    }
    image.put({.at = place->at, .time = place->time}, size, target.property,
              EventImage::Session::ordinary);
    store_le(place->at, image.first_dword(size));
    target.region->commit(*place);
    return {.written = 1};
}

} // namespace etl::session
