#include <etl/bytes.hpp>
#include <etl/compat/evntrace.h>
#include <etl/guid.hpp>
#include <etl/session.hpp>

#include "compat/c_values.hpp"
#include "compat/environment.hpp"
#include "format/limits.hpp"
#include "format/record_kind.hpp"
#include "format/records.hpp"
#include "host/process.hpp"
#include "session/logging/session_core.hpp"
#include "session/providers/registrations.hpp"
#include "session/writing/event_targets.hpp"
#include "session/writing/event_writer.hpp"

#include <array>
#include <cstdarg>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>

namespace etl::compat {

// ClassicTarget: the session that a classic event names by its handle. With ETL_SCOPE=machine, all
// but private ones belong to the machine. docs/compat.md#classic

/// What a classic provider knows of a session that enabled it, in one number
/// (TRACE_ENABLE_CONTEXT). A value.
struct LoggerHandle {
    std::uint64_t value = 0;

    static LoggerHandle of(std::uint64_t session, std::uint8_t level,
                           std::uint32_t flags) noexcept {
        return {session | std::uint64_t{level} << 16U | std::uint64_t{flags} << 32U};
    }

    /// Returns the handle of StartTrace: its number, and the bit of private sessions.
    std::uint64_t session() const noexcept { return value & 0x0100FFFF; }

    std::uint8_t level() const noexcept { return static_cast<std::uint8_t>(value >> 16U); }

    std::uint32_t flags() const noexcept { return static_cast<std::uint32_t>(value >> 32U); }
};

class ClassicTarget {
public:
    explicit ClassicTarget(TRACEHANDLE handle) noexcept;

    /// False: there is no such session; of the machine, also one that has enabled no classic
    /// provider of this process.
    bool is_found() const noexcept { return session_.core != nullptr || route_.region != nullptr; }

    /// Mode bits, as far as they are known here.
    std::uint32_t mode() const noexcept;

    /// Number of the next message. A session of the machine numbers them itself.
    std::uint32_t next_sequence() const noexcept;

    /// Writes a record; timestamp and processor as in session::write_record.
    ULONG write(Bytes record, std::optional<std::uint32_t> stamp_at,
                std::optional<std::uint16_t> processor) const noexcept;

    /// A record that is larger than any.
    ULONG lose_too_large() const noexcept;

private:
    session::SessionRef session_; // no core: of the machine
    session::ClassicRoute route_;
    std::uint16_t number_ = 0; // on the machine
};

ClassicTarget::ClassicTarget(TRACEHANDLE handle) noexcept {
    const std::uint64_t session = LoggerHandle{handle}.session();
    if (environment().is_of_machine && session <= 0xFFFF) {
        number_ = static_cast<std::uint16_t>(session);
        route_ = environment().registrations.classic_route(number_);
    } else {
        session_ = environment().state.running(session);
    }
}

std::uint32_t ClassicTarget::mode() const noexcept {
    if (session_.core == nullptr) {
        return route_.refuses_classic ? session::mode::secure : 0;
    }
    return session_.core->mode.load(std::memory_order_relaxed);
}

std::uint32_t ClassicTarget::next_sequence() const noexcept {
    return session_.core == nullptr ? 0 : environment().state.next_sequence(*session_.core);
}

ULONG ClassicTarget::write(Bytes record, std::optional<std::uint32_t> stamp_at,
                           std::optional<std::uint16_t> processor) const noexcept {
    if (route_.refuses_all) {
        return ERROR_ACCESS_DENIED;
    }
    const session::WriteResult result =
        session_.core == nullptr
            ? session::write_classic_to_region(*route_.region, number_, record)
            : session::write_record(*session_.core, session_.ticket, record, stamp_at, processor);
    if (result.status == session::Status::success && result.written + result.lost == 0) {
        return ERROR_INVALID_HANDLE; // it was stopped meanwhile
    }
    return to_c(result.status);
}

ULONG ClassicTarget::lose_too_large() const noexcept {
    if (route_.refuses_all) {
        return ERROR_ACCESS_DENIED;
    }
    if (session_.core == nullptr) {
        session::lose_classic_in_region(*route_.region, number_);
        return ERROR_MORE_DATA;
    }
    return session_.core->buffers.count_lost(session_.ticket) ? ERROR_MORE_DATA
                                                              : ERROR_INVALID_HANDLE;
}

// Classic providers: RegisterTraceGuids, TraceEvent, TraceEventInstance. docs/compat.md#classic

namespace {

// Classic events as records: FULL and INSTANCE. docs/compat.md#classic, docs/format/record.md

using RecordMemory = std::array<std::byte, format::max_record_size + 1>;

/// The data of a classic event: what lies behind its header, or where its MOF_FIELDs point.
class ClassicData {
public:
    /// False: more fields than there may be.
    bool read(const std::byte* behind, std::size_t size, ULONG flags) noexcept;

