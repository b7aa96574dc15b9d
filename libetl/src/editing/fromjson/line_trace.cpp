#include "fromjson/line_trace.hpp"

#include <etl/byte_writer.hpp>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "format/kernel_group.hpp"
#include "format/records.hpp"
#include "fromjson/event_line.hpp"
#include "fromjson/line_records.hpp"
#include "fromjson/member_values.hpp"
#include "trace/recording.hpp"

#include <algorithm>
#include <expected>
#include <unordered_set>
#include <utility>
#include <vector>

namespace etl::fromjson {

// What the first lines of an input say of the trace to come: a trace says who it is before its
// first event. docs/write.md#header

// The log file header event of a dump: what the trace that is written is to say of itself.
// docs/write.md#header

/// True for the event that every trace begins with.
bool is_logfile_header(const EventLine& line);

/// The recording by a line that is_logfile_header(): by its payload, else by its data; with
/// Prefer::data by its payload and then by what its data say otherwise. What neither says is as of
/// a machine of which nothing is known. `reader` has read the line just now.
LineResult<etl::trace::Recording> recording_of(const EventLine& line, const EventLineReader& reader,
                                               PreferredSource prefer);

struct TracePlan {
    std::optional<etl::trace::Recording> recording; // none: no line was of use so far
    bool has_header = false;                        // it comes from a log file header
    RawTimes raw_times = RawTimes::foreign;
    /// Lines that went into the recording, by number: they are no events any more.
    std::unordered_set<std::uint64_t> used;
};

/// Looks at lines before the output is opened. One thread.
class TracePlanner {
public:
    TracePlanner(EventLineReader& reader, PreferredSource prefer)
        : reader_(&reader), prefer_(prefer) {}

    /// The next line; what is wrong with it is told when it is written.
    void inspect(std::string_view line, std::uint64_t number);

    /// False: what follows the lines so far does not belong to the header buffer any more.
    bool needs_more_lines() const noexcept { return wants_more_; }

    /// The plan by the lines so far. Without a log file header a recording on the system's clock
    /// that begins with the earliest event, or at an unknown time (0) if none has a time. `records`
    /// makes those of the header buffer.
    TracePlan take(LineRecords& records);

private:
    void keep_extra(std::string_view text, std::uint64_t number);

    struct Extra {
        std::string text;
        std::uint64_t number;
    };

    EventLineReader* reader_;
    PreferredSource prefer_;
    TracePlan plan_;
    bool wants_more_ = true;
    bool has_events_ = false;
    std::size_t written_by_hand_ = 0; // lines
    std::optional<etl::Filetime> earliest_;
    std::optional<etl::Filetime> earliest_stored_; // by raw_time, of lines without a time
    std::vector<Extra> extras_;                    // records of the header buffer
    std::size_t extra_bytes_ = 0;
};

namespace {

using etl::encode::InputValue;
using etl::format::LogfileHeader;
using etl::format::RecordKind;
using Values = std::span<const InputValue>;

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
            fail(name, "out of range");
            return;
        }
        to = static_cast<T>(*value);
    }

    void time(std::string_view name, std::int64_t& to) {
        const Values found = member(data_, name);
        if (found.empty() || found.front().kind == InputValue::Kind::null) {
            return;
        }
        const auto text_of = fromjson::text(found.front());
        const auto value = text_of ? etl::parse_rfc3339(*text_of) : std::nullopt;
        if (!value) {
            fail(name, "not an RFC 3339 time");
            return;
        }
        to = value->ticks;
    }

    void text(std::string_view name, std::u16string& to) {
        if (const Values found = member(data_, name); !found.empty()) {
            const auto text_of = fromjson::text(found.front());
            if (!text_of) {
                fail(name, "not a string");
                return;
            }
            to = etl::to_utf16(*text_of);
        }
    }

    LineResult<void> result() const {
        return error_ ? LineResult<void>(std::unexpected(*error_)) : LineResult<void>{};
    }

private:
    void fail(std::string_view name, const char* what) {
        if (!error_) {
            error_ = LineError{"data." + std::string(name), what};
        }
    }

    Values data_;
    std::optional<LineError> error_;
};

LineResult<void> read_time_zone(Values zone, etl::format::TimeZone& to) {
    DataReader in(zone);
    in.number("Bias", to.bias);
    in.text("StandardName", to.standard_name);
    in.number("StandardBias", to.standard_bias);
    in.text("DaylightName", to.daylight_name);
    in.number("DaylightBias", to.daylight_bias);
    return in.result();
}

