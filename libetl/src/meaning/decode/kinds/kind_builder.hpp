// Finds the schemas that may fit an event, and the names it goes by. Runs once per kind of event.
// Private to decode.
#pragma once

#include "decode/kinds/kind_table.hpp"
#include "schema/schema_store.hpp"

#include <vector>

namespace etl::decode {

// Under which identity the store knows an event: that of its provider, or of another that the
// record names. docs/format/decoding.md#selection

/// Those identities, the first to be asked first.
std::vector<Guid> identities_of(const flow::EventHeader& header, const EventItems& items);

schema::Match find_event(const schema::SchemaStore& store, const flow::EventHeader& header,
                         const EventItems& items);

/// Descriptions of classes and of events may have the same numbers. What a merge embeds may be of
/// either sort.
bool describes(const schema::EventSchema& candidate, bool wants_class) noexcept;

/// At least one variant; without a schema there is one that has names only. `store` may be null.
Variants build_kinds(const flow::EventHeader& header, const EventItems& items, Family family,
                     const schema::SchemaStore* store, const DecoderOptions& options);

} // namespace etl::decode
