// Sessions from outside: StartTrace, ControlTrace, QueryAllTraces. docs/compat.md#controllers
#include "compat/any_session.hpp"
#include "compat/c_values.hpp"
#include "compat/environment.hpp"
#include "compat/properties.hpp"
#include "session/control/session_names.hpp"
#include "session/control/start_options.hpp"

#include <new>
#include <optional>
#include <span>
#include <utility>

namespace etl::compat {

using session::Outcome;
using session::refuse;
using session::Session;
using session::SessionState;
using session::Status;

namespace {

constexpr ULONG control_codes = 6;

bool is_guid_of_another(const session::SessionOptions& options) {
    const bool is_reserved_guid =
        options.guid == session::system_trace_control_guid || options.guid == session::ckcl_guid;
    return is_reserved_guid && !session::is_system_logger({.name = options.name});
}

/// Steps that lie among those of session::check_start, in the documented order.
Outcome<session::SessionOptions> read_options(const Properties& properties, std::string name) {
    auto options = properties.options(std::move(name), {});
    if (is_guid_of_another(options)) {
        return refuse(Status::invalid_parameter, "the GUID of a reserved session");
    }
    if (auto room = properties.check_room(options.name); !room) {
        return std::unexpected(room.error());
    }
    options.file = properties.file().value_or("");
    if (auto checked = session::check_start(options, {}); !checked) {
        return std::unexpected(checked.error());
    }
    if (!properties.has_traced_guid_flag()) {
        return refuse(Status::invalid_parameter, "Wnode.Flags lacks WNODE_FLAG_TRACED_GUID");
    }
    if (auto checked = properties.check_filters(); !checked) {
        return std::unexpected(checked.error());
    }
    return options;
}

Outcome<TRACEHANDLE> start(const Name& name, EVENT_TRACE_PROPERTIES& given) {
    auto properties = Properties::of(given, name.form());
    if (!properties) {
        return std::unexpected(properties.error());
    }
    auto options = read_options(*properties, to_utf8(name));
    if (!options) {
        return std::unexpected(options.error());
    }
    const auto session = start_session(*options);
    if (!session) {
        return std::unexpected(session.error());
    }
    TRACEHANDLE handle = 0;
    try {
        if (const auto state = query(*session)) {
            handle = state->handle;
            static_cast<void>(properties->fill(*state, Properties::Names::may_be_cut_off));
        }
        // It runs: who is not told how can at least stop it.
        // NOLINTNEXTLINE(bugprone-empty-catch)
    } catch (const std::bad_alloc&) {
    }
    return handle;
}

ULONG start(TRACEHANDLE* handle, const Name& name, EVENT_TRACE_PROPERTIES* properties) {
    if (handle == nullptr || properties == nullptr) {
        return ERROR_INVALID_PARAMETER;
    }
    *handle = 0;
    if (name.is_null()) {
        return ERROR_INVALID_NAME;
    }
    const auto started = start(name, *properties);
    *handle = started.value_or(0);
    return to_c(started);
}

/// Private sessions have no name that others could know: their GUID says which one is meant.
std::optional<Session> find_private(const Guid& guid, const std::string& name) {
    const session::Runtime& runtime = environment().runtime;
    for (const SessionState& state : runtime.sessions(session::Runtime::Private::included)) {
        const bool is_private = (state.options.mode & session::mode::private_logger) != 0;
        const bool has_name =
            name.empty() || session::folded_name(state.options.name) == session::folded_name(name);
        if (is_private && state.options.guid == guid && has_name) {
            return runtime.find(state.handle);
        }
    }
    return std::nullopt;
}

Outcome<AnySession> find(TRACEHANDLE handle, const std::string& name,
                         const EVENT_TRACE_PROPERTIES& properties) {
    const Guid guid = to_guid(properties.Wnode.Guid);
    std::optional<AnySession> found;
    if (guid == session::system_trace_control_guid) {
        found = find_session("NT Kernel Logger");
    }
    if (!found && (properties.LogFileMode & EVENT_TRACE_PRIVATE_LOGGER_MODE) != 0 &&
        !guid.is_zero()) {
        if (const auto own = find_private(guid, name)) {
            found = *own;
        }
    }
    if (!found) {
        found = name.empty() ? find_session(handle) : find_session(name);
    }
    if (found) {
        return *found;
    }
    // Numbers that no session can have were never handed out.
    const bool may_have_been =
        !name.empty() || (handle != 0 && (handle & 0xFFFFU) <= environment().state.cores.size() &&
                          (handle & ~TRACEHANDLE{0x0100FFFF}) == 0);
    return may_have_been ? refuse(Status::wmi_instance_not_found, "no such session")
                         : refuse(Status::invalid_parameter, "neither a session name nor a handle");
}

template <typename SessionType>
Outcome<SessionState> update(const SessionType& session, const EVENT_TRACE_PROPERTIES& from,
                             std::string file) {
    session::UpdateOptions update{.flush_timer = from.FlushTimer,
                                  .maximum_buffers = from.MaximumBuffers,
                                  .file = std::move(file)};
    const auto now = session.query();
    if (!now) {
        return std::unexpected(now.error());
    }
    if ((now->options.mode & (session::mode::private_logger | session::mode::buffering)) == 0) {
        update.real_time = (from.LogFileMode & EVENT_TRACE_REAL_TIME_MODE) != 0;
    }
    if (from.EnableFlags != 0 && session::is_system_logger(now->options)) {
        update.enable_flags = from.EnableFlags;
    }
    return session.update(update);
}

/// The name of a file is there for a ring alone; others tell theirs at that place.
template <typename SessionType>
std::string file_for_ring(const SessionType& session, const std::string& file) {
    const auto now = session.query();
    return now && (now->options.mode & session::mode::buffering) != 0 ? file : std::string();
}

template <typename SessionType>
Outcome<SessionState> control(const SessionType& session, const Properties& properties,
                              ULONG code) {
    if (code == EVENT_TRACE_CONTROL_QUERY) {
        return session.query();
    }
    if (code == EVENT_TRACE_CONTROL_INCREMENT_FILE) {
        return session.switch_to_next_file();
    }
    if (code == EVENT_TRACE_CONTROL_CONVERT_TO_REALTIME) {
        return session.switch_to_real_time();
    }
    auto file = properties.file();
    if (!file && code == EVENT_TRACE_CONTROL_UPDATE) {
        return std::unexpected(file.error());
    }
    std::string name = file ? std::move(*file) : std::string();
    if (code == EVENT_TRACE_CONTROL_UPDATE) {
        return update(session, properties.fixed(), std::move(name));
    }
    name = file_for_ring(session, std::move(name));
    return code == EVENT_TRACE_CONTROL_FLUSH ? session.flush(name) : session.stop(name);
}

ULONG control(TRACEHANDLE handle, const Name& name, Form form, EVENT_TRACE_PROPERTIES* given,
              ULONG code) {
    if (given == nullptr || code >= control_codes) {
        return ERROR_INVALID_PARAMETER;
    }
    const std::string text = to_utf8(name);
    if (text.empty() && handle == 0 && to_guid(given->Wnode.Guid).is_zero()) {
        return ERROR_INVALID_PARAMETER;
    }
    auto properties = Properties::of(*given, form);
    if (!properties) {
        return to_c(properties.error().status);
    }
    const auto session = find(handle, text, *given);
    if (!session) {
        return to_c(session.error().status);
    }
    const auto state =
        std::visit([&](const auto& one) { return control(one, *properties, code); }, *session);
    return state ? to_c(properties->fill(*state, Properties::Names::must_fit))
                 : to_c(state.error().status);
}

ULONG query_all(EVENT_TRACE_PROPERTIES** array, ULONG room, ULONG* count, Form form) {
    if (array == nullptr || room == 0 || count == nullptr) {
        return ERROR_INVALID_PARAMETER;
    }
    const auto states = all_sessions();
    *count = static_cast<ULONG>(states.size());
    for (std::size_t i = 0; i < states.size() && i < room; ++i) {
        if (array[i] == nullptr) {
            return ERROR_INVALID_PARAMETER;
        }
        auto properties = Properties::of(*array[i], form);
        if (!properties) {
            return to_c(properties.error().status);
        }
        static_cast<void>(properties->fill(states[i], Properties::Names::may_be_cut_off));
    }
    return states.size() > room ? ERROR_MORE_DATA : ERROR_SUCCESS;
}

} // namespace

} // namespace etl::compat

