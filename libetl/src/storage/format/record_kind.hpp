// The kinds of records: families and pointer widths. What is particular to a family is one row of
// record_families; record_at finds the record at the front of some bytes.
// docs/format/record.md#dispatch
#pragma once

#include <etl/record.hpp>

#include "base/layout.hpp"
#include "format/records.hpp"

#include <array>
#include <compare>
#include <optional>
#include <string_view>

namespace etl::format {

/// Records whose headers have one layout. Indices of record_families.
enum class RecordFamily : std::uint8_t {
    none,
    system,
    compact,
    perfinfo,
    full,
    instance,
    event,
    timed,
    error,
    message,
    wnode,
    ulong32, // stays the last
};

/// The kind of a record. In families without widths, `width` is Width::none.
struct RecordKind {
    RecordFamily family = RecordFamily::none;
    Width width = Width::none;

    static const RecordKind none; // no record: end of a buffer, or damage

    friend constexpr auto operator<=>(const RecordKind&, const RecordKind&) = default;
};

inline constexpr RecordKind RecordKind::none{};

constexpr RecordKind narrow(RecordFamily family) noexcept {
    return {family, Width::bits32};
}

constexpr RecordKind wide(RecordFamily family) noexcept {
    return {family, Width::bits64};
}

/// How a header identifies the event among those of its provider.
enum class EventIdentity : std::uint8_t {
    none,        // not at all
    hook,        // a group of the kernel and a type
    event_class, // a class GUID, a type, a version
    descriptor,  // EVENT_DESCRIPTOR
    message,     // the number of a WPP message
};

/// What a flag of the header places between header and payload.
enum class HeaderExtras : std::uint8_t { none, counters, items };

/// Offsets of the fields that headers of several families have; 0: the header has none.
struct FieldOffsets {
    std::uint8_t time = 0; // i64
    std::uint8_t process_id = 0, thread_id = 0;
    std::uint8_t kernel_time = 0, user_time = 0;
    std::uint8_t provider = 0; // GUID of a provider, class, message, or WNODE
    std::uint8_t activity = 0;
    std::uint8_t sequence = 0;
};

/// What is particular to a family of records.
struct RecordTraits {
    std::string_view name; // without the width
    /// HeaderType (byte 2) under marker 0xC0; equal: the family has no widths; 0: it has another
    /// marker.
    std::uint8_t narrow_type = 0, wide_type = 0;
    std::uint8_t header_size = 0; // minimum size of a record
    std::uint8_t size_offset = 0; // offset of the u16 size
    EventIdentity identity = EventIdentity::none;
    HeaderExtras extras = HeaderExtras::none;
    FieldOffsets at{}; // fields at fixed offsets

