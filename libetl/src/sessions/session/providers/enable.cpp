

#include <etl/byte_writer.hpp>
#include <etl/session.hpp>

#include "base/text.hpp"

#include <algorithm>
#include <limits>

namespace etl::session {

namespace {

/// EVENT_FILTER_EVENT_ID. More ids than it can count make one that is refused.
Filter of_ids(std::uint8_t filter_in, const std::vector<std::uint16_t>& ids) {
    constexpr std::size_t max = std::numeric_limits<std::uint16_t>::max();
    ByteWriter out;
    out.u8(filter_in).u8(0).u16(static_cast<std::uint16_t>(std::min(ids.size(), max)));
    for (const std::uint16_t id : ids) {
        out.u16(id);
    }
    return {filter_type::event_id, out.take()};
}

} // namespace

Filter make_process_filter(const std::vector<std::uint32_t>& ids) {
    ByteWriter out;
    for (const std::uint32_t id : ids) {
        out.u32(id);
    }
    return {filter_type::pid, out.take()};
}

Filter make_executable_filter(std::string_view names) {
    ByteWriter out;
    out.zero_terminated16(to_utf16(names));
    return {filter_type::executable_name, out.take()};
}

Filter make_event_filter(const std::vector<std::uint16_t>& ids) {
    return of_ids(1, ids);
}

Filter make_event_exclusion_filter(const std::vector<std::uint16_t>& ids) {
    return of_ids(0, ids);
}

} // namespace etl::session
