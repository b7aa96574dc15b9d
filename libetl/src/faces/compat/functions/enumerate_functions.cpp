// What is registered and enabled, and other facts of sessions: EnumerateTraceGuids(Ex),
// TraceSetInformation, TraceQueryInformation. docs/compat.md#controllers
#include "compat/any_session.hpp"
#include "compat/c_values.hpp"
#include "compat/environment.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace etl::compat {

using session::ProviderState;

namespace {

enum class Kind : unsigned char { provider, group };

std::vector<ProviderState> list(Kind kind) {
    auto all = all_providers();
    std::erase_if(
        all, [kind](const ProviderState& one) { return one.is_group != (kind == Kind::group); });
    for (ProviderState& provider : all) { // on Windows, the last session replaces the others
        for (ProviderState::Instance& instance : provider.instances) {
            std::erase_if(instance.enabled, &ProviderState::Enablement::is_taken_over);
        }
    }
    return all;
}

TRACE_ENABLE_INFO enable_info_of(const ProviderState::Enablement& from) noexcept {
    TRACE_ENABLE_INFO to{};
    to.IsEnabled = TRUE;
    to.Level = from.level;
    to.LoggerId = from.session_id;
    to.EnableProperty = from.property;
    to.MatchAnyKeyword = from.match_any;
    to.MatchAllKeyword = from.match_all;
    return to;
}

/// Bytes of an answer, which has to fit into the caller's.
class Answer {
public:
    template <typename T>
    void put(const T& value) {
        const auto bytes = std::as_bytes(std::span<const T, 1>(&value, 1));
        bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    }

