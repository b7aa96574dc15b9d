#include "session/control/adoption.hpp"

#include "base/cursor.hpp"
#include "base/limits.hpp"
#include "base/text.hpp"
#include "session/control/session_names.hpp"
#include "session/limits.hpp"

#include <climits>

#include <algorithm>

namespace etl::session {

namespace {

bool is_too_long(const std::string& path) {
#ifdef PATH_MAX
    if (path.size() >= PATH_MAX) { // with its terminator
        return true;
    }
#endif
    return to_utf16(path).size() > max_name;
}

} // namespace

Outcome<void> check_path(const std::string& path) {
    return is_too_long(path) ? refuse(Status::bad_pathname,
                                      "a log file path has at most 1024 characters (UTF-16 units)")
                             : Outcome<void>{};
}

bool is_system_logger(const SessionOptions& options) {
    return asks(options, mode::system_logger) || guid_of_reserved_name(options.name).has_value();
}

Outcome<std::size_t> extension_size(const SessionOptions& options) {
    constexpr std::uint32_t long_form = 0xFF;
    constexpr std::size_t dword = 4;
    const std::uint32_t offset = options.enable_flags & 0xFFFF;
    const std::uint32_t length = options.enable_flags >> 16U & 0xFF;
    const auto malformed = [] {
        return refuse(Status::invalid_parameter, "the extension of the enable flags is malformed");
    };
    if (offset == 0 || length == 0) {
        return malformed();
    }
    if (length != long_form) {
        return length * dword <= options.enable_extension.size()
                   ? Outcome<std::size_t>(length * dword)
                   : malformed();
    }
    Cursor in(options.enable_extension);
    const std::size_t whole = in.u16("Length");
    const std::size_t items = in.u16("Items");
    if (!in || whole == 0 || whole * dword > options.enable_extension.size()) {
        return malformed();
    }
    std::size_t at = 1; // dwords
    for (std::size_t i = 0; i < items; ++i) {
        Cursor item(Bytes(options.enable_extension).subspan(at * dword));
        const std::size_t size = at < whole ? item.u16("Offset") : 0;
        if (size == 0 || size > whole - at) {
            return malformed();
        }
        at += size;
    }
    return whole * dword;
}

namespace {

void correct_mode(SessionOptions& options) {
    std::uint32_t& bits = options.mode;
    constexpr std::uint32_t file_modes = mode::circular | mode::buffering;
    if (asks(options, mode::append | mode::new_file) ||
        (!asks(options, file_modes) && !options.file.empty())) {
        bits |= mode::sequential;
    }
    if (asks(options, mode::buffering)) {
        bits &= ~mode::real_time;
        options.flush_timer = 0;
        options.flush_threshold = 0;
    }
    if (asks(options, mode::buffer_interface)) {
        bits |= mode::secure;
    }
    if (asks(options, mode::kd_filter)) {
        bits &= ~mode::use_paged_memory;
    }
    if (asks(options, mode::real_time) && options.flush_timer == 0) {
        options.flush_timer = min_real_time_timer(bits);
    }
}

void adopt_buffers(SessionOptions& options) {
    constexpr std::uint32_t usual_kb = 64, min_kb = 4, max_kb = etl::limits::buffer_bytes >> 10U;
    constexpr std::uint32_t beyond_minimum = 22;
    options.buffer_kb =
        options.buffer_kb == 0 ? usual_kb : std::clamp(options.buffer_kb, min_kb, max_kb);
    const std::uint32_t floor = 2U * stripes(options);
    const auto by_memory = static_cast<std::uint32_t>(limits::memory_bytes /
                                                      (std::uint64_t{options.buffer_kb} << 10U));
    // One of their numbers is none.
    const std::uint32_t ceiling = std::max(floor, std::min(limits::buffers - 1, by_memory));
    options.minimum_buffers = std::clamp(options.minimum_buffers, floor, ceiling);
    if (options.maximum_buffers == 0) {
        options.maximum_buffers = options.minimum_buffers + beyond_minimum;
    }
    options.maximum_buffers = asks(options, mode::buffering)
                                  ? options.minimum_buffers
                                  : std::clamp(options.maximum_buffers, options.minimum_buffers,
                                               std::max(options.minimum_buffers, ceiling));
}

std::uint32_t adopted_clock(std::uint32_t clock, const Machine& machine) {
    constexpr std::uint32_t qpc = 1, system_time = 2, cycles = 3;
    if (clock == cycles) {
        return machine.has_cycle_clock ? cycles : system_time;
    }
    return clock == system_time ? system_time : qpc;
}

} // namespace

SessionOptions adopt(SessionOptions options, const Machine& machine) {
    if (const auto guid = guid_of_reserved_name(options.name)) {
        options.guid = *guid;
    } else if (options.guid.is_zero()) {
        options.guid = machine.fresh_guid;
    }
    if (options.processors == 0) {
        options.processors = machine.processors;
    }
    options.processors = std::clamp<std::uint16_t>(options.processors, 1, etl::limits::processors);
    options.clock = adopted_clock(options.clock, machine);
    correct_mode(options);
    adopt_buffers(options);
    const bool has_extension = (options.enable_flags & enable_flag_extension) != 0;
    options.enable_extension.resize(has_extension ? extension_size(options).value_or(0) : 0);
    return options;
}

std::uint32_t flush_period(const SessionOptions& adopted) noexcept {
    constexpr std::uint32_t milliseconds = 1000;
    if ((adopted.mode & mode::use_ms_flush_timer) != 0) {
        return adopted.flush_timer;
    }
    constexpr std::uint32_t max_size = 0xFFFFFFFF / milliseconds;
    return std::min(adopted.flush_timer, max_size) * milliseconds;
}

std::uint16_t stripes(const SessionOptions& adopted) noexcept {
    return (adopted.mode & mode::no_per_processor_buffering) != 0 ? std::uint16_t{1}
                                                                  : adopted.processors;
}

std::uint32_t min_real_time_timer(std::uint32_t mode) noexcept {
    constexpr std::uint32_t one_second = 1, in_milliseconds = 1000;
    return (mode & mode::use_ms_flush_timer) != 0 ? in_milliseconds : one_second;
}

} // namespace etl::session