// The names are those of docs/output.md#header.
LineResult<void> read_data(Values data, LogfileHeader& header) {
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
    return in.result();
}

etl::trace::Lineage lineage_of(const LogfileHeader& header, const EventLine& line) noexcept {
    const bool is_old =
        header.major_version < 6 || (header.major_version == 6 && header.minor_version <= 1);
    if (is_old) {
        return etl::trace::Lineage::windows7;
    }
    if ((header.log_file_mode & etl::format::log_mode::relog) != 0) {
        return etl::trace::Lineage::relogger;
    }
    // Only lines of `etl dump --raw` have flags; they have the raw time as well.
    const bool is_unmarked =
        line.raw_time && (line.flags & etl::format::event_flag::processor_index) == 0;
    return is_unmarked ? etl::trace::Lineage::unmarked : etl::trace::Lineage::session;
}

bool holds_nul(std::u16string_view name) noexcept {
    return name.find(u'\0') != name.npos;
}

const char* what_is_wrong_with_name(std::u16string_view name, std::size_t longest) noexcept {
    return holds_nul(name)         ? "contains a NUL character"
           : name.size() > longest ? "name too long"
                                   : nullptr;
}

/// Speeds that no clock has would make nonsense of every time.
const char* what_is_wrong_with_speed(std::int64_t speed, bool counts) noexcept {
    constexpr std::int64_t fastest = 100'000'000'000; // 100 GHz
    return speed < 0 || speed > fastest ? "not a valid clock frequency"
           : speed == 0 && counts       ? "0 is not a valid clock frequency"
                                        : nullptr;
}

const char* what_is_wrong_with_mode(std::uint32_t mode) noexcept {
    namespace log_mode = etl::format::log_mode;
    constexpr std::uint32_t global_sequence = 0x4000;
    constexpr std::uint32_t local_sequence = 0x8000;
    const auto has = [&](std::uint32_t bits) { return (mode & bits) == bits; };
    const bool contradicts_itself = has(log_mode::circular | log_mode::append) ||
                                    has(log_mode::circular | log_mode::new_file) ||
                                    has(global_sequence | local_sequence);
    return contradicts_itself ? "contradicting mode bits" : nullptr;
}

const char* what_is_wrong_with_time(std::int64_t time) noexcept {
    return time < 0 ? "before 1601" : nullptr;
}

// What no machine says of itself, and readers would stumble over.
LineResult<void> validate(const LogfileHeader& header) {
    using etl::format::ClockType;
    constexpr std::size_t max_zone_name = 31; // and a NUL
    constexpr std::size_t max_session_name = 1024;
    constexpr auto last_clock = static_cast<std::uint32_t>(ClockType::cpu_cycles);
    const ClockType clock = header.clock_type();
    const bool has_clock = header.reserved_flags <= last_clock && clock != ClockType::unknown;

    const struct {
        const char* name;
        const char* problem;
    } members[] = {
        {"NumberOfProcessors", header.number_of_processors > etl::limits::processors
                                   ? "not a number from 0 to 2048"
                                   : nullptr},
        {"LogFileMode", what_is_wrong_with_mode(header.log_file_mode)},
        {"PointerSize",
         header.pointer_size != 4 && header.pointer_size != 8 ? "expected 4 or 8" : nullptr},
        {"CPUSpeed", what_is_wrong_with_speed(std::int64_t{header.cpu_speed_mhz} * 1'000'000,
                                              clock == ClockType::cpu_cycles)},
        {"TimeZone.StandardName",
         what_is_wrong_with_name(header.time_zone.standard_name, max_zone_name)},
        {"TimeZone.DaylightName",
         what_is_wrong_with_name(header.time_zone.daylight_name, max_zone_name)},
        {"EndTime", what_is_wrong_with_time(header.end_time)},
        {"BootTime", what_is_wrong_with_time(header.boot_time)},
        {"PerfFreq", what_is_wrong_with_speed(header.perf_freq, clock == ClockType::qpc)},
        {"StartTime", what_is_wrong_with_time(header.start_time)},
        {"ReservedFlags", has_clock ? nullptr : "not a clock type"},
        {"SessionName", what_is_wrong_with_name(header.session_name, max_session_name)},
    };

    for (const auto& [name, problem] : members) {
        if (problem != nullptr) {
            return std::unexpected(LineError{std::string("data.") + name, problem});
        }
    }
    return {};
}