    std::uint64_t size() const noexcept;

    /// size() bytes.
    void put(std::byte* to) const noexcept;

private:
    std::array<Bytes, MAX_MOF_FIELDS> parts_{};
    std::size_t count_ = 0;
};

/// EVENT_TRACE_HEADER and EVENT_INSTANCE_HEADER have these at the same places.
struct CommonHeader {
    USHORT size = 0;
    UCHAR type = 0, level = 0;
    USHORT version = 0;
    ULONG flags = 0;

    template <typename Header>
    explicit CommonHeader(const Header& from) noexcept
        : size(from.Size), type(from.Class.Type), level(from.Class.Level),
          version(from.Class.Version), flags(from.Flags) {}
};

bool ClassicData::read(const std::byte* behind, std::size_t size, ULONG flags) noexcept {
    if ((flags & WNODE_FLAG_USE_MOF_PTR) == 0) {
        parts_[0] = {behind, size};
        count_ = 1;
        return true;
    }
    count_ = size / sizeof(MOF_FIELD);
    if (count_ > MAX_MOF_FIELDS) {
        return false;
    }
    for (std::size_t i = 0; i < count_; ++i) {
        MOF_FIELD field;
        std::memcpy(&field, behind + i * sizeof field, sizeof field);
        parts_[i] = {reinterpret_cast<const std::byte*>( // NOLINT(*-reinterpret-cast,*-int-to-ptr)
                         static_cast<std::uintptr_t>(field.DataPtr)),
                     field.Length};
    }
    return true;
}

std::uint64_t ClassicData::size() const noexcept {
    std::uint64_t all = 0;
    for (const Bytes part : std::span(parts_).first(count_)) {
        all += part.size();
    }
    return all;
}

void ClassicData::put(std::byte* to) const noexcept {
    for (const Bytes part : std::span(parts_).first(count_)) {
        if (!part.empty()) {
            std::memcpy(to, part.data(), part.size());
            to += part.size();
        }
    }
}

/// The fields that FULL and INSTANCE records share, at the same places.
void put_common(std::span<std::byte, format::full_record::size> to, std::uint16_t size,
                format::RecordFamily family, const CommonHeader& from, const Guid& event_class) {
    namespace full = format::full_record;
    constexpr auto width = sizeof(void*) == 4 ? format::Width::bits32 : format::Width::bits64;
    store_le(to.data(), format::first_dword({family, width}, size));
    store<full::type>(to, from.type);
    store<full::level>(to, from.level);
    store<full::version>(to, from.version);
    store<full::thread_id>(to, host::thread_id());
    store<full::process_id>(to, host::process_id());
    store<full::time_stamp>(to, std::int64_t{0});
    store<full::guid>(to, event_class);
    store<full::kernel_time>(to, std::uint32_t{0});
    store<full::user_time>(to, std::uint32_t{0});
}

/// A classic registration's callback, and which session it was told of last.
class ControlRequest {
public:
    ControlRequest(WMIDPREQUEST callback, PVOID context, const Guid& provider) noexcept
        : callback_(callback), context_(context), provider_(provider) {}

