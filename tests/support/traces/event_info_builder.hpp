// TRACE_EVENT_INFO blobs, as a merge embeds them. Layout: Microsoft's tdh.h, documented.
#pragma once

#include <etl/byte_writer.hpp>

#include <string>

namespace etl::test {

struct EventProperty {
    std::u16string name{};
    std::uint16_t in = 0,
                  out = 0; // TDH_INTYPE_*, TDH_OUTTYPE_*; of a struct: first member, members
    std::u16string map{};
    std::uint32_t flags = 0; // 1 struct, 2 length by index, 4 count by index, 0x20 fixed count
    std::uint16_t count = 1, length = 0; // or the index of the property that tells it
};

struct EventInfo {
    Guid provider{};
    Guid event_guid{};
    std::uint16_t id = 0;
    std::uint8_t version = 0, channel = 0, level = 0, opcode = 0;
    std::uint16_t task = 0;
    std::uint64_t keyword = 0;
    std::uint32_t decoding_source = 0; // 0 XML file, 1 WBEM, 2 WPP, 3 TraceLogging
    std::u16string provider_name{}, level_name{}, channel_name{}, task_name{}, opcode_name{},
        message{};
    std::vector<std::u16string> keyword_names{};
    std::vector<EventProperty> properties{};
    std::uint32_t top_level_properties = 0;
    std::uint32_t flags = 0; // kind of template in bits 0-3: 1 EventData, 2 UserData; tags above
    std::vector<std::byte> binary_xml{};
};

std::vector<std::byte> event_info(const EventInfo& info);

} // namespace etl::test
