// Where a value begins and ends in a payload: the one table that decoding and encoding go by. Pure;
// any thread. docs/format/decoding.md#fields
#pragma once

#include <etl/schema/event_schema.hpp>

namespace etl::schema {

/// How the bytes of one value are bounded.
enum class WireShape : std::uint8_t {
    empty,      // no bytes at all
    fixed,      // wire_size() bytes
    terminated, // text and a NUL; at the end of a payload the NUL may be missing
    sized,      // as many units as the length of the field says
    rest,       // up to the end of the payload
    counted,    // u16 byte count first
    counted_big_endian,
    counted32, // u32 byte count first
    sid,
    wbem_sid,
    structure,
    unknown, // of a type that nobody knows: where the next field begins is not known either
};

/// How one element of `field` lies in a payload. Its length counts only for the types that have
/// none of their own: strings and binary.
WireShape shape_of(const Field& field) noexcept;

/// Bytes of a value of fixed shape; of a WBEM SID, of a word of the TOKEN_USER before it; of other
/// shapes without meaning. `pointer_size` is 4 or 8.
std::uint8_t wire_size(InType type, std::uint32_t pointer_size) noexcept;

} // namespace etl::schema
