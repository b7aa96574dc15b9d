// Messages of WPP: TraceMessage. docs/compat.md#messages
#include "compat/c_values.hpp"
#include "compat/functions/classic_target.hpp"
#include "format/records.hpp"
#include "host/process.hpp"

#include <array>
#include <cstdarg>
#include <cstring>
#include <optional>

namespace etl::compat {

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

/// Address and size, address and size, ..., null.
void put_arguments(MessageRecord& record, va_list arguments) noexcept {
    while (const void* data = va_arg(arguments, const void*)) {
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
