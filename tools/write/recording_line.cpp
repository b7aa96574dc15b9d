#include "write/recording_line.hpp"

#include <etl/base/text.hpp>
#include <etl/format/kernel_group.hpp>

#include "write/given_members.hpp"

#include <utility>

namespace lines {

namespace {

using etl::encode::Given;
using etl::format::LogfileHeader;
using etl::format::RecordKind;
using Values = std::span<const Given>;
using Outcome = std::expected<void, LineError>;

/// Members of `data` into a header. The first that does not fit is kept.
class DataReader {
public:
    explicit DataReader(Values data) : data_(data) {}

    template <std::integral T>
    void number(std::string_view name, T& to) {
        const Values found = member(data_, name);
        if (found.empty()) {
            return;
        }
        const auto value = whole(found.front());
        const bool fits = value && (std::in_range<T>(*value) ||
                                    std::in_range<T>(static_cast<std::int64_t>(*value)));
        if (!fits) {
            fail(name, "is no number of its size");
            return;
        }
        to = static_cast<T>(*value);
    }

    void time(std::string_view name, std::int64_t& to) {
        const Values found = member(data_, name);
        if (found.empty()) {
            return;
        }
        const auto text_of = lines::text(found.front());
        const auto value = text_of ? etl::parse_rfc3339(*text_of) : std::nullopt;
        if (!value) {
            fail(name, "is no time in RFC 3339");
            return;
        }
        to = value->ticks;
    }

    void text(std::string_view name, std::u16string& to) {
        if (const Values found = member(data_, name); !found.empty()) {
            const auto text_of = lines::text(found.front());
            if (!text_of) {
                fail(name, "is no text");
                return;
            }
            to = etl::to_utf16(*text_of);
        }
    }

    Outcome outcome() const { return error_ ? Outcome(std::unexpected(*error_)) : Outcome{}; }

private:
    void fail(std::string_view name, const char* what) {
        if (!error_) {
            error_ = LineError{"data." + std::string(name), what};
        }
    }

    Values data_;
    std::optional<LineError> error_;
};

Outcome read_time_zone(Values zone, etl::format::TimeZone& to) {
    DataReader in(zone);
    in.number("Bias", to.bias);
    in.text("StandardName", to.standard_name);
    in.number("StandardBias", to.standard_bias);
    in.text("DaylightName", to.daylight_name);
    in.number("DaylightBias", to.daylight_bias);
    return in.outcome();
}

// The names are those of docs/output.md#header.
Outcome read_data(Values data, LogfileHeader& header) {
    DataReader in(data);
    in.number("BufferSize", header.buffer_size);
    std::uint32_t version = header.major_version | std::uint32_t{header.minor_version} << 8U;
    in.number("Version", version);
    header.major_version = static_cast<std::uint8_t>(version);
    header.minor_version = static_cast<std::uint8_t>(version >> 8U);
    in.number("ProviderVersion", header.provider_version);
    in.number("NumberOfProcessors", header.number_of_processors);
    in.time("EndTime", header.end_time);
    in.number("TimerResolution", header.timer_resolution);
    in.number("LogFileMode", header.log_file_mode);
    in.number("PointerSize", header.pointer_size);
    in.number("EventsLost", header.events_lost);
    in.number("CPUSpeed", header.cpu_speed_mhz);
    in.number("LoggerName", header.logger_name_pointer);
    in.time("BootTime", header.boot_time);
    in.number("PerfFreq", header.perf_freq);
    in.time("StartTime", header.start_time);
    in.number("ReservedFlags", header.reserved_flags);
    in.number("BuffersLost", header.buffers_lost);
    in.text("SessionName", header.session_name);
    if (const Values zone = member(data, "TimeZone"); !zone.empty()) {
        if (auto read = read_time_zone(zone, header.time_zone); !read) {
            return read;
        }
    }
    return in.outcome();
}

etl::trace::Lineage lineage_of(const LogfileHeader& header) noexcept {
    const bool is_old =
        header.major_version < 6 || (header.major_version == 6 && header.minor_version <= 1);
    if (is_old) {
        return etl::trace::Lineage::windows7;
    }
    return (header.log_file_mode & etl::format::log_mode::relog) != 0
               ? etl::trace::Lineage::relogger
               : etl::trace::Lineage::session;
}

Outcome read_payload(std::string_view digits, unsigned pointer_size, LogfileHeader& to) {
    std::vector<std::byte> bytes;
    if (!read_hex(digits, bytes)) {
        return std::unexpected(LineError{"payload", "is no text of hex digits"});
    }
    auto parsed = etl::format::parse_logfile_header(bytes, pointer_size, {});
    if (!parsed) {
        return std::unexpected(LineError{"payload", etl::describe(parsed.error())});
    }
    to = *std::move(parsed);
    return {};
}

} // namespace

bool is_logfile_header(const EventLine& line) noexcept {
    const bool is_system = line.header == RecordKind::none || line.header == RecordKind::system32 ||
                           line.header == RecordKind::system64;
    return is_system && line.provider_guid == etl::format::event_trace_guid &&
           line.opcode.value_or(0) == 0 &&
           line.hook_id.value_or(0) == etl::format::logfile_header_hook;
}

std::expected<etl::trace::Recording, LineError> recording_of(const EventLine& line,
                                                             const EventLineReader& reader) {
    const auto at = line.time ? etl::parse_rfc3339(*line.time) : std::nullopt;
    etl::trace::Recording recording = etl::trace::begin_recording(at.value_or(etl::Filetime{}), 0);
    Outcome read;
    if (line.payload) {
        recording.header_pointer_size = line.header == RecordKind::system32 ? 4 : 8;
        read = read_payload(*line.payload, recording.header_pointer_size, recording.header);
    } else if (line.data) {
        std::vector<Given> data;
        reader.append(line.data, data);
        read = read_data(data, recording.header);
        recording.header_pointer_size = recording.header.pointer_size == 4 ? 4 : 8;
    }
    if (!read) {
        return std::unexpected(std::move(read.error()));
    }
    recording.header.log_file_name.clear(); // that of the file to come
    recording.reference_time =
        line.raw_time ? *line.raw_time
        : recording.header.clock_type() == etl::format::ClockType::system_time
            ? recording.header.start_time
            : 0;
    recording.process_id = line.pid;
    recording.thread_id = line.tid;
    recording.kernel_time = line.kernel_time;
    recording.user_time = line.user_time;
    recording.lineage = lineage_of(recording.header);
    return recording;
}

} // namespace lines
