// Kinds of record as far as single fields go, and access to these. Private to format.
#pragma once

#include "format/records.hpp"
#include "format/set_field.hpp"

#include <array>

namespace etl::format {

inline constexpr std::size_t largest_record = 0xFFFF; // all sizes are 16 bits wide on disk

/// What records look like as far as single fields go.
enum class Family : std::uint8_t {
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
    ulong32,
};

inline constexpr std::array<Family, record_kinds> families{
    Family::none,     Family::system,   Family::system,  Family::compact, Family::compact,
    Family::perfinfo, Family::perfinfo, Family::full,    Family::full,    Family::instance,
    Family::instance, Family::event,    Family::event,   Family::timed,   Family::error,
    Family::message,  Family::wnode,    Family::ulong32,
};

constexpr Family family_of(RecordKind kind) noexcept {
    return families[static_cast<std::size_t>(kind)];
}

template <auto field>
FieldPresence put(MutableBytes record, typename decltype(field)::type value) noexcept {
    store_le(record.data() + field.offset, value);
    return FieldPresence::present;
}

template <auto field>
auto get(Bytes record) noexcept {
    return load_le<typename decltype(field)::type>(record.data() + field.offset);
}

constexpr std::size_t kernel_header_size(Family family) noexcept {
    return family == Family::system    ? system_record::size
           : family == Family::compact ? system_record::compact_size
                                       : perfinfo_record::size;
}

} // namespace etl::format
