// What is known of fields beyond what the sources of their schemas say: a template may state fewer
// elements than the records hold, and a dump of a manifest loses out types. One table,
// schemas/field-facts.csv, each row with its source. docs/format/decoding.md#known-fields
#pragma once

#include <etl/schema/event_schema.hpp>

#include <memory>

namespace etl::schema {

/// Corrects the fields of which something is known; of the rest nothing changes. A row counts only
/// if the field has the in type that the row is about, and an out type that the source states
/// stays. Returns whether anything changed. Applying it again changes nothing.
bool apply_field_facts(EventSchema& schema);

/// The same schema if nothing is to be corrected, else a corrected copy. `schema` must not be null.
std::shared_ptr<const EventSchema> with_field_facts(std::shared_ptr<const EventSchema> schema);

} // namespace etl::schema
