// Encoding of TraceLogging metadata: the inverse of schema::parse_tracelogging, and of `fields` in
// `etl dump --raw`. docs/format/decoding.md#tracelogging, docs/write.md#fields
#pragma once

#include <etl/byte_writer.hpp>

#include "encode/payload.hpp"

#include <optional>

namespace etl::encode {

/// One field as stored in metadata. A structure is followed by its members.
struct MetadataField {
    std::string_view name; // UTF-8
    std::uint8_t in = 0;   // TraceLogging type, without flags
    std::uint8_t out = 0;  // for a structure, the number of members
    enum class Count : std::uint8_t { one, fixed, variable, custom };
    Count count = Count::one;
    std::uint16_t fixed = 0;      // Count::fixed
    std::uint32_t tags = 0;       // 28 bits
    std::string_view custom_type; // Count::custom: type description in hex digits
};

/// Appends EVENT_SCHEMA_TL data (extended data item 11) in the shortest form: no byte for an out
/// type or tags of zero. Errors: limit (over 65535 bytes), malformed (a NUL in a name, an in or out
/// type out of range, tags of more than 28 bits, a custom type that is not hex text, missing
/// members). On error nothing is appended.
Result<void> encode_metadata(std::string_view event_name, std::uint32_t tags,
                             std::span<const MetadataField> fields, ByteWriter& to);

/// Appends PROV_TRAITS data (extended data item 12). Errors: limit, malformed (a NUL in the name).
/// On error nothing is appended.
Result<void> encode_traits(std::string_view provider_name, const std::optional<Guid>& group,
                           const std::optional<Guid>& decode, ByteWriter& to);

/// Parses `fields` as written by a dump: an array of [name, in, out, count], [name, in, out, count,
/// tags], or, for a custom type, [name, in, out, "custom", tags, hex]. Appends views into the input
/// to `to`; on failure `to` is unchanged.
std::expected<void, Mismatch> parse_fields(std::span<const InputValue> fields,
                                           std::vector<MetadataField>& to);

/// Infers fields from values without declared types: the members of the object `data`, by the table
/// in docs/write.md#types. Values without a type are a Mismatch (null, arrays of arrays or of mixed
/// kinds, empty arrays). Appends views into the input to `to`; on failure `to` is unchanged.
std::expected<void, Mismatch> infer_fields(std::span<const InputValue> data,
                                           std::vector<MetadataField>& to);

} // namespace etl::encode
