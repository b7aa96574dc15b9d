#include "session/control/start_checks.hpp"

#include <etl/base/text.hpp>

#include "session/control/asked_options.hpp"
#include "session/control/session_names.hpp"

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

/// Modes that contradict each other or need something else, as a controller is told before it asks
/// the core: row 4 of docs/sessions.md#checks.
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

/// The name of a series, and enable flags that are in an extension: rows 5 and 6.
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

/// What the core has against it, for reserved and private sessions: of row 7.
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

/// Modes that the core knows to contradict each other: row 7.
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

/// Name and GUID are not taken, and there is room for one more session of its kind: rows 8 and 9.
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

} // namespace etl::session
