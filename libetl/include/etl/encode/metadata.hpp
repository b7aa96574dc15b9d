// TraceLogging metadata from descriptions of fields: the inverse of schema::parse_tracelogging, and
// of `fields` in `etl dump --raw`. docs/format/decoding.md#tracelogging, docs/write.md#fields
#pragma once

#include <etl/base/byte_writer.hpp>
#include <etl/encode/payload.hpp>

#include <optional>

namespace etl::encode {

/// One field as the metadata spells it. A structure is followed by its members.
struct MetadataField {
    std::string_view name; // UTF-8
    std::uint8_t in = 0;   // TraceLogging's type, without flags
    std::uint8_t out = 0;  // for a structure: number of members
    enum class Count : std::uint8_t { one, fixed, variable, custom };
    Count count = Count::one;
    std::uint16_t fixed = 0;      // Count::fixed
    std::uint32_t tags = 0;       // 28 bits
    std::string_view custom_type; // Count::custom: what describes the type, in hex digits
};

/// Appends EVENT_SCHEMA_TL data (extended item 11), in the shortest spelling: no byte for an out
/// type or tags of zero. Errors: limit (over 65535 bytes), malformed (a NUL in a name, a type or an
/// out type out of range, tags of more than 28 bits, a custom type that is no hex text, members
/// that are missing). Nothing is appended then.
Result<void> encode_metadata(std::string_view event_name, std::uint32_t tags,
                             std::span<const MetadataField> fields, ByteWriter& to);

/// Appends PROV_TRAITS data (extended item 12). Errors: limit, malformed (a NUL in the name).
/// Nothing is appended then.
Result<void> encode_traits(std::string_view provider_name, const std::optional<Guid>& group,
                           const std::optional<Guid>& decode, ByteWriter& to);

/// Reads `fields` as a dump writes them: an array of [name, in, out, count], [name, in, out, count,
/// tags] or, of a custom type, [name, in, out, "custom", tags, hex]. The views live as long as what
/// was given. Appends to `to`; on failure `to` is as it was.
std::expected<void, Mismatch> parse_fields(std::span<const InputValue> fields,
                                           std::vector<MetadataField>& to);

/// Fields for values whose types nobody tells: the members of the object `data`, by the table of
/// docs/write.md#types. What has no type is a Mismatch (null, arrays of arrays or of mixed kinds,
/// empty arrays). The views live as long as what was given. Appends to `to`; on failure `to` is as
/// it was.
std::expected<void, Mismatch> infer_fields(std::span<const InputValue> data,
                                           std::vector<MetadataField>& to);

} // namespace etl::encode
