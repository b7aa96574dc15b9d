#include "decode/fields/laid_out_payloads.hpp"

#include <etl/byte_writer.hpp>

#include "base/cursor.hpp"
#include "base/text.hpp"
#include "codec/formats.hpp"
#include "decode/limits.hpp"
#include "format/kernel_group.hpp"
#include "format/logfile_header.hpp"

#include <algorithm>
#include <string>

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

namespace {

constexpr Guid winsat = *parse_guid("ed54dff8-c409-4cf6-bf83-05e1e61a09c4");
constexpr Guid perftrack = *parse_guid("bf6ef1cb-89b5-490a-80ac-b180cfbcff0f");

schema::Field field(const char* name, schema::InType in, schema::OutType out) {
    schema::Field result;
    result.name = name;
    result.in_type = in;
    result.out_type = out;
    return result;
}

// Six bytes of LZNT1 can stand for a chunk of 4096.
constexpr std::size_t greatest_ratio = 1024;

// In UTF-8, without the NUL that may end it.
std::string text_of(Bytes bytes) {
    std::string text;
    const bool is_utf16 = bytes.size() >= 2 && bytes[0] != std::byte{0} && bytes[1] == std::byte{0};
    if (is_utf16) {
        append_utf16le(text, bytes);
    } else {
        append_utf8(text, bytes);
    }
    text.resize(text.find_last_not_of('\0') + 1);
    return text;
}

} // namespace

bool is_packed_text(const Guid& event_class, std::uint8_t type) noexcept {
    return (event_class == winsat && (type == 33 || type == 35 || type == 37)) ||
           (event_class == perftrack && type == 33);
}

std::shared_ptr<const schema::EventSchema> packed_text_schema(const Guid& event_class) {
    auto names = std::make_shared<schema::ProviderNames>();
    names->guid = event_class;
    names->name = format::system_trace_name;
    auto result = std::make_shared<schema::EventSchema>();
    result->origin = schema::Origin::mof;
    result->provider = std::move(names);
    if (event_class == winsat) {
        result->fields.push_back(field("Version", schema::InType::uint32, schema::OutType::none));
    }
    result->fields.push_back(
        field("Xml", schema::InType::non_terminated_ansi, schema::OutType::utf8));
    return result;
}

const char* lay_out_packed_text(const flow::EventHeader& header, std::vector<std::byte>& to) {
    to.clear();
    ByteWriter out;
    Cursor in(header.payload);
    if (header.provider == winsat) {
        out.u32(in.u32("version"));
    }
    const std::uint32_t size = in.u32("size");
    if (!in) {
        return "the payload ends before its compressed text";
    }
    const Bytes packed = header.payload.subspan(in.position());
    const std::size_t most =
        std::min(limits::compressed_text_bytes, packed.size() * greatest_ratio);
    std::vector<std::byte> unpacked(std::min<std::size_t>(size, most));
    const codec::Outcome outcome = codec::lznt1::decompress(packed, unpacked);
    out.text8(text_of(Bytes(unpacked).first(outcome.written)));
    to = out.take();
    return outcome.is_complete() && size <= most ? nullptr : "invalid compressed text";
}

} // namespace etl::decode
