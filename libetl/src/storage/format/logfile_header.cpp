#include "format/logfile_header.hpp"

#include <etl/byte_writer.hpp>

#include "base/cursor.hpp"

namespace etl::format {

namespace {

constexpr std::size_t zone_name_units = 32;
constexpr std::size_t time_zone_size = 172; // TIME_ZONE_INFORMATION

constexpr std::size_t fixed_size(unsigned pointer_size) {
    return 0x108 + 2U * pointer_size;
}

// UTF-16 units up to a NUL or the end.
std::u16string units(Bytes text) {
    std::u16string result;
    for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
        const auto unit = load_le<std::uint16_t>(text.data() + i);
        if (unit == 0) {
            break;
        }
        result.push_back(static_cast<char16_t>(unit));
    }
    return result;
}

SystemTime read_system_time(Cursor& in) {
    const char* what = "time zone date";
    SystemTime t{};
    t.year = in.u16(what);
    t.month = in.u16(what);
    t.day_of_week = in.u16(what);
    t.day = in.u16(what);
    t.hour = in.u16(what);
    t.minute = in.u16(what);
    t.second = in.u16(what);
    t.milliseconds = in.u16(what);
    return t;
}

TimeZone read_time_zone(Cursor& in) {
    const char* what = "time zone";
    TimeZone zone;
    zone.bias = static_cast<std::int32_t>(in.u32(what));
    zone.standard_name = units(in.bytes(what, 2 * zone_name_units));
    zone.standard_date = read_system_time(in);
    zone.standard_bias = static_cast<std::int32_t>(in.u32(what));
    zone.daylight_name = units(in.bytes(what, 2 * zone_name_units));
    zone.daylight_date = read_system_time(in);
    zone.daylight_bias = static_cast<std::int32_t>(in.u32(what));
    return zone;
}

// A string that its NUL or the payload's end ends: a cut header still tells its name.
std::u16string read_string(Cursor& in, Bytes payload) {
    const std::u16string text = units(payload.subspan(in.position()));
    const std::size_t size = std::min(2 * text.size() + 2, in.left());
    in.bytes("session name", size);
    return text;
}

void write_system_time(ByteWriter& out, const SystemTime& t) {
    out.u16(t.year).u16(t.month).u16(t.day_of_week).u16(t.day);
    out.u16(t.hour).u16(t.minute).u16(t.second).u16(t.milliseconds);
}

void write_zone_name(ByteWriter& out, std::u16string_view name) {
    const std::size_t end = out.size() + 2 * zone_name_units;
    out.text16(name.substr(0, zone_name_units - 1));
    out.fill(end - out.size());
}

void write_pointer(ByteWriter& out, std::uint64_t value, unsigned pointer_size) {
    if (pointer_size == 4) {
        out.u32(static_cast<std::uint32_t>(value));
    } else {
        out.u64(value);
    }
}

} // namespace

std::string_view name(ClockType clock) noexcept {
    switch (clock) {
    case ClockType::qpc:
        return "qpc";
    case ClockType::system_time:
        return "system-time";
    case ClockType::cpu_cycles:
        return "cpu-cycles";
    case ClockType::unknown:
        break;
    }
    return "unknown";
}

ClockType LogfileHeader::clock_type() const noexcept {
    const bool before_vista = sub_version < 1 || (sub_version == 1 && sub_minor_version < 4);
    if (reserved_flags == 0 && before_vista) {
        return ClockType::system_time;
    }
    switch (reserved_flags) {
    case 1:
        return ClockType::qpc;
    case 2:
        return ClockType::system_time;
    case 3:
        return ClockType::cpu_cycles;
    default:
        return ClockType::unknown;
    }
}

Result<LogfileHeader> parse_logfile_header(Bytes payload, unsigned pointer_size, FileOffset where) {
    Cursor in(payload, where);
    const char* what = "log file header";
    if (payload.size() < fixed_size(pointer_size)) {
        return fail(ErrorCode::truncated, what, where, fixed_size(pointer_size), payload.size());
    }
    LogfileHeader h;
    h.buffer_size = in.u32(what);
    h.major_version = in.u8(what);
    h.minor_version = in.u8(what);
    h.sub_version = in.u8(what);
    h.sub_minor_version = in.u8(what);
    h.provider_version = in.u32(what);
    h.number_of_processors = in.u32(what);
    h.end_time = static_cast<std::int64_t>(in.u64(what));
    h.timer_resolution = in.u32(what);
    h.maximum_file_size = in.u32(what);
    h.log_file_mode = in.u32(what);
    h.buffers_written = in.u32(what);
    h.start_buffers = in.u32(what);
    h.pointer_size = in.u32(what);
    h.events_lost = in.u32(what);
    h.cpu_speed_mhz = in.u32(what);
    h.logger_name_pointer = in.pointer(what, pointer_size);
    h.log_file_name_pointer = in.pointer(what, pointer_size);
    h.time_zone = read_time_zone(in);
    in.u32(what); // alignment of what follows
    h.boot_time = static_cast<std::int64_t>(in.u64(what));
    h.perf_freq = static_cast<std::int64_t>(in.u64(what));
    h.start_time = static_cast<std::int64_t>(in.u64(what));
    h.reserved_flags = in.u32(what);
    h.buffers_lost = in.u32(what);
    h.session_name = read_string(in, payload);
    h.log_file_name = read_string(in, payload);
    return h;
}

std::vector<std::byte> encode_logfile_header(const LogfileHeader& h, unsigned pointer_size) {
    ByteWriter out;
    out.u32(h.buffer_size);
    out.u8(h.major_version).u8(h.minor_version).u8(h.sub_version).u8(h.sub_minor_version);
    out.u32(h.provider_version).u32(h.number_of_processors).value(h.end_time);
    out.u32(h.timer_resolution).u32(h.maximum_file_size).u32(h.log_file_mode);
    out.u32(h.buffers_written).u32(h.start_buffers).u32(h.pointer_size);
    out.u32(h.events_lost).u32(h.cpu_speed_mhz);
    write_pointer(out, h.logger_name_pointer, pointer_size);
    write_pointer(out, h.log_file_name_pointer, pointer_size);
    const std::size_t zone_end = out.size() + time_zone_size;
    out.value(h.time_zone.bias);
    write_zone_name(out, h.time_zone.standard_name);
    write_system_time(out, h.time_zone.standard_date);
    out.value(h.time_zone.standard_bias);
    write_zone_name(out, h.time_zone.daylight_name);
    write_system_time(out, h.time_zone.daylight_date);
    out.value(h.time_zone.daylight_bias);
    out.fill(zone_end - out.size() + 4);
    out.value(h.boot_time).value(h.perf_freq).value(h.start_time);
    out.u32(h.reserved_flags).u32(h.buffers_lost);
    out.zero_terminated16(h.session_name).zero_terminated16(h.log_file_name);
    return out.take();
}

} // namespace etl::format
