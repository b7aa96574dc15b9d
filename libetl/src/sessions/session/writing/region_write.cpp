#include "session/writing/region_write.hpp"

#include "base/layout.hpp"
#include "format/records.hpp"
#include "host/process.hpp"
#include "link/region_writer.hpp"

#include <algorithm>
#include <cstring>

namespace etl::session {

WriteResult write_to_region(const MachineTarget& target, const EventImage& image) noexcept {
    constexpr std::uint64_t max_size = 0xFFFF; // the size of a record is 16 bits wide
    const std::uint64_t size = image.size(target.property);
    if (size > max_size) [[unlikely]] {
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

WriteResult write_classic_to_region(link::RegionWriter& region, std::uint16_t session,
                                    Bytes record) noexcept {
    namespace layout = format::event_record;
    constexpr std::size_t max_size = 0xFFFF;
    constexpr std::uint32_t event64_header = 0xC013'0000;
    const std::size_t size = layout::size + record.size();
    const auto place =
        size > max_size ? std::nullopt : region.reserve(size, link::classic_number(session));
    if (!place) [[unlikely]] {
        region.count_lost(session);
        return {.status = size > max_size ? Status::more_data : Status::not_enough_memory,
                .lost = 1};
    }
    const std::span<std::byte, layout::size> head(place->at, layout::size);
    std::memset(head.data(), 0, head.size());
    store_le(head.data(), event64_header | static_cast<std::uint32_t>(size));
    store<layout::thread_id>(head, host::thread_id());
    store<layout::time_stamp>(head, place->time);
    std::ranges::copy(record, place->at + layout::size);
    region.commit(*place);
    return {.written = 1};
}

void lose_classic_in_region(link::RegionWriter& region, std::uint16_t session) noexcept {
    region.count_lost(session);
}

} // namespace etl::session