    void tell(const session::EnableNotification& notice) {
        const bool is_on = notice.is_enabled != 0;
        if (is_on) {
            last_ = enabled_by();
        }
        WNODE_HEADER header{};
        header.BufferSize = sizeof header;
        header.HistoricalContext =
            LoggerHandle::of(last_, is_on ? notice.level : std::uint8_t{0},
                             is_on ? static_cast<std::uint32_t>(notice.match_any) : 0)
                .value;
        header.Guid = to_c(provider_);
        header.Flags = WNODE_FLAG_TRACED_GUID;
        ULONG size = sizeof header;
        callback_(is_on ? WMI_ENABLE_EVENTS : WMI_DISABLE_EVENTS, context_, &size, &header);
    }

private:
    /// Handle of the one session that can have a classic provider enabled.
    std::uint64_t enabled_by() const {
        const Environment& all = environment();
        if (const auto of_machine = all.registrations.machine_session_of(provider_)) {
            return of_machine;
        }
        for (const session::ProviderState& provider : all.registrations.list()) {
            if (provider.guid != provider_ || provider.is_group) {
                continue;
            }
            for (const auto& instance : provider.instances) {
                for (const auto& enablement : instance.enabled) {
                    if (!enablement.is_taken_over) {
                        return all.state.handle_of(enablement.session_id);
                    }
                }
            }
        }
        return last_;
    }

