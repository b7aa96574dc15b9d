// Metadata that TraceLogging events carry. docs/format/decoding.md#tracelogging
#pragma once

#include <etl/base/bytes.hpp>
#include <etl/base/result.hpp>
#include <etl/schema/event_schema.hpp>

#include <optional>

namespace etl::schema {

/// Parses EVENT_SCHEMA_TL data (extended item 11). `names` becomes the schema's provider.
/// Errors: truncated, malformed, limit (schema_fields, struct_depth); `where` is an offset in the
/// metadata.
Result<EventSchema> parse_tracelogging(Bytes metadata, std::shared_ptr<const ProviderNames> names);

/// Provider traits (extended item 12).
struct ProviderTraits {
    Bytes name;                 // UTF-8
    std::optional<Guid> group;  // trait 1
    std::optional<Guid> decode; // trait 2: replaces the provider GUID for lookup
};

/// Parses PROV_TRAITS data. Errors: truncated, malformed.
Result<ProviderTraits> parse_provider_traits(Bytes traits) noexcept;

/// The GUID that TraceLogging and EventSource derive from a provider's name. decoding.md part 2.4.
Guid guid_of_provider_name(std::string_view name);

} // namespace etl::schema
