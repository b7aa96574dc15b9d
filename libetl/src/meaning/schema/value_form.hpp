// How a value of a field lies in a payload, and what it means. Decoding and encoding share both.
// Pure; thread-safe. docs/format/decoding.md#fields
#pragma once

#include "schema/event_schema.hpp"

namespace etl::schema {

// The extent of a value in a payload.

/// The way the end of a value is determined.
enum class WireShape : std::uint8_t {
    empty,      // no bytes
    fixed,      // wire_size() bytes
    terminated, // NUL-terminated text; at the end of a payload the NUL may be missing
    sized,      // number of units given by the field's length
    rest,       // up to the end of the payload
    counted,    // u16 byte count first
    counted_big_endian,
    counted32, // u32 byte count first
    sid,
    wbem_sid,
    structure,
    unknown, // unknown type; the start of the next field is unknown as well
};

/// Returns how one element of `field` is stored in a payload. The field's length applies only to
/// types without an inherent length: strings and binary.
WireShape shape_of(const Field& field) noexcept;

/// Returns the size in bytes of a value of fixed shape; for a WBEM SID, the size of a word of the
/// preceding TOKEN_USER. Meaningless for other shapes. `pointer_size` is 4 or 8.
std::uint8_t wire_size(InType type, std::uint32_t pointer_size) noexcept;

// The meaning of a value, determined by its in type and out type. Decoding (bytes to text) and
// encoding (text to bytes) share this table. Pure; thread-safe. docs/format/decoding.md#types

/// The form of a value. The integer forms are in groups of four, by size.
enum class ValueForm : std::uint8_t {
    null, // no value
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
    hex8,
    hex16,
    hex32,
    hex64,
    float32,
    float64,
    boolean, // of any size: true if any byte is nonzero
    char8,   // one character of the ANSI code page
    char16,  // one UTF-16 unit
    guid,
    filetime,
    ticks, // eight bytes, session clock
    systemtime,
    sid,
    binary,
    text16, // UTF-16LE
    text8,  // ANSI
    utf8,
    port, // two bytes in network byte order
    ipv4,
    ipv6,
    socket_address,
    mac_address,
    padded_mac_address, // followed by zeros up to the size of the field
};

/// The table that an error code belongs to.
enum class ErrorSpace : std::uint8_t { none, win32, ntstatus, hresult };

/// Returns how values of a field are displayed and parsed. `pointer_size` is 4 or 8. Types without
/// an enumerator have no values.
ValueForm form_of(InType in, OutType out, std::uint32_t pointer_size) noexcept;

ErrorSpace error_space_of(OutType out) noexcept;

constexpr bool is_signed(ValueForm form) noexcept {
    return form >= ValueForm::int8 && form <= ValueForm::int64;
}

constexpr bool is_hex(ValueForm form) noexcept {
    return form >= ValueForm::hex8 && form <= ValueForm::hex64;
}

constexpr bool is_integer(ValueForm form) noexcept {
    return form >= ValueForm::int8 && form <= ValueForm::hex64;
}

/// Returns the size of an integer form in bytes: 1, 2, 4, or 8.
constexpr unsigned integer_size(ValueForm form) noexcept {
    return 1U << ((static_cast<unsigned>(form) - static_cast<unsigned>(ValueForm::int8)) % 4U);
}

/// Returns the size in bytes of the unit in which text lengths are measured: 2 for UTF-16,
/// otherwise 1.
constexpr std::uint8_t unit_size(ValueForm form) noexcept {
    return form == ValueForm::text16 ? 2 : 1;
}

} // namespace etl::schema
