// Determines the kind and size of a record from its first bytes. docs/format/record.md#dispatch
#pragma once

#include "base/layout.hpp"

#include <array>
#include <string_view>

namespace etl::format {

/// Kinds of records, as named in the JSON output.
enum class RecordKind : std::uint8_t {
    none, // no record: end of a buffer, or damage
    system32,
    system64,
    compact32,
    compact64,
    perfinfo32,
    perfinfo64,
    full32,
    full64,
    instance32,
    instance64,
    event32,
    event64,
    timed,
    error,
    message,
    wnode,
    ulong32,
};

inline constexpr std::size_t record_kinds = 18;

/// Returns whether the kind is a kernel record with a hook ID: SYSTEM, COMPACT, PERFINFO.
constexpr bool has_hook(RecordKind kind) noexcept {
    return kind == RecordKind::system32 || kind == RecordKind::system64 ||
           kind == RecordKind::compact32 || kind == RecordKind::compact64 ||
           kind == RecordKind::perfinfo32 || kind == RecordKind::perfinfo64;
}

/// Returns whether the kind is a classic event with a class GUID and a type.
constexpr bool is_full(RecordKind kind) noexcept {
    return kind == RecordKind::full32 || kind == RecordKind::full64;
}

/// Returns whether the kind is an event with a descriptor.
constexpr bool is_event(RecordKind kind) noexcept {
    return kind == RecordKind::event32 || kind == RecordKind::event64;
}

/// Returns "SYSTEM32", "EVENT64", ...
std::string_view name(RecordKind kind) noexcept;

/// The reason no record was found.
enum class NoRecord : std::uint8_t {
    none,       // a record was found
    end,        // the end marker, or a zero dword
    truncated,  // the record exceeds the remaining bytes
    bad_marker, // unknown marker
    bad_size,   // size is smaller than the header
};

/// Fixed properties of one kind.
struct RecordLayout {
    RecordKind kind = RecordKind::none;
    std::uint8_t header_size = 0;  // minimum size of a record
    std::uint8_t size_offset = 0;  // offset of the u16 size
    std::uint8_t time_offset = 0;  // offset of the i64 timestamp; 0: none
    std::uint8_t pointer_size = 0; // 4 or 8; 0: that of the trace
};

/// Layouts by header type (byte 2) of records with marker 0xC0.
inline constexpr std::array<RecordLayout, 32> record_layouts = [] {
    std::array<RecordLayout, 32> t{};
    t[1] = {RecordKind::system32, 0x20, 4, 0x10, 4};
    t[2] = {RecordKind::system64, 0x20, 4, 0x10, 8};
    t[3] = {RecordKind::compact32, 0x18, 4, 0x10, 4};
    t[4] = {RecordKind::compact64, 0x18, 4, 0x10, 8};
    t[10] = {RecordKind::full32, 0x30, 0, 0x10, 4};
    t[11] = {RecordKind::instance32, 0x38, 0, 0x10, 4}; // 0x48 from layout 1.1 on
    t[12] = {RecordKind::timed, 0x10, 0, 0x08, 0};
    t[13] = {RecordKind::error, 0x04, 0, 0, 0}; // its layout is unpublished
    t[14] = {RecordKind::wnode, 0x30, 0, 0x10, 0};
    t[16] = {RecordKind::perfinfo32, 0x10, 4, 0x08, 4};
    t[17] = {RecordKind::perfinfo64, 0x10, 4, 0x08, 8};
    t[18] = {RecordKind::event32, 0x50, 0, 0x10, 4};
    t[19] = {RecordKind::event64, 0x50, 0, 0x10, 8};
    t[20] = {RecordKind::full64, 0x30, 0, 0x10, 8};
    t[21] = {RecordKind::instance64, 0x38, 0, 0x10, 8};
    return t;
}();

/// A record found at the front of some bytes.
struct RecordShape {
    RecordKind kind = RecordKind::none;
    NoRecord why = NoRecord::none;
    bool has_time = false;
    std::uint32_t size = 0; // header, items, and payload, without the padding to 8
    std::int64_t time = 0;
};

/// Handles records without marker 0xC0, and data that is not a record.
RecordShape uncommon_record(Bytes rest, std::uint32_t marker) noexcept;

/// Examines the record at the front of `rest`, which extends to the end of the buffer's valid
/// bytes. Verifies that the record and its fixed header are inside.
inline RecordShape record_at(Bytes rest) noexcept {
    if (rest.size() < 8) {
        return {RecordKind::none, rest.empty() ? NoRecord::end : NoRecord::truncated, false, 0, 0};
    }
    const auto marker = load_le<std::uint32_t>(rest.data());
    if ((marker >> 24U) != 0xC0U) [[unlikely]] {
        return uncommon_record(rest, marker);
    }
    const RecordLayout layout = record_layouts[(marker >> 16U) & 31U];
    if (layout.kind == RecordKind::none || ((marker >> 16U) & 0xFFU) > 31U) [[unlikely]] {
        return {RecordKind::none, NoRecord::bad_marker, false, 0, 0};
    }
    const std::uint32_t size = load_le<std::uint16_t>(rest.data() + layout.size_offset);
    if (size < layout.header_size) [[unlikely]] {
        return {RecordKind::none, NoRecord::bad_size, false, 0, 0};
    }
    if (size > rest.size()) [[unlikely]] {
        return {RecordKind::none, NoRecord::truncated, false, 0, 0};
    }
    const bool has_time = layout.time_offset != 0;
    return {layout.kind, NoRecord::none, has_time, size,
            has_time ? load_le<std::int64_t>(rest.data() + layout.time_offset) : 0};
}

/// Returns the distance to the next record: records are aligned to 8 bytes relative to the buffer.
constexpr std::uint32_t padded(std::uint32_t size) noexcept {
    return (size + 7U) & ~7U;
}

} // namespace etl::format
