#include "session/control/start_checks.hpp"

#include <etl/base/cursor.hpp>
#include <etl/base/limits.hpp>
#include <etl/base/text.hpp>
#include <etl/session/limits.hpp>

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

namespace etl::session {

namespace {

/// Of sessions and files, in UTF-16 units.
constexpr std::size_t longest_name = 1024;

constexpr std::string_view kernel_logger_name = "NT Kernel Logger";
constexpr std::string_view context_logger_name = "Circular Kernel Context Logger";

bool asks(const SessionOptions& options, std::uint32_t bits) {
    return (options.mode & bits) != 0;
}

std::optional<Guid> guid_of_reserved_name(std::string_view name) {
    const std::u16string folded = folded_name(name);
    if (folded == folded_name(kernel_logger_name)) {
        return system_trace_control_guid;
    }
    if (folded == folded_name(context_logger_name)) {
        return ckcl_guid;
    }
    return std::nullopt;
}

bool has_usable_file(const SessionOptions& options) {
    return !options.file.empty() && to_utf16(options.file).size() <= longest_name;
}

/// A mode, others that it cannot be with, and why not.
struct Contradiction {
    std::uint32_t mode = 0, others = 0;
    const char* what = "";
};

Outcome<void> refuse_any(const SessionOptions& options, std::span<const Contradiction> rules) {
    for (const Contradiction& rule : rules) {
        if (asks(options, rule.mode) && asks(options, rule.others)) {
            return refuse(Status::invalid_parameter, rule.what);
        }
    }
    return {};
}

Outcome<void> check_names(const SessionOptions& options) {
    const bool is_reserved = guid_of_reserved_name(options.name).has_value();
    if (!is_reserved && (options.guid == system_trace_control_guid || options.guid == ckcl_guid)) {
        return refuse(Status::invalid_parameter, "the GUID of a reserved session");
    }
    if (options.name.empty()) {
        return refuse(Status::invalid_name, "a session needs a name");
    }
    if (to_utf16(options.name).size() > longest_name) {
        return refuse(Status::invalid_name, "a session's name asks at most 1024 characters");
    }
    if (!asks(options, mode::real_time | mode::buffering) && !has_usable_file(options)) {
        return refuse(Status::bad_pathname, "a session needs a file, real time or buffering mode");
    }
    return {};
}

/// What needs a limit, a file, another mode.
Outcome<void> check_needs(const SessionOptions& options) {
    if (asks(options, mode::nonstoppable)) {
        return refuse(Status::invalid_parameter, "nonstoppable sessions are started with Windows");
    }
    if (asks(options,
             mode::circular | mode::new_file | mode::preallocate | mode::use_kbytes_for_size) &&
        options.maximum_file_size == 0) {
        return refuse(Status::invalid_parameter, "this mode needs a maximum file size");
    }
    if (asks(options, mode::new_file | mode::preallocate | mode::use_kbytes_for_size) &&
        !has_usable_file(options)) {
        return refuse(Status::invalid_parameter, "this mode needs a file");
    }
    if (asks(options, mode::relog | mode::private_in_proc) &&
        !asks(options, mode::private_logger)) {
        return refuse(Status::invalid_parameter, "this mode is for private sessions");
    }
    if (asks(options, mode::new_file) &&
        guid_of_reserved_name(options.name) == system_trace_control_guid) {
        return refuse(Status::invalid_parameter, "no series of files for the NT Kernel Logger");
    }
    return {};
}

/// A13.
Outcome<void> check_mode_at_start(const SessionOptions& options) {
    static constexpr std::array rules{
        Contradiction{mode::circular, mode::append | mode::new_file | mode::relog,
                      "a circular file is not appended to, no series, not relogged"},
        Contradiction{mode::append, mode::real_time | mode::relog,
                      "append is not for real time, not for relogging"},
        Contradiction{mode::new_file, mode::preallocate | mode::relog,
                      "a series of files is not preallocated, not relogged"},
        Contradiction{mode::private_logger, mode::real_time, "no real time in private sessions"},
        Contradiction{mode::add_header, mode::real_time, "add-header is not for real time"},
    };
    if (auto needs = check_needs(options); !needs) {
        return needs;
    }
    if (auto contradictions = refuse_any(options, rules); !contradictions) {
        return contradictions;
    }
    const bool is_private = asks(options, mode::private_logger);
    if (asks(options, mode::independent_session) &&
        is_private == (options.profile == Profile::newest)) {
        return refuse(Status::invalid_parameter, is_private
                                                     ? "independent sessions cannot be private"
                                                     : "independent sessions must be private");
    }
    return {};
}

/// Bytes of the extension that the upper half of the flags speaks of. docs/sessions.md#flags
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

/// A14, A15.
Outcome<void> check_file_and_flags(const SessionOptions& options) {
    if (asks(options, mode::new_file) && !is_series_name(options.file)) {
        return refuse(Status::invalid_name, "the name of a series needs one %d, and no other %");
    }
    if ((options.enable_flags & enable_flag_extension) != 0) {
        if (const auto size = extension_size(options); !size) {
            return std::unexpected(size.error());
        }
    }
    return {};
}

/// B2: what the core asks against it, for reserved and private sessions.
Outcome<void> check_kinds_in_core(const SessionOptions& options) {
    if (asks(options, mode::new_file) && guid_of_reserved_name(options.name) == ckcl_guid) {
        return refuse(Status::invalid_parameter, "no series of files for the context logger");
    }
    if (asks(options, mode::use_paged_memory) &&
        (asks(options, mode::system_logger) ||
         guid_of_reserved_name(options.name) == system_trace_control_guid)) {
        return refuse(Status::invalid_parameter, "system loggers have no pageable memory");
    }
    if (asks(options, mode::buffering) && has_usable_file(options)) {
        return refuse(Status::invalid_parameter,
                      "a ring in memory asks no file until it is flushed");
    }
    if (!asks(options, mode::private_logger)) {
        if (asks(options, mode::compressed) && !asks(options, mode::buffering)) {
            return refuse(Status::invalid_parameter,
                          "only private sessions write compressed files");
        }
        return {};
    }
    if (!asks(options, mode::private_in_proc) && options.guid.is_zero()) {
        return refuse(Status::invalid_parameter, "a private session needs its provider's GUID");
    }
    if (asks(options, mode::append)) {
        return refuse(Status::invalid_parameter, "private sessions do not append");
    }
    if (asks(options, mode::compressed) && asks(options, mode::circular)) {
        return refuse(Status::invalid_parameter, "a compressed file cannot be circular");
    }
    return {};
}

Outcome<void> check_mode_in_core(const SessionOptions& options) {
    static constexpr std::array rules{
        Contradiction{mode::sequential, mode::circular, "sequential and circular"},
        Contradiction{mode::buffering,
                      mode::sequential | mode::circular | mode::append | mode::new_file |
                          mode::buffer_interface,
                      "a ring in memory asks no file mode"},
        Contradiction{mode::append, mode::new_file | mode::preallocate,
                      "append is not for series, nor for preallocated files"},
        Contradiction{mode::use_global_sequence, mode::use_local_sequence,
                      "global and local sequence numbers"},
        Contradiction{mode::stop_on_hybrid_shutdown, mode::persist_on_hybrid_shutdown,
                      "stop and persist on hybrid shutdown"},
        Contradiction{mode::system_logger, mode::new_file, "no series of files for system loggers"},
    };
    if (auto contradictions = refuse_any(options, rules); !contradictions) {
        return contradictions;
    }
    return check_kinds_in_core(options);
}

/// B3, B4.
Outcome<void> check_room(const SessionOptions& options, const Running& running) {
    if (running.has_name || running.has_guid) {
        return refuse(Status::already_exists,
                      running.has_name ? "a session asks this name" : "a session asks this GUID");
    }
    if (asks(options, mode::private_logger)) {
        if (running.private_sessions >= most_private_sessions) {
            return refuse(Status::no_system_resources, "eight private sessions run");
        }
        return {};
    }
    if (running.sessions >= running.most_sessions) {
        return refuse(Status::no_system_resources, "all slots for sessions are taken");
    }
    if (is_system_logger(options) && running.system_loggers >= most_system_loggers) {
        return refuse(Status::no_system_resources, "eight system loggers run");
    }
    return {};
}

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
        options.flush_timer = least_real_time_timer(bits);
    }
}

