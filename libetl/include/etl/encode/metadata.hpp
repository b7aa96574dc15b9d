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
    std::uint16_t fixed = 0; // Count::fixed
    std::uint32_t tags = 0;
};

/// Appends EVENT_SCHEMA_TL data (extended item 11). Errors: limit (over 65535 bytes), malformed (a
/// NUL in a name, a type over 31, members that are missing).
Result<void> encode_metadata(std::string_view event_name, std::uint32_t tags,
                             std::span<const MetadataField> fields, ByteWriter& to);

/// Appends PROV_TRAITS data (extended item 12).
Result<void> encode_traits(std::string_view provider_name, const std::optional<Guid>& group,
                           const std::optional<Guid>& decode, ByteWriter& to);

/// Reads `fields` as a dump writes them: an array of [name, in, out, count] or [name, in, out,
/// count, tags]. The views live as long as what was given. Appends to `to`.
std::expected<void, Mismatch> parse_fields(std::span<const Given> fields,
                                           std::vector<MetadataField>& to);

/// Fields for values whose types nobody tells, by the table of docs/write.md#types: true/false
/// bool32, integers i64 (u64 beyond), reals double, text UTF-16... ; nested objects structures,
/// arrays of one kind variable arrays. What has no type is a Mismatch (null, arrays of arrays or of
/// mixed kinds, empty arrays).
std::expected<void, Mismatch> infer_fields(std::span<const Given> data,
                                           std::vector<MetadataField>& to);

} // namespace etl::encode
