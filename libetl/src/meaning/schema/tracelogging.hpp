// Parser of the metadata in TraceLogging events. docs/format/decoding.md#tracelogging
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>

#include "schema/event_schema.hpp"

#include <vector>

namespace etl::schema {

/// Parses EVENT_SCHEMA_TL data (extended data item 11). `names` becomes the schema's provider.
/// Errors: truncated, malformed, limit (schema_fields, struct_depth); `where` is an offset in the
/// metadata.
Result<EventSchema> parse_tracelogging(Bytes metadata, std::shared_ptr<const ProviderNames> names);

/// Returns the texts in EVENT_SCHEMA_TL data as views: the name of the event, those of its fields,
/// and descriptions of custom types. Errors: as parse_tracelogging.
Result<std::vector<Bytes>> texts_of_tracelogging(Bytes metadata);

} // namespace etl::schema