    WMIDPREQUEST callback_;
    PVOID context_;
    Guid provider_;
    std::uint64_t last_ = 0;
};

ULONG register_classes(std::span<TRACE_GUID_REGISTRATION> classes) {
    for (TRACE_GUID_REGISTRATION& one : classes) {
        if (one.Guid == nullptr) {
            return ERROR_INVALID_PARAMETER;
        }
        const std::uintptr_t handle = environment().classes.add(to_guid(*one.Guid));
        if (handle == 0) {
            return ERROR_OUTOFMEMORY;
        }
        one.RegHandle = reinterpret_cast<HANDLE>(handle); // NOLINT(*-reinterpret-cast,*-int-to-ptr)
    }
    return ERROR_SUCCESS;
}

ULONG register_guids(WMIDPREQUEST callback, PVOID context, const GUID* provider, ULONG count,
                     TRACE_GUID_REGISTRATION* classes, TRACEHANDLE* handle) {
    if (callback == nullptr || provider == nullptr || handle == nullptr ||
        (classes == nullptr && count != 0)) {
        return ERROR_INVALID_PARAMETER;
    }
    *handle = 0;
    if (const ULONG status = register_classes({classes, count}); status != ERROR_SUCCESS) {
        return status;
    }
    const auto request = std::make_shared<ControlRequest>(callback, context, to_guid(*provider));
    const auto node = environment().registrations.add(
        to_guid(*provider), session::ProviderKind::classic,
        [request](const session::EnableNotification& notice) { request->tell(notice); });
    if (node) {
        *handle = (*node)->handle.load();
    }
    return to_c(node);
}

/// Errors of both kinds of classic event, in their order.
ULONG check(const ClassicTarget& session, std::size_t size, std::size_t min, ULONG flags) {
    if (!session.is_found()) {
        return ERROR_INVALID_HANDLE;
    }
    if (size < min) {
        return ERROR_INVALID_PARAMETER;
    }
    constexpr ULONG invalid_flag_number = 186;
    if ((flags & WNODE_FLAG_TRACED_GUID) == 0) {
        return invalid_flag_number;
    }
    return (session.mode() & session::mode::secure) != 0 ? ERROR_ACCESS_DENIED : ERROR_SUCCESS;
}

/// An event that comes with its record whole (WNODE_FLAG_NO_HEADER): stored as it is.
ULONG relog(const ClassicTarget& session, const EVENT_TRACE_HEADER& header) {
    if ((session.mode() & session::mode::relog) == 0 || header.Size < sizeof(EVENT_TRACE)) {
        return ERROR_INVALID_PARAMETER;
    }
    EVENT_TRACE all;
    std::memcpy(&all, &header, sizeof all); // it goes on behind its header
    const Bytes record{static_cast<const std::byte*>(all.MofData), all.MofLength};
    if (all.MofData == nullptr || record.size() > format::max_record_size ||
        format::record_at(record).size != record.size()) {
        return ERROR_INVALID_PARAMETER;
    }
    return session.write(record, std::nullopt, all.BufferContext.ProcessorIndex);
}

ULONG trace_event(TRACEHANDLE handle, const EVENT_TRACE_HEADER& header) {
    const ClassicTarget session(handle);
    const ULONG status = check(session, header.Size, sizeof header, header.Flags);
    if (status != ERROR_SUCCESS) {
        return status;
    }
    if ((header.Flags & WNODE_FLAG_NO_HEADER) != 0) {
        return relog(session, header);
    }
    const auto* all = reinterpret_cast<const std::byte*>(&header); // NOLINT(*-reinterpret-cast)
    ClassicData data;
    if (!data.read(all + sizeof header, header.Size - sizeof header, header.Flags)) {
        return ERROR_INVALID_PARAMETER;
    }
    const std::uint64_t size = format::full_record::size + data.size();
    if (size > format::max_record_size) {
        return session.lose_too_large();
    }
    const bool has_pointer = (header.Flags & WNODE_FLAG_USE_GUID_PTR) != 0;
    GUID event_class = header.Guid;
    if (has_pointer) {
        std::memcpy(&event_class,
                    reinterpret_cast<const void*>( // NOLINT(*-reinterpret-cast,*-int-to-ptr)
                        static_cast<std::uintptr_t>(header.GuidPtr)),
                    sizeof event_class);
    }
    RecordMemory record; // NOLINT(*-member-init): only as far as it is used
    put_common(std::span(record).first<format::full_record::size>(),
               static_cast<std::uint16_t>(size), format::RecordFamily::full, CommonHeader(header),
               to_guid(event_class));
    data.put(record.data() + format::full_record::size);
    return session.write(Bytes(record).first(size), format::full_record::time_stamp.offset,
                         std::nullopt);
}

ClassGuid* class_of(const EVENT_INSTANCE_INFO& info) {
    return environment().classes.find(
        reinterpret_cast<std::uintptr_t>(info.RegHandle)); // NOLINT(*-reinterpret-cast)
}

ULONG trace_instance(TRACEHANDLE handle, const EVENT_INSTANCE_HEADER& header,
                     const EVENT_INSTANCE_INFO& instance, const EVENT_INSTANCE_INFO* parent) {
    const ClassicTarget session(handle);
    const ULONG status = check(session, header.Size, sizeof header, header.Flags);
    if (status != ERROR_SUCCESS) {
        return status;
    }
    const ClassGuid* own = class_of(instance);
    const ClassGuid* above = parent != nullptr ? class_of(*parent) : nullptr;
    const auto* all = reinterpret_cast<const std::byte*>(&header); // NOLINT(*-reinterpret-cast)
    ClassicData data;
    if (own == nullptr || (parent != nullptr && above == nullptr) ||
        !data.read(all + sizeof header, header.Size - sizeof header, header.Flags)) {
        return ERROR_INVALID_PARAMETER;
    }
    namespace layout = format::instance_record;
    const std::uint64_t size = layout::size + data.size();
    if (size > format::max_record_size) {
        return session.lose_too_large();
    }
    RecordMemory record; // NOLINT(*-member-init): only as far as it is used
    put_common(std::span(record).first<format::full_record::size>(),
               static_cast<std::uint16_t>(size), format::RecordFamily::instance,
               CommonHeader(header), own->guid);
    const auto fixed = std::span(record).first<layout::size>();
    store<layout::instance_id>(fixed, instance.InstanceId);
    store<layout::parent_instance_id>(fixed, parent != nullptr ? parent->InstanceId : 0U);
    store<layout::parent_guid>(fixed, above != nullptr ? above->guid : Guid{});
    data.put(record.data() + layout::size);
    return session.write(Bytes(record).first(size), format::full_record::time_stamp.offset,
                         std::nullopt);
}

} // namespace

} // namespace etl::compat

namespace compat = etl::compat;