    ULONG give(PVOID to, ULONG room, PULONG needed) const {
        const auto size = static_cast<ULONG>(
            std::min<std::size_t>(bytes_.size(), std::numeric_limits<ULONG>::max()));
        if (needed != nullptr) {
            *needed = size;
        }
        if (size > room) {
            return ERROR_INSUFFICIENT_BUFFER;
        }
        if (to == nullptr && size != 0) {
            return ERROR_INVALID_PARAMETER;
        }
        if (size != 0) {
            std::memcpy(to, bytes_.data(), size);
        }
        return ERROR_SUCCESS;
    }

private:
    std::vector<std::byte> bytes_;
};

void put_guids(Answer& answer, Kind kind) {
    for (const ProviderState& provider : list(kind)) {
        answer.put(compat::to_c(provider.guid));
    }
}

/// Of this process, in any scope; without those that are only enabled.
void put_own_guids(Answer& answer) {
    for (const ProviderState& provider : environment().runtime.providers()) {
        if (!provider.is_group && provider.is_registered) {
            answer.put(compat::to_c(provider.guid));
        }
    }
}

ULONG instance_flags(const ProviderState& provider, const ProviderState::Instance& instance) {
    const ULONG legacy =
        instance.kind == session::ProviderKind::classic ? TRACE_PROVIDER_FLAG_LEGACY : 0;
    return legacy | (provider.is_registered ? 0 : TRACE_PROVIDER_FLAG_PRE_ENABLE);
}

/// TRACE_GUID_INFO, and per registration its own facts and who enabled it.
void put_instances(Answer& answer, const ProviderState& provider) {
    answer.put(TRACE_GUID_INFO{static_cast<ULONG>(provider.instances.size()), 0});
    for (std::size_t i = 0; i < provider.instances.size(); ++i) {
        const auto& instance = provider.instances[i];
        const auto enabled = static_cast<ULONG>(instance.enabled.size());
        const auto size = static_cast<ULONG>(sizeof(TRACE_PROVIDER_INSTANCE_INFO) +
                                             enabled * sizeof(TRACE_ENABLE_INFO));
        const bool is_last = i + 1 == provider.instances.size();
        answer.put(TRACE_PROVIDER_INSTANCE_INFO{is_last ? 0 : size, enabled, instance.process_id,
                                                instance_flags(provider, instance)});
        for (const ProviderState::Enablement& one : instance.enabled) {
            answer.put(enable_info_of(one));
        }
    }
}

ULONG put_instances_of(Answer& answer, Kind kind, Bytes guid) {
    if (guid.size() != sizeof(GUID)) {
        return ERROR_INVALID_PARAMETER;
    }
    GUID asked;
    std::memcpy(&asked, guid.data(), sizeof asked);
    const auto all = list(kind);
    const auto at = std::ranges::find(all, to_guid(asked), &ProviderState::guid);
    if (at == all.end()) {
        return ERROR_WMI_GUID_NOT_FOUND;
    }
    put_instances(answer, *at);
    return ERROR_SUCCESS;
}

ULONG enumerate(TRACE_QUERY_INFO_CLASS which, Bytes in, PVOID out, ULONG room, PULONG needed) {
    Answer answer;
    ULONG status = ERROR_SUCCESS;
    switch (static_cast<int>(which)) { // callers may give any number
    case TraceGuidQueryList:
        put_guids(answer, Kind::provider);
        break;
    case TraceGuidQueryProcess:
        put_own_guids(answer);
        break;
    case TraceGroupQueryList:
        put_guids(answer, Kind::group);
        break;
    case TraceGuidQueryInfo:
        status = put_instances_of(answer, Kind::provider, in);
        break;
    case TraceGroupQueryInfo:
        status = put_instances_of(answer, Kind::group, in);
        break;
    default:
        return ERROR_NOT_SUPPORTED;
    }
    return status != ERROR_SUCCESS ? status : answer.give(out, room, needed);
}

/// The old list has one line per provider: it names the session that enabled it last.
TRACE_GUID_PROPERTIES properties_of(const ProviderState& provider) {
    TRACE_GUID_PROPERTIES to{};
    to.Guid = compat::to_c(provider.guid);
    std::uint64_t latest = 0;
    for (const ProviderState::Instance& instance : provider.instances) {
        for (const ProviderState::Enablement& one : instance.enabled) {
            if (one.order < latest) {
                continue;
            }
            latest = one.order;
            to.LoggerId = one.session_id;
            to.EnableLevel = one.level;
            to.EnableFlags = static_cast<ULONG>(one.match_any);
            to.IsEnable = TRUE;
        }
    }
    return to;
}

ULONG enumerate_old(TRACE_GUID_PROPERTIES** array, ULONG room, ULONG* count) {
    if (array == nullptr || count == nullptr || room == 0) {
        return ERROR_INVALID_PARAMETER;
    }
    auto all = list(Kind::provider);
    std::erase_if(all, [](const ProviderState& one) { return !one.is_registered; });
    *count = static_cast<ULONG>(all.size());
    for (std::size_t i = 0; i < all.size() && i < room; ++i) {
        if (array[i] == nullptr) {
            return ERROR_INVALID_PARAMETER;
        }
        *array[i] = properties_of(all[i]);
    }
    return all.size() > room ? ERROR_MORE_DATA : ERROR_SUCCESS;
}

ULONG set_disallowed(TRACEHANDLE handle, Bytes guids) {
    const auto session = find_session(handle);
    if (!session) {
        return ERROR_INVALID_PARAMETER;
    }
    std::vector<Guid> list;
    for (std::size_t at = 0; at < guids.size(); at += sizeof(GUID)) {
        GUID one;
        std::memcpy(&one, guids.data() + at, sizeof one);
        list.push_back(to_guid(one));
    }
    return compat::to_c(std::visit([&](const auto& one) { return one.disallow(list); }, *session));
}

ULONG set_information(TRACEHANDLE handle, TRACE_INFO_CLASS which, Bytes data) {
    if (which == TraceSetDisallowList) {
        return data.size() % sizeof(GUID) != 0 ? ERROR_INCORRECT_SIZE
                                               : set_disallowed(handle, data);
    }
    // Which files hold the code of providers is not recorded; asking for it does no harm.
    if (which == TraceProviderBinaryTracking) {
        return data.size() == sizeof(BOOLEAN) ? ERROR_SUCCESS : ERROR_INCORRECT_SIZE;
    }
    return ERROR_NOT_SUPPORTED;
}

ULONG query_information(TRACEHANDLE handle, TRACE_INFO_CLASS which, PVOID to, ULONG room,
                        PULONG needed) {
    Answer answer;
    if (which == TraceVersionInfo) {
        answer.put(TRACE_VERSION_INFO{1, 0});
    } else if (which == TraceMaxLoggersQuery) {
        answer.put(static_cast<ULONG>(environment().state.options.sessions));
    } else if (which == TraceDisallowListQuery) {
        const auto session = find_session(handle);
        if (!session) {
            return ERROR_INVALID_PARAMETER;
        }
        const auto list = disallowed(*session);
        if (!list) {
            return compat::to_c(list.error().status);
        }
        for (const Guid& provider : *list) {
            answer.put(compat::to_c(provider));
        }
    } else {
        return ERROR_NOT_SUPPORTED;
    }
    return answer.give(to, room, needed);
}

} // namespace

} // namespace etl::compat

namespace compat = etl::compat;

extern "C" {

ULONG EnumerateTraceGuids(PTRACE_GUID_PROPERTIES* array, ULONG room, PULONG count) {
    return compat::reported([&]() -> ULONG { return compat::enumerate_old(array, room, count); });
}

ULONG EnumerateTraceGuidsEx(TRACE_QUERY_INFO_CLASS which, PVOID in, ULONG in_size, PVOID out,
                            ULONG room, PULONG needed) {
    return compat::reported([&]() -> ULONG {
        if (in == nullptr && in_size != 0) {
            return ERROR_INVALID_PARAMETER;
        }
        return compat::enumerate(which, {static_cast<const std::byte*>(in), in_size}, out, room,
                                 needed);
    });
}

ULONG TraceSetInformation(TRACEHANDLE session, TRACE_INFO_CLASS which, PVOID data, ULONG size) {
    return compat::reported([&]() -> ULONG {
        if (data == nullptr && size != 0) {
            return ERROR_INVALID_PARAMETER;
        }
        return compat::set_information(session, which, {static_cast<const std::byte*>(data), size});
    });
}

ULONG TraceQueryInformation(TRACEHANDLE session, TRACE_INFO_CLASS which, PVOID to, ULONG room,
                            PULONG needed) {
    return compat::reported(
        [&]() -> ULONG { return compat::query_information(session, which, to, room, needed); });
}

} // extern "C"
