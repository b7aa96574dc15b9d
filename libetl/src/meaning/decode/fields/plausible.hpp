// Whether the values of a payload look like what their fields hold: what tells two readings apart
// that both consume it to the last byte, and a layout that was extended from one that was changed.
// Private to decode. docs/format/decoding.md#pointer-size
#pragma once

#include "decode/field_walker.hpp"

namespace etl::decode {

/// What counts: texts must be free of control characters, unpaired surrogates, and the halves of a
/// number before plain ASCII. Addresses must be canonical at 8 bytes, and at 4 not the upper half
/// of one of an image on 64-bit Windows; but pointers may hold other things than addresses.
/// `appended`: the layout is that of an older version. Texts must also begin with two
/// ASCII characters, addresses be plausible, and process and thread IDs in their range.
enum class Judged : std::uint8_t { texts, texts_and_addresses, appended };

/// Looks at the first values of `payload` (some dozens). `plan` is that of `schema`; `walker` is
/// used for the walk.
bool is_plausible(const schema::EventSchema& schema, const Plan& plan, Bytes payload, Judged judged,
                  FieldWalker& walker) noexcept;

} // namespace etl::decode
