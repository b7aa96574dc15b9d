#include "format/encode.hpp"

#include "format/limits.hpp"
#include "format/record_family.hpp"
#include "format/record_head.hpp"
#include "format/record_kind.hpp"
#include "format/records.hpp"

#include <array>

namespace etl::format {

namespace {

constexpr std::size_t most_counters = 7; // three bits of Version

std::size_t size_of(const Counters& counters) noexcept {
    return (counters.pebs_index ? 8U : 0U) + 8U * counters.values.size();
}

// The event version and what follows the header.
std::uint16_t version_field(std::uint8_t version, const Counters& counters) noexcept {
    const auto count = static_cast<std::uint16_t>(counters.values.size() << 8U);
    return static_cast<std::uint16_t>(version | count |
                                      (counters.pebs_index ? has_pebs_index : 0U));
}

void append(const Counters& counters, ByteWriter& to) {
    if (counters.pebs_index) {
        to.u64(*counters.pebs_index);
    }
    for (const std::uint64_t value : counters.values) {
        to.u64(value);
    }
}

Result<std::uint16_t> kernel_size(std::size_t header, const Counters& counters, Bytes payload) {
    if (counters.values.size() > most_counters) {
        return fail(ErrorCode::invalid_option, "performance counters", {}, most_counters,
                    counters.values.size());
    }
    return fitting(header + size_of(counters) + payload.size());
}

/// What FULL and INSTANCE headers share.
template <std::size_t N, typename Record>
void store_classic(std::span<std::byte, N> head, const Record& record) noexcept {
    store<full_record::marker>(head, trace_header);
    store<full_record::type>(head, record.opcode);
    store<full_record::level>(head, record.level);
    store<full_record::version>(head, record.version);
    store<full_record::thread_id>(head, record.thread_id);
    store<full_record::process_id>(head, record.process_id);
    store<full_record::time_stamp>(head, record.time);
    store<full_record::guid>(head, record.event_class);
    store<full_record::kernel_time>(head, record.kernel_time);
    store<full_record::user_time>(head, record.user_time);
}

/// What SYSTEM and COMPACT headers share.
template <std::size_t N, typename Record>
void store_kernel(std::span<std::byte, N> head, const Record& record, std::uint16_t size) noexcept {
    store<system_record::version>(head, version_field(record.version, record.counters));
    store<system_record::marker>(head, trace_header);
    store<system_record::size_>(head, size);
    store<system_record::hook_id>(head, record.hook_id);
    store<system_record::thread_id>(head, record.thread_id);
    store<system_record::process_id>(head, record.process_id);
    store<system_record::system_time>(head, record.time);
}

} // namespace

Result<void> encode(const SystemRecord& record, ByteWriter& to) {
    const auto size = kernel_size(system_record::size, record.counters, record.payload);
    if (!size) {
        return std::unexpected(size.error());
    }
    std::array<std::byte, system_record::size> bytes{};
    const std::span head(bytes);
    store_kernel(head, record, *size);
    store<system_record::header_type>(head, type_of(record.width, 1, 2));
    store<system_record::kernel_time>(head, record.kernel_time);
    store<system_record::user_time>(head, record.user_time);
    append(bytes, to);
    append(record.counters, to);
    to.bytes(record.payload);
    return {};
}

Result<void> encode(const CompactRecord& record, ByteWriter& to) {
    const auto size = kernel_size(system_record::compact_size, record.counters, record.payload);
    if (!size) {
        return std::unexpected(size.error());
    }
    std::array<std::byte, system_record::compact_size> bytes{};
    const std::span head(bytes);
    store_kernel(head, record, *size);
    store<system_record::header_type>(head, type_of(record.width, 3, 4));
    append(bytes, to);
    append(record.counters, to);
    to.bytes(record.payload);
    return {};
}

Result<void> encode(const PerfinfoRecord& record, ByteWriter& to) {
    const auto size = kernel_size(perfinfo_record::size, record.counters, record.payload);
    if (!size) {
        return std::unexpected(size.error());
    }
    std::array<std::byte, perfinfo_record::size> bytes{};
    const std::span head(bytes);
    store<perfinfo_record::version>(head, version_field(record.version, record.counters));
    store<perfinfo_record::header_type>(head, type_of(record.width, 16, 17));
    store<perfinfo_record::marker>(head, trace_header);
    store<perfinfo_record::size_>(head, *size);
    store<perfinfo_record::hook_id>(head, record.hook_id);
    store<perfinfo_record::system_time>(head, record.time);
    append(bytes, to);
    append(record.counters, to);
    to.bytes(record.payload);
    return {};
}

Result<void> encode(const FullRecord& record, ByteWriter& to) {
    const auto size = fitting(full_record::size + record.payload.size());
    if (!size) {
        return std::unexpected(size.error());
    }
    std::array<std::byte, full_record::size> bytes{};
    const std::span head(bytes);
    store_classic(head, record);
    store<full_record::size_>(head, *size);
    store<full_record::header_type>(head, type_of(record.width, 10, 20));
    append(bytes, to);
    to.bytes(record.payload);
    return {};
}

Result<void> encode(const InstanceRecord& record, ByteWriter& to) {
    const auto size = fitting(instance_record::size + record.payload.size());
    if (!size) {
        return std::unexpected(size.error());
    }
    std::array<std::byte, instance_record::size> bytes{};
    const std::span head(bytes);
    store_classic(head, record);
    store<full_record::size_>(head, *size);
    store<full_record::header_type>(head, type_of(record.width, 11, 21));
    store<instance_record::instance_id>(head, record.instance_id);
    store<instance_record::parent_instance_id>(head, record.parent_instance_id);
    store<instance_record::parent_guid>(head, record.parent_class);
    append(bytes, to);
    to.bytes(record.payload);
    return {};
}

Result<void> encode(const WnodeRecord& record, ByteWriter& to) {
    const auto size = fitting(wnode_record::size + record.payload.size());
    if (!size) {
        return std::unexpected(size.error());
    }
    constexpr std::uint32_t marked = 0xC00E'0000;
    const bool is_marked = record.form == WnodeRecord::Form::marked;
    std::array<std::byte, wnode_record::size> bytes{};
    const std::span head(bytes);
    store<wnode_record::buffer_size>(head, *size | (is_marked ? marked : 0U));
    store<wnode_record::provider_id>(head, record.provider_id);
    store<wnode_record::historical_context>(head, record.historical_context);
    store<wnode_record::time_stamp>(head, record.time);
    store<wnode_record::guid>(head, record.guid);
    store<wnode_record::client_context>(head, record.client_context);
    store<wnode_record::flags>(head, record.flags);
    append(bytes, to);
    to.bytes(record.payload);
    return {};
}

Result<void> encode(const TimedRecord& record, ByteWriter& to) {
    const auto size = fitting(timed_record::size + record.payload.size());
    if (!size) {
        return std::unexpected(size.error());
    }
    std::array<std::byte, timed_record::size> bytes{};
    const std::span head(bytes);
    store<timed_record::size_>(head, *size);
    store<timed_record::header_type>(head, std::uint8_t{12});
    store<timed_record::marker>(head, trace_header);
    store<timed_record::event_id>(head, record.event_id);
    store<timed_record::time_stamp>(head, record.time);
    append(bytes, to);
    to.bytes(record.payload);
    return {};
}

Result<void> encode(const ErrorRecord& record, ByteWriter& to) {
    const auto size = fitting(4 + record.payload.size());
    if (!size) {
        return std::unexpected(size.error());
    }
    to.align(8).u16(*size).u8(13).u8(trace_header).bytes(record.payload);
    return {};
}

Result<void> encode(const Ulong32Record& record, ByteWriter& to) {
    const auto size = fitting((record.time ? 16U : 8U) + record.payload.size());
    if (!size) {
        return std::unexpected(size.error());
    }
    to.align(8).u16(*size).u8(0).u8(record.time ? 0xB0 : 0xA0).u32(record.value);
    if (record.time) {
        to.value(*record.time);
    }
    to.bytes(record.payload);
    return {};
}

} // namespace etl::format