LineResult<void> read_payload(std::string_view digits, unsigned pointer_size, LogfileHeader& to) {
    std::vector<std::byte> bytes;
    if (!read_hex(digits, bytes)) {
        return std::unexpected(LineError{"payload", "not a hex string"});
    }
    auto parsed = etl::format::parse_logfile_header(bytes, pointer_size, {});
    if (!parsed) {
        return std::unexpected(LineError{"payload", etl::describe(parsed.error())});
    }
    to = *std::move(parsed);
    return {};
}

/// Whether the provider and the event are those of the header. A class without an opcode and
/// without the name of an event is enough.
bool names_logfile_header(const EventLine& line) {
    const auto is_event = [&] {
        return line.event && class_event_name(line).transform([](const auto& name) {
            return etl::equals_ignoring_case(name, "EventTrace/Header");
        }) == true;
    };
    if (line.provider_guid == etl::format::event_trace_guid) {
        return line.opcode || line.hook_id || !line.event || is_event();
    }
    const bool is_kernel = line.provider_guid
                               ? *line.provider_guid == etl::format::system_trace_guid
                               : line.provider && kernel_class_in(*line.provider);
    return is_kernel && is_event();
}

} // namespace

bool is_logfile_header(const EventLine& line) {
    const bool is_system =
        line.header == RecordKind::none || line.header.family == etl::format::RecordFamily::system;
    return is_system && line.opcode.value_or(0) == 0 &&
           line.hook_id.value_or(0) == etl::format::logfile_header_hook &&
           names_logfile_header(line);
}

