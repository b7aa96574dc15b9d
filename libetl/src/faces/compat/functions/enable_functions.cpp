// Providers for sessions: EnableTrace, EnableTraceEx, EnableTraceEx2. docs/compat.md#controllers
#include "compat/any_session.hpp"
#include "compat/c_values.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>

namespace etl::compat {

using session::Outcome;
using session::refuse;
using session::Status;

namespace {

struct EnableRequest {
    TRACEHANDLE session = 0;
    const GUID* provider = nullptr;
    ULONG control = 0;
    UCHAR level = 0;
    ULONGLONG match_any = 0, match_all = 0;
    ULONG timeout = 0;
    ULONG property = 0;
    const GUID* source = nullptr;
    std::span<const EVENT_FILTER_DESCRIPTOR> filters;
};

Outcome<session::Filter> copy_filter(const EVENT_FILTER_DESCRIPTOR& from) {
    if (from.Size > MAX_EVENT_FILTER_PAYLOAD_SIZE) { // the largest of all kinds
        return refuse(Status::invalid_parameter, "filter too large");
    }
    if (from.Ptr == 0 && from.Size != 0) {
        return refuse(Status::invalid_parameter, "filter without data");
    }
    // An address that the caller stored as a number.
    const auto* data =
        reinterpret_cast<const std::byte*>( // NOLINT(*-reinterpret-cast,*-int-to-ptr)
            static_cast<std::uintptr_t>(from.Ptr));
    return session::Filter{.type = from.Type, .data = {data, data + from.Size}};
}

Outcome<session::EnableOptions> enable_of(const EnableRequest& request) {
    session::EnableOptions how{.level = request.level,
                               .match_any = request.match_any,
                               .match_all = request.match_all,
                               .property = request.property};
    if (request.source != nullptr) {
        how.source = to_guid(*request.source);
    }
    if (request.filters.size() > MAX_EVENT_FILTERS_COUNT) {
        return refuse(Status::invalid_parameter, "too many filters");
    }
    for (const EVENT_FILTER_DESCRIPTOR& one : request.filters) {
        if (one.Type == EVENT_FILTER_TYPE_NONE) {
            continue;
        }
        auto filter = copy_filter(one);
        if (!filter) {
            return std::unexpected(filter.error());
        }
        how.filters.push_back(std::move(*filter));
    }
    how.timeout = request.timeout == INFINITE
                      ? std::nullopt
                      : std::optional(std::chrono::milliseconds(request.timeout));
    return how;
}

Outcome<void> control(const AnySession& session, const Guid& provider, session::Control control,
                      const session::EnableOptions& how) {
    if (const auto* of_machine = std::get_if<MachineSession>(&session)) {
        return of_machine->control(provider, control, how);
    }
    const auto& own = std::get<session::Session>(session);
    switch (control) {
    case session::Control::disable:
        return own.disable(provider, how);
    case session::Control::enable:
        return own.enable(provider, how);
    case session::Control::capture_state:
        break;
    }
    return own.capture_state(provider, how);
}

ULONG enable(const EnableRequest& request) {
    if (request.session == 0 || request.provider == nullptr ||
        request.control > EVENT_CONTROL_CODE_CAPTURE_STATE) {
        return ERROR_INVALID_PARAMETER;
    }
    const auto how = enable_of(request);
    if (!how) {
        return to_c(how.error().status);
    }
    const auto session = find_session(request.session);
    if (!session) {
        return ERROR_INVALID_PARAMETER;
    }
    return to_c(control(*session, to_guid(*request.provider),
                        static_cast<session::Control>(request.control), *how));
}

/// Version 1 has one filter or none. False: neither version.
bool add_parameters(const ENABLE_TRACE_PARAMETERS& from, EnableRequest& to) {
    if (from.Version != ENABLE_TRACE_PARAMETERS_VERSION &&
        from.Version != ENABLE_TRACE_PARAMETERS_VERSION_2) {
        return false;
    }
    to.property = from.EnableProperty;
    to.source = &from.SourceId;
    const bool is_first = from.Version == ENABLE_TRACE_PARAMETERS_VERSION;
    const ULONG given = from.EnableFilterDesc != nullptr ? 1 : 0;
    const ULONG count = is_first ? given : from.FilterDescCount;
    if (count != 0 && from.EnableFilterDesc == nullptr) {
        return false;
    }
    to.filters = {from.EnableFilterDesc, count};
    return true;
}

} // namespace

} // namespace etl::compat

namespace compat = etl::compat;

extern "C" {

ULONG EnableTraceEx2(TRACEHANDLE session, LPCGUID provider, ULONG control, UCHAR level,
                     ULONGLONG match_any, ULONGLONG match_all, ULONG timeout,
                     PENABLE_TRACE_PARAMETERS parameters) {
    return compat::reported([&]() -> ULONG {
        compat::EnableRequest request{.session = session,
                                      .provider = provider,
                                      .control = control,
                                      .level = level,
                                      .match_any = match_any,
                                      .match_all = match_all,
                                      .timeout = timeout};
        if (parameters != nullptr && !compat::add_parameters(*parameters, request)) {
            return ERROR_INVALID_PARAMETER;
        }
        return compat::enable(request);
    });
}

ULONG EnableTraceEx(LPCGUID provider, LPCGUID source, TRACEHANDLE session, ULONG is_enabled,
                    UCHAR level, ULONGLONG match_any, ULONGLONG match_all, ULONG property,
                    PEVENT_FILTER_DESCRIPTOR filter) {
    return compat::reported([&]() -> ULONG {
        return compat::enable({.session = session,
                               .provider = provider,
                               .control = is_enabled,
                               .level = level,
                               .match_any = match_any,
                               .match_all = match_all,
                               .property = property,
                               .source = source,
                               .filters = {filter, filter != nullptr ? 1U : 0U}});
    });
}

ULONG EnableTrace(ULONG enable, ULONG flags, ULONG level, LPCGUID provider, TRACEHANDLE session) {
    return compat::reported([&]() -> ULONG {
        return compat::enable({.session = session,
                               .provider = provider,
                               .control = enable,
                               .level = static_cast<UCHAR>(level),
                               .match_any = flags});
    });
}

} // extern "C"