extern "C" {

ULONG RegisterTraceGuidsW(WMIDPREQUEST callback, PVOID context, LPCGUID provider, ULONG count,
                          PTRACE_GUID_REGISTRATION classes, LPCWSTR /*mof_file*/,
                          LPCWSTR /*mof_resource*/, PTRACEHANDLE handle) {
    return compat::guarded([&]() -> ULONG {
        return compat::register_guids(callback, context, provider, count, classes, handle);
    });
}

ULONG RegisterTraceGuidsA(WMIDPREQUEST callback, PVOID context, LPCGUID provider, ULONG count,
                          PTRACE_GUID_REGISTRATION classes, LPCSTR /*mof_file*/,
                          LPCSTR /*mof_resource*/, PTRACEHANDLE handle) {
    return compat::guarded([&]() -> ULONG {
        return compat::register_guids(callback, context, provider, count, classes, handle);
    });
}

ULONG UnregisterTraceGuids(TRACEHANDLE handle) {
    return compat::guarded(
        [&]() -> ULONG { return handle == 0 ? ERROR_INVALID_PARAMETER : EventUnregister(handle); });
}

TRACEHANDLE GetTraceLoggerHandle(PVOID buffer) {
    WNODE_HEADER header{};
    if (buffer != nullptr) {
        std::memcpy(&header, buffer, sizeof header);
    }
    if (header.BufferSize < sizeof header) {
        SetLastError(buffer == nullptr ? ERROR_INVALID_PARAMETER : ERROR_BAD_LENGTH);
        return INVALID_PROCESSTRACE_HANDLE;
    }
    SetLastError(ERROR_SUCCESS);
    return header.HistoricalContext;
}

UCHAR GetTraceEnableLevel(TRACEHANDLE handle) {
    SetLastError(handle == 0 ? ERROR_INVALID_HANDLE : ERROR_SUCCESS);
    return compat::LoggerHandle{handle}.level();
}

ULONG GetTraceEnableFlags(TRACEHANDLE handle) {
    SetLastError(handle == 0 ? ERROR_INVALID_HANDLE : ERROR_SUCCESS);
    return compat::LoggerHandle{handle}.flags();
}

ULONG CreateTraceInstanceId(HANDLE class_handle, PEVENT_INSTANCE_INFO instance) {
    return compat::guarded([&]() -> ULONG {
        if (class_handle == nullptr || instance == nullptr) {
            return ERROR_INVALID_PARAMETER;
        }
        instance->RegHandle = class_handle;
        compat::ClassGuid* found = compat::class_of(*instance);
        if (found == nullptr) {
            return ERROR_INVALID_PARAMETER;
        }
        instance->InstanceId = found->instances.fetch_add(1, std::memory_order_relaxed) + 1;
        return ERROR_SUCCESS;
    });
}

ULONG TraceEvent(TRACEHANDLE handle, PEVENT_TRACE_HEADER event) {
    return compat::guarded([&]() -> ULONG {
        return event == nullptr ? ERROR_INVALID_PARAMETER : compat::trace_event(handle, *event);
    });
}

ULONG TraceEventInstance(TRACEHANDLE handle, PEVENT_INSTANCE_HEADER event,
                         PEVENT_INSTANCE_INFO instance, PEVENT_INSTANCE_INFO parent) {
    return compat::guarded([&]() -> ULONG {
        return event == nullptr || instance == nullptr
                   ? ERROR_INVALID_PARAMETER
                   : compat::trace_instance(handle, *event, *instance, parent);
    });
}

} // extern "C"

namespace etl::compat {

// Messages of WPP: TraceMessage. docs/compat.md#messages

namespace {

namespace layout = format::message_record;

/// A record as it grows, behind its fixed header.
class MessageRecord {
public:
    template <typename T>
    void put(T value) noexcept { // the fixed part is far smaller than the room
        store_le(bytes_.data() + size_, value);
        size_ += sizeof value;
    }

    void put(Bytes data) noexcept {
        if (data.size() > max - size_) {
            is_too_large_ = true;
            return;
        }
        if (!data.empty()) {
            std::memcpy(bytes_.data() + size_, data.data(), data.size());
        }
        size_ += data.size();
    }

    bool is_too_large() const noexcept { return is_too_large_; }