LineResult<etl::trace::Recording> recording_of(const EventLine& line, const EventLineReader& reader,
                                               PreferredSource prefer) {
    const auto at = line.time ? etl::parse_rfc3339(*line.time) : std::nullopt;
    etl::trace::Recording recording = etl::trace::begin_recording(at.value_or(etl::Filetime{}), 0);
    LineResult<void> read;
    if (line.payload) {
        recording.header_pointer_size = line.header.width == etl::format::Width::bits32 ? 4 : 8;
        read = read_payload(*line.payload, recording.header_pointer_size, recording.header);
    }
    // Over what the payload says: data do not tell all of it.
    const bool takes_data =
        line.data &&
        (!line.payload || (prefer == PreferredSource::data && !line.contradicts_schema));
    if (read && takes_data) {
        std::vector<InputValue> data;
        reader.append(line.data, data);
        read = read_data(data, recording.header);
        if (!line.payload) {
            recording.header_pointer_size = recording.header.pointer_size == 4 ? 4 : 8;
        }
    }
    if (read) {
        read = validate(recording.header);
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
    recording.lineage = lineage_of(recording.header, line);
    return recording;
}

namespace {

// Header buffers are small: what a session puts behind the log file header are a few records.
constexpr std::size_t max_extra_bytes = 64U << 10U;

// A dump says all of an event. Where clocks run oddly its header is not its first line.
bool is_dumped(const EventLine& line) noexcept {
    return line.buffer || (line.channel && line.opcode && line.task && line.keyword);
}

} // namespace

void TracePlanner::inspect(std::string_view text, std::uint64_t number) {
    const auto read = reader_->read(text);
    if (!read) {
        return;
    }
    const EventLine& line = **read;
    if (is_logfile_header(line)) {
        if (plan_.has_header) {
            return; // only the first counts
        }
        if (auto recording = recording_of(line, *reader_, prefer_)) {
            plan_.raw_times = line.raw_time ? RawTimes::own : RawTimes::foreign;
            plan_.recording = *std::move(recording);
            plan_.has_header = true;
            plan_.used.insert(number);
        }
        return;
    }
    has_events_ = true;
    const auto time = line.time ? etl::parse_rfc3339(*line.time) : std::nullopt;
    if (time && (!earliest_ || *time < *earliest_)) {
        earliest_ = time;
    } else if (!line.time && line.raw_time && *line.raw_time >= etl::Filetime::unix_epoch) {
        earliest_stored_ = std::min(earliest_stored_.value_or(etl::Filetime{*line.raw_time}),
                                    etl::Filetime{*line.raw_time});
    }
    if (line.buffer == 0U) {
        keep_extra(text, number);
    } else {
        const bool has_time = earliest_ || earliest_stored_;
        wants_more_ = !plan_.has_header && (is_dumped(line) || ++written_by_hand_ < 2 || !has_time);
    }
}

void TracePlanner::keep_extra(std::string_view text, std::uint64_t number) {
    if (extra_bytes_ + text.size() <= max_extra_bytes) {
        extra_bytes_ += text.size();
        extras_.push_back({std::string(text), number});
    }
}

TracePlan TracePlanner::take(LineRecords& records) {
    if (!plan_.recording) {
        // Of records without times, nothing says when they were recorded.
        const etl::Filetime unknown = has_events_ ? etl::Filetime{} : etl::now();
        plan_.recording = etl::trace::begin_recording(
            earliest_ ? *earliest_ : earliest_stored_.value_or(unknown), 0);
        return std::move(plan_);
    }
    records.set_trace(*plan_.recording, plan_.raw_times);
    etl::ByteWriter extras;
    for (Extra& extra : extras_) {
        extra.text.resize(extra.text.size() + EventLineReader::padding);
        const auto read = reader_->read(
            std::string_view(extra.text).substr(0, extra.text.size() - EventLineReader::padding));
        const auto record = read ? records.make(**read) : std::unexpected(read.error());
        if (record) {
            extras.align(8).bytes(*record);
            plan_.used.insert(extra.number);
        }
    }
    plan_.recording->extra_records = extras.align(8).take();
    return std::move(plan_);
}

const std::size_t line_padding = EventLineReader::padding;

struct LineTrace::State {
    State(SchemaLoader schemas, PreferredSource which)
        : prefer(which), planner(reader, which), records(reader, std::move(schemas), which) {}

    LineResult<LineRecord> skip_header(const EventLine& line);

    PreferredSource prefer;
    bool has_header = false;
    EventLineReader reader;
    TracePlanner planner;
    LineRecords records;
    std::unordered_set<std::uint64_t> used;
    std::uint64_t further_headers = 0;
};

LineResult<LineTrace::LineRecord> LineTrace::State::skip_header(const EventLine& line) {
    records.distrust_raw_times();
    if (const auto recording = recording_of(line, reader, prefer); !recording) {
        return std::unexpected(recording.error());
    }
    if (!has_header) {
        return std::unexpected(LineError{"", "the log file header must precede the events"});
    }
    ++further_headers;
    return LineRecord{};
}

LineTrace::LineTrace(SchemaLoader schemas, PreferredSource prefer)
    : state_(std::make_unique<State>(std::move(schemas), prefer)) {}

LineTrace::~LineTrace() = default;

void LineTrace::inspect(std::string_view line, std::uint64_t number) {
    state_->planner.inspect(line, number);
}

bool LineTrace::needs_more_lines() const noexcept {
    return state_->planner.needs_more_lines();
}

trace::Recording LineTrace::begin() {
    State& s = *state_;
    TracePlan plan = s.planner.take(s.records);
    s.has_header = plan.has_header;
    s.used = std::move(plan.used);
    s.records.set_trace(*plan.recording, plan.raw_times);
    return *std::move(plan.recording);
}

bool LineTrace::has_header() const noexcept {
    return state_->has_header;
}

void LineTrace::continue_trace(const trace::Recording& recording) {
    state_->records.set_trace(recording, RawTimes::foreign);
}

LineResult<LineTrace::LineRecord> LineTrace::make(std::string_view line, std::uint64_t number) {
    State& s = *state_;
    if (number != 0 && s.used.contains(number)) {
        return LineRecord{};
    }
    const auto read = s.reader.read(line);
    if (!read) {
        return std::unexpected(read.error());
    }
    const EventLine& event = **read;
    if (is_logfile_header(event)) {
        return s.skip_header(event);
    }
    const auto record = s.records.make(event);
    if (!record) {
        return std::unexpected(record.error());
    }
    return LineRecord{event.cpu, *record, !event.time_is_null};
}

std::uint64_t LineTrace::further_headers() const noexcept {
    return state_->further_headers;
}

const std::vector<std::string>& LineTrace::unknown_keys() const noexcept {
    return state_->reader.unknown_keys();
}

} // namespace etl::fromjson