    constexpr bool has_width() const noexcept { return narrow_type != wide_type; }
};

inline constexpr std::size_t family_count = static_cast<std::size_t>(RecordFamily::ulong32) + 1;

inline constexpr std::array<RecordTraits, family_count> record_families = [] {
    constexpr auto at = [](const auto& field) { return static_cast<std::uint8_t>(field.offset); };
    std::array<RecordTraits, family_count> all{};
    const auto row = [&](RecordFamily family) -> RecordTraits& {
        return all[static_cast<std::size_t>(family)];
    };
    row(RecordFamily::none) = {.name = "NONE"};
    row(RecordFamily::system) = {.name = "SYSTEM",
                                 .narrow_type = 1,
                                 .wide_type = 2,
                                 .header_size = system_record::size,
                                 .size_offset = at(system_record::size_),
                                 .identity = EventIdentity::hook,
                                 .extras = HeaderExtras::counters,
                                 .at = {.time = at(system_record::system_time),
                                        .process_id = at(system_record::process_id),
                                        .thread_id = at(system_record::thread_id),
                                        .kernel_time = at(system_record::kernel_time),
                                        .user_time = at(system_record::user_time)}};
    row(RecordFamily::compact) = {.name = "COMPACT",
                                  .narrow_type = 3,
                                  .wide_type = 4,
                                  .header_size = system_record::compact_size,
                                  .size_offset = at(system_record::size_),
                                  .identity = EventIdentity::hook,
                                  .extras = HeaderExtras::counters,
                                  .at = {.time = at(system_record::system_time),
                                         .process_id = at(system_record::process_id),
                                         .thread_id = at(system_record::thread_id)}};
    row(RecordFamily::perfinfo) = {.name = "PERFINFO",
                                   .narrow_type = 16,
                                   .wide_type = 17,
                                   .header_size = perfinfo_record::size,
                                   .size_offset = at(perfinfo_record::size_),
                                   .identity = EventIdentity::hook,
                                   .extras = HeaderExtras::counters,
                                   .at = {.time = at(perfinfo_record::system_time)}};
    constexpr FieldOffsets classic{.time = at(full_record::time_stamp),
                                   .process_id = at(full_record::process_id),
                                   .thread_id = at(full_record::thread_id),
                                   .kernel_time = at(full_record::kernel_time),
                                   .user_time = at(full_record::user_time),
                                   .provider = at(full_record::guid)};
    row(RecordFamily::full) = {.name = "FULL",
                               .narrow_type = 10,
                               .wide_type = 20,
                               .header_size = full_record::size,
                               .identity = EventIdentity::event_class,
                               .at = classic};
    row(RecordFamily::instance) = {.name = "INSTANCE",
                                   .narrow_type = 11,
                                   .wide_type = 21,
                                   // instance_record::size from layout 1.1 on
                                   .header_size = old_instance_record::size,
                                   .identity = EventIdentity::event_class,
                                   .at = classic};
    row(RecordFamily::event) = {.name = "EVENT",
                                .narrow_type = 18,
                                .wide_type = 19,
                                .header_size = event_record::size,
                                .identity = EventIdentity::descriptor,
                                .extras = HeaderExtras::items,
                                .at = {.time = at(event_record::time_stamp),
                                       .process_id = at(event_record::process_id),
                                       .thread_id = at(event_record::thread_id),
                                       .kernel_time = at(event_record::kernel_time),
                                       .user_time = at(event_record::user_time),
                                       .provider = at(event_record::provider_id),
                                       .activity = at(event_record::activity_id)}};
    row(RecordFamily::timed) = {.name = "TIMED",
                                .narrow_type = 12,
                                .wide_type = 12,
                                .header_size = timed_record::size,
                                .at = {.time = at(timed_record::time_stamp)}};
    row(RecordFamily::error) = { // its layout is unpublished
        .name = "ERROR",
        .narrow_type = 13,
        .wide_type = 13,
        .header_size = 4};
    row(RecordFamily::message) = { // optional fields follow: message_fields()
        .name = "MESSAGE",
        .header_size = message_record::size,
        .identity = EventIdentity::message};
    row(RecordFamily::wnode) = {
        .name = "WNODE",
        .narrow_type = 14,
        .wide_type = 14,
        .header_size = wnode_record::size,
        .at = {.time = at(wnode_record::time_stamp), .provider = at(wnode_record::guid)}};
    row(RecordFamily::ulong32) = {.name = "ULONG32", .header_size = 8}; // 16 with a timestamp
    return all;
}();

constexpr const RecordTraits& traits_of(RecordFamily family) noexcept {
    return record_families[static_cast<std::size_t>(family)];
}

constexpr const RecordTraits& traits_of(RecordKind kind) noexcept {
    return traits_of(kind.family);
}

constexpr std::uint8_t header_type_of(RecordKind kind) noexcept {
    const RecordTraits& traits = traits_of(kind);
    return kind.width == Width::bits32 ? traits.narrow_type : traits.wide_type;
}

/// Returns the first dword of a record under marker 0xC0 whose size is at offset 0.
constexpr std::uint32_t first_dword(RecordKind kind, std::uint16_t size) noexcept {
    return std::uint32_t{trace_header_marker} << 24U | std::uint32_t{header_type_of(kind)} << 16U |
           size;
}

/// A set of families, chosen by their traits while compiling.
class RecordFamilies {
public:
    template <typename Predicate>
    explicit consteval RecordFamilies(Predicate is_in) {
        for (std::size_t i = 0; i < record_families.size(); ++i) {
            bits_ |= is_in(record_families[i]) ? 1U << i : 0U;
        }
    }