namespace compat = etl::compat;

extern "C" {

ULONG StartTraceW(PTRACEHANDLE handle, LPCWSTR name, PEVENT_TRACE_PROPERTIES properties) {
    return compat::reported(
        [&]() -> ULONG { return compat::start(handle, {.wide = name}, properties); });
}

ULONG StartTraceA(PTRACEHANDLE handle, LPCSTR name, PEVENT_TRACE_PROPERTIES properties) {
    return compat::reported(
        [&]() -> ULONG { return compat::start(handle, {.narrow = name}, properties); });
}

ULONG ControlTraceW(TRACEHANDLE handle, LPCWSTR name, PEVENT_TRACE_PROPERTIES properties,
                    ULONG code) {
    return compat::reported([&]() -> ULONG {
        return compat::control(handle, {.wide = name}, compat::Form::wide, properties, code);
    });
}

ULONG ControlTraceA(TRACEHANDLE handle, LPCSTR name, PEVENT_TRACE_PROPERTIES properties,
                    ULONG code) {
    return compat::reported([&]() -> ULONG {
        return compat::control(handle, {.narrow = name}, compat::Form::narrow, properties, code);
    });
}

ULONG StopTraceW(TRACEHANDLE handle, LPCWSTR name, PEVENT_TRACE_PROPERTIES properties) {
    return ControlTraceW(handle, name, properties, EVENT_TRACE_CONTROL_STOP);
}

ULONG StopTraceA(TRACEHANDLE handle, LPCSTR name, PEVENT_TRACE_PROPERTIES properties) {
    return ControlTraceA(handle, name, properties, EVENT_TRACE_CONTROL_STOP);
}

ULONG QueryTraceW(TRACEHANDLE handle, LPCWSTR name, PEVENT_TRACE_PROPERTIES properties) {
    return ControlTraceW(handle, name, properties, EVENT_TRACE_CONTROL_QUERY);
}

ULONG QueryTraceA(TRACEHANDLE handle, LPCSTR name, PEVENT_TRACE_PROPERTIES properties) {
    return ControlTraceA(handle, name, properties, EVENT_TRACE_CONTROL_QUERY);
}

ULONG UpdateTraceW(TRACEHANDLE handle, LPCWSTR name, PEVENT_TRACE_PROPERTIES properties) {
    return ControlTraceW(handle, name, properties, EVENT_TRACE_CONTROL_UPDATE);
}

ULONG UpdateTraceA(TRACEHANDLE handle, LPCSTR name, PEVENT_TRACE_PROPERTIES properties) {
    return ControlTraceA(handle, name, properties, EVENT_TRACE_CONTROL_UPDATE);
}

ULONG FlushTraceW(TRACEHANDLE handle, LPCWSTR name, PEVENT_TRACE_PROPERTIES properties) {
    return ControlTraceW(handle, name, properties, EVENT_TRACE_CONTROL_FLUSH);
}

ULONG FlushTraceA(TRACEHANDLE handle, LPCSTR name, PEVENT_TRACE_PROPERTIES properties) {
    return ControlTraceA(handle, name, properties, EVENT_TRACE_CONTROL_FLUSH);
}

ULONG QueryAllTracesW(PEVENT_TRACE_PROPERTIES* array, ULONG room, PULONG count) {
    return compat::reported(
        [&]() -> ULONG { return compat::query_all(array, room, count, compat::Form::wide); });
}

ULONG QueryAllTracesA(PEVENT_TRACE_PROPERTIES* array, ULONG room, PULONG count) {
    return compat::reported(
        [&]() -> ULONG { return compat::query_all(array, room, count, compat::Form::narrow); });
}

} // extern "C"
