// Corrections to the fields of known schemas: a template can state fewer elements than records
// contain, and manifest dumps lose out types. The table is schemas/field-facts.csv; each row names
// its source. docs/format/decoding.md#known-fields
#pragma once

#include "schema/event_schema.hpp"

#include <memory>

namespace etl::schema {

/// Corrects the fields listed in the table. A row applies only if the field has the row's in type;
/// an out type stated in the schema is kept. Returns whether anything changed. Idempotent.
bool apply_field_facts(EventSchema& schema);

/// Returns the schema itself if no correction applies, otherwise a corrected copy. `schema` must
/// not be null.
std::shared_ptr<const EventSchema> with_field_facts(std::shared_ptr<const EventSchema> schema);

} // namespace etl::schema
