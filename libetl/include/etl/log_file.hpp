// What a trace says about its recording: TRACE_LOGFILE_HEADER, the payload of its first record; and
// how files are written. Values. docs/format/logfile-header.md
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace etl::format {

/// The clock type of a trace (ReservedFlags).
enum class ClockType : std::uint32_t { unknown = 0, qpc = 1, system_time = 2, cpu_cycles = 3 };

/// Returns "qpc", "system-time", "cpu-cycles", or "unknown".
std::string_view name(ClockType clock) noexcept;

/// EVENT_TRACE_xxx_MODE: the bits of LogFileMode. Those of real time and hybrid shutdown are
/// requests and never stored. docs/format/logfile-header.md#mode
namespace log_mode {
inline constexpr std::uint32_t none = 0;
inline constexpr std::uint32_t sequential = 0x1;
inline constexpr std::uint32_t circular = 0x2;
inline constexpr std::uint32_t append = 0x4;
inline constexpr std::uint32_t new_file = 0x8;
inline constexpr std::uint32_t use_ms_flush_timer = 0x10;
inline constexpr std::uint32_t preallocate = 0x20;
inline constexpr std::uint32_t nonstoppable = 0x40;
inline constexpr std::uint32_t secure = 0x80;
inline constexpr std::uint32_t real_time = 0x100;
inline constexpr std::uint32_t delay_open = 0x200;
inline constexpr std::uint32_t buffering = 0x400;
inline constexpr std::uint32_t private_logger = 0x800;
inline constexpr std::uint32_t add_header = 0x1000;
inline constexpr std::uint32_t use_kbytes_for_size = 0x2000;
inline constexpr std::uint32_t use_global_sequence = 0x4000;
inline constexpr std::uint32_t use_local_sequence = 0x8000;
inline constexpr std::uint32_t relog = 0x10000;
inline constexpr std::uint32_t private_in_proc = 0x20000;
inline constexpr std::uint32_t buffer_interface = 0x40000;
inline constexpr std::uint32_t kd_filter = 0x80000;
inline constexpr std::uint32_t real_time_relog = 0x100000;
inline constexpr std::uint32_t lost_events_debug = 0x200000;
inline constexpr std::uint32_t stop_on_hybrid_shutdown = 0x400000;
inline constexpr std::uint32_t persist_on_hybrid_shutdown = 0x800000;
inline constexpr std::uint32_t use_paged_memory = 0x1000000;
inline constexpr std::uint32_t system_logger = 0x2000000;
inline constexpr std::uint32_t compressed = 0x4000000;
inline constexpr std::uint32_t independent_session = 0x8000000;
inline constexpr std::uint32_t no_per_processor_buffering = 0x10000000;
inline constexpr std::uint32_t blocking = 0x20000000;
inline constexpr std::uint32_t add_to_triage_dump = 0x80000000;
} // namespace log_mode

/// SYSTEMTIME, as time zone rules use it.
struct SystemTime {
    std::uint16_t year, month, day_of_week, day, hour, minute, second, milliseconds;
};

struct TimeZone {
    std::int32_t bias = 0; // minutes; UTC = local time + bias
    std::u16string standard_name;
    SystemTime standard_date{};
    std::int32_t standard_bias = 0;
    std::u16string daylight_name;
    SystemTime daylight_date{};
    std::int32_t daylight_bias = 0;
};

/// The parsed header. Missing texts are empty.
struct LogfileHeader {
    std::uint32_t buffer_size = 0;
    std::uint8_t major_version = 0, minor_version = 0;   // Windows version
    std::uint8_t sub_version = 0, sub_minor_version = 0; // layout version
    std::uint32_t provider_version = 0;                  // Windows build number
    std::uint32_t number_of_processors = 0;
    std::int64_t end_time = 0; // FILETIME; 0 in an unfinalized file
    std::uint32_t timer_resolution = 0;
    std::uint32_t maximum_file_size = 0;
    std::uint32_t log_file_mode = 0;
    std::uint32_t buffers_written = 0;
    std::uint32_t start_buffers = 0;
    std::uint32_t pointer_size = 0;
    std::uint32_t events_lost = 0;
    std::uint32_t cpu_speed_mhz = 0;
    std::uint64_t logger_name_pointer = 0;
    std::uint64_t log_file_name_pointer = 0;
    TimeZone time_zone;
    std::int64_t boot_time = 0;
    std::int64_t perf_freq = 0;
    std::int64_t start_time = 0;
    std::uint32_t reserved_flags = 0; // ClockType
    std::uint32_t buffers_lost = 0;
    std::u16string session_name;
    std::u16string log_file_name;

    /// Returns the clock type. In layouts before Vista, 0 means system time.
    ClockType clock_type() const noexcept;
};

} // namespace etl::format

namespace etl {

/// Whether a call replaces an existing output file.
enum class Existing : bool {
    keep,    // no: an error
    replace, // yes, but never an input
};

/// How buffers are compressed; natively, so that Windows reads them.
enum class Compression : std::uint8_t {
    none,
    xpress, // what Windows writes
    xpress_huffman,
    lznt1,
};

} // namespace etl

namespace etl::trace {

/// When written bytes must survive a power loss.
enum class Durability : std::uint8_t { none, at_close, every_buffer };

} // namespace etl::trace
