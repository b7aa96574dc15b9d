// The extent of a value in a payload. Decoding and encoding share this table. Pure; thread-safe.
// docs/format/decoding.md#fields
#pragma once

#include "schema/event_schema.hpp"

namespace etl::schema {

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

} // namespace etl::schema