void adopt_buffers(SessionOptions& options) {
    constexpr std::uint32_t usual_kb = 64, least_kb = 4, most_kb = limits::buffer_bytes >> 10U;
    constexpr std::uint32_t beyond_minimum = 22;
    options.buffer_kb =
        options.buffer_kb == 0 ? usual_kb : std::clamp(options.buffer_kb, least_kb, most_kb);
    const std::uint32_t floor = 2U * stripes(options);
    const auto by_memory = static_cast<std::uint32_t>(limits::session_memory_bytes /
                                                      (std::uint64_t{options.buffer_kb} << 10U));
    // One of their numbers is none.
    const std::uint32_t ceiling = std::max(floor, std::min(limits::session_buffers - 1, by_memory));
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

Outcome<void> check_start(const SessionOptions& options, const Running& running) {
    for (const auto step :
         {check_names, check_mode_at_start, check_file_and_flags, check_mode_in_core}) {
        if (auto checked = step(options); !checked) {
            return checked;
        }
    }
    return check_room(options, running);
}

SessionOptions adopt(SessionOptions options, const Machine& machine) {
    if (const auto guid = guid_of_reserved_name(options.name)) {
        options.guid = *guid;
    } else if (options.guid.is_zero()) {
        options.guid = machine.fresh_guid;
    }
    if (!has_usable_file(options)) {
        options.file.clear();
    }
    if (options.processors == 0) {
        options.processors = machine.processors;
    }
    options.processors = std::clamp<std::uint16_t>(options.processors, 1, limits::processors);
    options.clock = adopted_clock(options.clock, machine);
    correct_mode(options);
    adopt_buffers(options);
    const bool has_extension = (options.enable_flags & enable_flag_extension) != 0;
    options.enable_extension.resize(has_extension ? extension_size(options).value_or(0) : 0);
    return options;
}

bool is_system_logger(const SessionOptions& options) {
    return asks(options, mode::system_logger) || guid_of_reserved_name(options.name).has_value();
}

std::u16string folded_name(std::string_view name) {
    std::u16string folded = to_utf16(name);
    // Characters beyond the first 65536 are two units and stay as they are, as on Windows.
    for (char16_t& unit : folded) {
        const UChar32 point = u_foldCase(unit, U_FOLD_CASE_DEFAULT);
        unit = U_IS_BMP(point) ? static_cast<char16_t>(point) : unit;
    }
    return folded;
}

bool is_series_name(std::string_view file) noexcept {
    const std::size_t percent = file.find('%');
    return percent != std::string_view::npos && file.substr(percent).starts_with("%d") &&
           file.find('%', percent + 1) == std::string_view::npos;
}

std::uint32_t flush_period(const SessionOptions& adopted) noexcept {
    constexpr std::uint32_t milliseconds = 1000;
    if ((adopted.mode & mode::use_ms_flush_timer) != 0) {
        return adopted.flush_timer;
    }
    constexpr std::uint32_t longest = 0xFFFFFFFF / milliseconds;
    return std::min(adopted.flush_timer, longest) * milliseconds;
}

std::uint16_t stripes(const SessionOptions& adopted) noexcept {
    return (adopted.mode & mode::no_per_processor_buffering) != 0 ? std::uint16_t{1}
                                                                  : adopted.processors;
}

std::uint32_t least_real_time_timer(std::uint32_t mode) noexcept {
    constexpr std::uint32_t one_second = 1, in_milliseconds = 1000;
    return (mode & mode::use_ms_flush_timer) != 0 ? in_milliseconds : one_second;
}

} // namespace etl::session
