#include "decode/fields/logfile_event.hpp"

#include <etl/byte_writer.hpp>

#include "format/kernel_group.hpp"
#include "format/logfile_header.hpp"

namespace etl::decode {

namespace {

using schema::Field;
using schema::InType;
using schema::OutType;

struct Part {
    const char* name;
    InType type;
    OutType out = OutType::none;
};

// The names are those of the MOF class EventTrace_Header. Its two pointers are of no use to
// anybody; the file's is left out because the text that follows bears the same name.
constexpr Part parts[] = {
    {"BufferSize", InType::uint32},
    {"Version", InType::uint32},
    {"ProviderVersion", InType::uint32},
    {"NumberOfProcessors", InType::uint32},
    {"EndTime", InType::filetime},
    {"TimerResolution", InType::uint32},
    {"MaxFileSize", InType::uint32},
    {"LogFileMode", InType::hex_int32},
    {"BuffersWritten", InType::uint32},
    {"StartBuffers", InType::uint32},
    {"PointerSize", InType::uint32},
    {"EventsLost", InType::uint32},
    {"CPUSpeed", InType::uint32},
    {"LoggerName", InType::hex_int64},
    {"BootTime", InType::filetime},
    {"PerfFreq", InType::uint64},
    {"StartTime", InType::filetime},
    {"ReservedFlags", InType::hex_int32},
    {"BuffersLost", InType::uint32},
    {"SessionName", InType::unicode_string},
    {"LogFileName", InType::unicode_string},
    {"TimeZone", InType::structure},
    {"Bias", InType::int32},
    {"StandardName", InType::unicode_string},
    {"StandardBias", InType::int32},
    {"DaylightName", InType::unicode_string},
    {"DaylightBias", InType::int32},
};

constexpr std::uint16_t time_zone_members = 5;

std::uint32_t packed_version(const format::LogfileHeader& header) noexcept {
    return header.major_version | std::uint32_t{header.minor_version} << 8U |
           std::uint32_t{header.sub_version} << 16U |
           std::uint32_t{header.sub_minor_version} << 24U;
}

} // namespace

std::shared_ptr<const schema::EventSchema> logfile_header_schema() {
    auto names = std::make_shared<schema::ProviderNames>();
    names->guid = format::event_trace_guid;
    names->name = format::system_trace_name;
    auto result = std::make_shared<schema::EventSchema>();
    result->origin = schema::Origin::mof;
    result->provider = std::move(names);
    result->event_name = "EventTrace/Header";
    for (const Part& part : parts) {
        Field& field = result->fields.emplace_back();
        field.name = part.name;
        field.in_type = part.type;
        field.out_type = part.out;
        field.members = part.type == InType::structure ? time_zone_members : std::uint16_t{0};
    }
    return result;
}

bool lay_out_logfile_header(Bytes payload, unsigned pointer_size, std::vector<std::byte>& to) {
    to.clear();
    const auto header = format::parse_logfile_header(payload, pointer_size, {});
    if (!header) {
        return false;
    }
    ByteWriter out;
    out.u32(header->buffer_size).u32(packed_version(*header)).u32(header->provider_version);
    out.u32(header->number_of_processors).value(header->end_time).u32(header->timer_resolution);
    out.u32(header->maximum_file_size).u32(header->log_file_mode).u32(header->buffers_written);
    out.u32(header->start_buffers).u32(header->pointer_size).u32(header->events_lost);
    out.u32(header->cpu_speed_mhz).u64(header->logger_name_pointer).value(header->boot_time);
    out.value(header->perf_freq).value(header->start_time).u32(header->reserved_flags);
    out.u32(header->buffers_lost).zero_terminated16(header->session_name);
    out.zero_terminated16(header->log_file_name);
    const format::TimeZone& zone = header->time_zone;
    out.value(zone.bias).zero_terminated16(zone.standard_name).value(zone.standard_bias);
    out.zero_terminated16(zone.daylight_name).value(zone.daylight_bias);
    to = out.take();
    return true;
}

} // namespace etl::decode
