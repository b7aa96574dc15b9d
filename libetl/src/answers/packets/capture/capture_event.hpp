// What the events of captures need of a record header. Private to packets.
#pragma once

#include "flow/event.hpp"
#include "format/records.hpp"

namespace etl::packets {

/// flow::read_header() returns all of a header, which takes as long as the rest of the work on a
/// packet. Requires an EVENT record (kind_of).
struct CaptureEvent {
    Bytes payload;
    std::uint64_t keyword = 0;
    std::uint32_t process_id = 0, thread_id = 0;
    std::uint16_t id = 0;

    explicit CaptureEvent(const flow::Event& event) noexcept
        : payload(event.bytes().subspan(format::event_record::size)),
          keyword(flow::stored<format::event_record::keyword>(event)),
          process_id(flow::stored<format::event_record::process_id>(event)),
          thread_id(flow::stored<format::event_record::thread_id>(event)),
          id(flow::stored<format::event_record::id>(event)) {
        constexpr auto has_items = format::event_flag::extended_info;
        if ((flow::stored<format::event_record::flags>(event) & has_items) != 0) [[unlikely]] {
            payload = flow::read_header(event).payload;
        }
    }
};

} // namespace etl::packets
