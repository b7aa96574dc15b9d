#include "session/control/start_options.hpp"

#include "base/cursor.hpp"
#include "base/limits.hpp"
#include "base/text.hpp"
#include "session/control/session_names.hpp"
#include "session/limits.hpp"

#include <climits>

#include <algorithm>
#include <array>
#include <span>

namespace etl::session {

namespace {

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

/// GUIDs of reserved names, the session's name, and that it goes somewhere: rows 1 to 3.
Outcome<void> check_names(const SessionOptions& options) {
    const bool is_reserved = guid_of_reserved_name(options.name).has_value();
    if (!is_reserved && (options.guid == system_trace_control_guid || options.guid == ckcl_guid)) {
        return refuse(Status::invalid_parameter, "the GUID of a reserved session");
    }
    if (options.name.empty()) {
        return refuse(Status::invalid_name, "a session requires a name");
    }
    if (to_utf16(options.name).size() > max_name) {
        return refuse(Status::invalid_name, "a session name has at most 1024 characters");
    }
    if (auto path = check_path(options.file); !path) { // never as if there were none
        return path;
    }
    if (!asks(options, mode::real_time | mode::buffering) && options.file.empty()) {
        return refuse(Status::bad_pathname,
                      "a session requires a file, real-time mode, or buffering mode");
    }
    return {};
}

/// What needs a limit, a file, another mode.
Outcome<void> check_needs(const SessionOptions& options) {
    if (asks(options, mode::nonstoppable)) {
        return refuse(Status::invalid_parameter, "only Windows starts nonstoppable sessions");
    }
    if (asks(options,
             mode::circular | mode::new_file | mode::preallocate | mode::use_kbytes_for_size) &&
        options.maximum_file_size == 0) {
        return refuse(Status::invalid_parameter, "this mode requires a maximum file size");
    }
    if (asks(options, mode::new_file | mode::preallocate | mode::use_kbytes_for_size) &&
        options.file.empty()) {
        return refuse(Status::invalid_parameter, "this mode requires a file");
    }
    if (asks(options, mode::relog | mode::private_in_proc) &&
        !asks(options, mode::private_logger)) {
        return refuse(Status::invalid_parameter, "this mode requires a private session");
    }
    if (asks(options, mode::new_file) &&
        guid_of_reserved_name(options.name) == system_trace_control_guid) {
        return refuse(Status::invalid_parameter,
                      "the NT Kernel Logger cannot write a series of files");
    }
    return {};
}

/// Modes that contradict each other or need something else, as a controller is told before it asks
/// the core: row 4 of docs/sessions.md#checks.
Outcome<void> check_mode_at_start(const SessionOptions& options) {
    static constexpr std::array rules{
        Contradiction{mode::circular, mode::append | mode::new_file | mode::relog,
                      "circular mode excludes append, new file, and relog"},
        Contradiction{mode::append, mode::real_time | mode::relog,
                      "append mode excludes real-time and relog"},
        Contradiction{mode::new_file, mode::preallocate | mode::relog,
                      "new-file mode excludes preallocation and relog"},
        Contradiction{mode::private_logger, mode::real_time,
                      "private sessions cannot be real-time"},
        Contradiction{mode::add_header, mode::real_time, "add-header mode excludes real-time"},
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

/// The name of a series, and enable flags that are in an extension: rows 5 and 6.
Outcome<void> check_file_and_flags(const SessionOptions& options) {
    if (asks(options, mode::new_file) && !is_series_name(options.file)) {
        return refuse(Status::invalid_name,
                      "the file name of a series requires one %d and no other %");
    }
    if ((options.enable_flags & enable_flag_extension) != 0) {
        if (const auto size = extension_size(options); !size) {
            return std::unexpected(size.error());
        }
    }
    return {};
}

/// What the core has against it, for reserved and private sessions: of row 7.
Outcome<void> check_kinds_in_core(const SessionOptions& options) {
    if (asks(options, mode::new_file) && guid_of_reserved_name(options.name) == ckcl_guid) {
        return refuse(Status::invalid_parameter,
                      "the context logger cannot write a series of files");
    }
    if (asks(options, mode::use_paged_memory) &&
        (asks(options, mode::system_logger) ||
         guid_of_reserved_name(options.name) == system_trace_control_guid)) {
        return refuse(Status::invalid_parameter, "system loggers cannot use pageable memory");
    }
    if (asks(options, mode::buffering) && !options.file.empty()) {
        return refuse(Status::invalid_parameter,
                      "an in-memory session has no file until it is flushed");
    }
    if (!asks(options, mode::private_logger)) {
        if (asks(options, mode::compressed) && !asks(options, mode::buffering)) {
            return refuse(Status::invalid_parameter, "compressed files require a private session");
        }
        return {};
    }
    if (!asks(options, mode::private_in_proc) && options.guid.is_zero()) {
        return refuse(Status::invalid_parameter,
                      "a private session requires the GUID of its provider");
    }
    if (asks(options, mode::append)) {
        return refuse(Status::invalid_parameter, "private sessions cannot append");
    }
    if (asks(options, mode::compressed) && asks(options, mode::circular)) {
        return refuse(Status::invalid_parameter, "a compressed file cannot be circular");
    }
    return {};
}

/// Modes that the core knows to contradict each other: row 7.
Outcome<void> check_mode_in_core(const SessionOptions& options) {
    static constexpr std::array rules{
        Contradiction{mode::sequential, mode::circular,
                      "sequential and circular exclude each other"},
        Contradiction{mode::buffering,
                      mode::sequential | mode::circular | mode::append | mode::new_file |
                          mode::buffer_interface,
                      "an in-memory session excludes file modes"},
        Contradiction{mode::append, mode::new_file | mode::preallocate,
                      "append mode excludes new-file mode and preallocation"},
        Contradiction{mode::use_global_sequence, mode::use_local_sequence,
                      "global and local sequence numbers exclude each other"},
        Contradiction{mode::stop_on_hybrid_shutdown, mode::persist_on_hybrid_shutdown,
                      "stop and persist on hybrid shutdown exclude each other"},
        Contradiction{mode::system_logger, mode::new_file,
                      "system loggers cannot write a series of files"},
    };
    if (auto contradictions = refuse_any(options, rules); !contradictions) {
        return contradictions;
    }
    return check_kinds_in_core(options);
}

/// Name and GUID are not taken, and there is room for one more session of its kind: rows 8 and 9.
Outcome<void> check_room(const SessionOptions& options, const Running& running) {
    if (running.has_name || running.has_guid) {
        return refuse(Status::already_exists, running.has_name ? "a session with this name exists"
                                                               : "a session with this GUID exists");
    }
    if (asks(options, mode::private_logger)) {
        if (running.private_sessions >= max_private_sessions) {
            return refuse(Status::no_system_resources, "too many private sessions (at most 8)");
        }
        return {};
    }
    if (running.sessions >= running.max_sessions) {
        return refuse(Status::no_system_resources, "too many sessions");
    }
    if (is_system_logger(options) && running.system_loggers >= max_system_loggers) {
        return refuse(Status::no_system_resources, "too many system loggers (at most 8)");
    }
    return {};
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