    constexpr bool contain(RecordKind kind) const noexcept {
        return (bits_ >> static_cast<unsigned>(kind.family) & 1U) != 0;
    }

private:
    std::uint32_t bits_ = 0;
};

/// Returns whether the kind is a kernel record with a hook ID. All have it at the same offset.
constexpr bool has_hook(RecordKind kind) noexcept {
    constexpr RecordFamilies families(
        [](const RecordTraits& of) { return of.identity == EventIdentity::hook; });
    static_assert(system_record::hook_id.offset == perfinfo_record::hook_id.offset);
    return families.contain(kind);
}

/// Returns whether the kind has a hook ID, and a process and thread.
constexpr bool has_hook_and_ids(RecordKind kind) noexcept {
    constexpr RecordFamilies families([](const RecordTraits& of) {
        return of.identity == EventIdentity::hook && of.at.thread_id != 0;
    });
    return families.contain(kind);
}

/// Returns whether the kind has a class, a type, and a version: FULL, INSTANCE.
constexpr bool has_class(RecordKind kind) noexcept {
    constexpr RecordFamilies families(
        [](const RecordTraits& of) { return of.identity == EventIdentity::event_class; });
    return families.contain(kind);
}

/// Returns whether the kind is a classic event with a class GUID and a type.
constexpr bool is_full(RecordKind kind) noexcept {
    return kind.family == RecordFamily::full;
}

constexpr bool is_instance(RecordKind kind) noexcept {
    return kind.family == RecordFamily::instance;
}

/// Returns whether the kind is an event with a descriptor.
constexpr bool is_event(RecordKind kind) noexcept {
    return kind.family == RecordFamily::event;
}

/// Returns whether the kind is a WPP message.
constexpr bool is_message(RecordKind kind) noexcept {
    return kind.family == RecordFamily::message;
}

/// Returns "SYSTEM32", "EVENT64", "TIMED", ...; "NONE" for RecordKind::none.
std::string_view name(RecordKind kind) noexcept;

/// The inverse of name(). Nothing: no kind, or RecordKind::none.
std::optional<RecordKind> record_kind_of(std::string_view name) noexcept;

/// The number of kinds, with RecordKind::none.
inline constexpr std::size_t record_kinds = [] {
    std::size_t kinds = 0;
    for (const RecordTraits& family : record_families) {
        kinds += family.has_width() ? 2U : 1U;
    }
    return kinds;
}();

/// Kinds by number: two for each family, narrow or without widths, then wide.
inline constexpr std::size_t max_record_kinds = 2 * record_families.size();

constexpr std::size_t number_of(RecordKind kind) noexcept {
    return 2 * static_cast<std::size_t>(kind.family) + (kind.width == Width::bits64 ? 1U : 0U);
}

/// The inverse of number_of(). The odd numbers of families without widths are not used.
constexpr RecordKind record_kind_of(std::size_t number) noexcept {
    const auto family = static_cast<RecordFamily>(number / 2);
    return {family, !traits_of(family).has_width() ? Width::none
                    : number % 2 != 0              ? Width::bits64
                                                   : Width::bits32};
}

/// The reason no record was found.
enum class NoRecord : std::uint8_t {
    none,       // a record was found
    end,        // the end marker, or a zero dword
    truncated,  // the record exceeds the remaining bytes
    bad_marker, // unknown marker
    bad_size,   // size is smaller than the header
};

/// What record_at needs of the traits of one kind.
struct RecordLayout {
    RecordKind kind;
    std::uint8_t header_size = 0;
    std::uint8_t size_offset = 0;
    std::uint8_t time_offset = 0; // 0: none
};

/// Layouts by header type (byte 2) of records with marker 0xC0.
inline constexpr std::array<RecordLayout, 32> record_layouts = [] {
    std::array<RecordLayout, 32> all{};
    for (std::size_t i = 0; i < record_families.size(); ++i) {
        const RecordTraits& of = record_families[i];
        const auto add = [&](std::uint8_t type, Width width) {
            all[type] = {
                {static_cast<RecordFamily>(i), width}, of.header_size, of.size_offset, of.at.time};
        };
        if (of.narrow_type != 0) {
            add(of.narrow_type, of.has_width() ? Width::bits32 : Width::none);
            add(of.wide_type, of.has_width() ? Width::bits64 : Width::none);
        }
    }
    return all;
}();

/// A record found at the front of some bytes.
struct RecordShape {
    RecordKind kind;
    NoRecord why = NoRecord::none;
    bool has_time = false;
    std::uint32_t size = 0; // header, items, and payload, without the padding to 8
    std::int64_t time = 0;
};

static_assert(sizeof(RecordShape) == 16); // in two registers

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
    if (layout.kind.family == RecordFamily::none || ((marker >> 16U) & 0xFFU) > 31U) [[unlikely]] {
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