    std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(size_); }

    Bytes finish(std::uint16_t number, std::uint16_t options) noexcept {
        constexpr std::uint8_t marker = 0x90;
        const auto fixed = std::span(bytes_).first<layout::size>();
        store<layout::size_>(fixed, static_cast<std::uint16_t>(size_));
        store<layout::reserved>(fixed, std::uint8_t{0});
        store<layout::marker>(fixed, marker);
        store<layout::number>(fixed, number);
        store<layout::options>(fixed, options);
        return Bytes(bytes_).first(size_);
    }

private:
    static constexpr std::size_t max = format::max_record_size;

    std::array<std::byte, max + 1> bytes_; // NOLINT(*-member-init): only as far as it is used
    std::size_t size_ = layout::size;
    bool is_too_large_ = false;
};

/// The optional fields; the result is where the time stamp belongs.
std::optional<std::uint32_t> put_fields(MessageRecord& record, const ClassicTarget& session,
                                        std::uint16_t options, const GUID* id) noexcept {
    if ((options & layout::sequence) != 0) {
        record.put(session.next_sequence());
    }
    if ((options & layout::component_id) != 0) {
        ULONG component = 0;
        std::memcpy(&component, id, sizeof component);
        record.put(component);
    } else if ((options & layout::guid) != 0) {
        record.put(to_guid(*id));
    }
    std::optional<std::uint32_t> stamp_at;
    if ((options & (layout::time_stamp | layout::performance_time_stamp)) != 0) {
        if ((options & layout::time_stamp) != 0) {
            stamp_at = record.size();
        }
        record.put(std::int64_t{0});
    }
    if ((options & layout::system_info) != 0) {
        record.put(host::thread_id());
        record.put(host::process_id());
    }
    return stamp_at;
}

/// WPP ends the list with the int 0, which leaves the upper half of the argument undefined.
bool is_end(const void* argument) noexcept {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(argument)) == 0;
}

/// Address and size, address and size, ..., 0.
void put_arguments(MessageRecord& record, va_list arguments) noexcept {
    for (;;) {
        const void* const data = va_arg(arguments, const void*);
        if (is_end(data)) {
            return;
        }
        const std::size_t size = va_arg(arguments, std::size_t);
        record.put({static_cast<const std::byte*>(data), size});
        if (record.is_too_large()) {
            return;
        }
    }
}

ULONG trace_message(TRACEHANDLE handle, ULONG flags, const GUID* id, USHORT number,
                    va_list arguments) {
    const ClassicTarget session(handle);
    if (!session.is_found()) {
        return ERROR_INVALID_HANDLE;
    }
    auto options = static_cast<std::uint16_t>(flags & TRACE_MESSAGE_FLAG_MASK);
    if ((options & (layout::guid | layout::component_id)) != 0 && id == nullptr) {
        return ERROR_INVALID_PARAMETER;
    }
    if ((options & (layout::pointer32 | layout::pointer64)) == 0) {
        options |= sizeof(void*) == 4 ? layout::pointer32 : layout::pointer64;
    }
    MessageRecord record;
    const auto stamp_at = put_fields(record, session, options, id);
    put_arguments(record, arguments);
    return record.is_too_large()
               ? session.lose_too_large()
               : session.write(record.finish(number, options), stamp_at, std::nullopt);
}

} // namespace

} // namespace etl::compat

namespace compat = etl::compat;

extern "C" {

ULONG TraceMessageVa(TRACEHANDLE handle, ULONG flags, LPCGUID id, USHORT number,
                     va_list arguments) {
    return compat::guarded(
        [&]() -> ULONG { return compat::trace_message(handle, flags, id, number, arguments); });
}

ULONG TraceMessage(TRACEHANDLE handle, ULONG flags, LPCGUID id, USHORT number, ...) {
    va_list arguments;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wvarargs" // a USHORT in front of the dots, as Windows declares it
    va_start(arguments, number);
#pragma GCC diagnostic pop
    const ULONG status = TraceMessageVa(handle, flags, id, number, arguments);
    va_end(arguments);
    return status;
}

} // extern "C"
