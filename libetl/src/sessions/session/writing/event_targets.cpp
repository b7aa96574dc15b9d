#include "session/writing/event_targets.hpp"

#include "base/layout.hpp"
#include "format/limits.hpp"
#include "format/record_kind.hpp"
#include "host/process.hpp"
#include "link/region_writer.hpp"

#include <algorithm>
#include <cstring>

namespace etl::session {

WriteResult write_to_region(const MachineTarget& target, const EventImage& image) noexcept {
    const std::uint64_t size = image.size(target.property);
    if (size > format::max_record_size) [[unlikely]] {
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
    const std::size_t size = layout::size + record.size();
    const bool is_too_large = size > format::max_record_size;
    const auto place =
        is_too_large ? std::nullopt : region.reserve(size, link::classic_number(session));
    if (!place) [[unlikely]] {
        region.count_lost(session);
        return {.status = is_too_large ? Status::more_data : Status::not_enough_memory, .lost = 1};
    }
    const std::span<std::byte, layout::size> head(place->at, layout::size);
    std::memset(head.data(), 0, head.size());
    store_le(head.data(), format::first_dword(format::wide(format::RecordFamily::event),
                                              static_cast<std::uint16_t>(size)));
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
