// Under which identity the store knows an event: that of its provider, or of another that the
// record names. docs/format/decoding.md#selection. Private to decode.
#pragma once

#include "decode/kinds/kind_key.hpp"
#include "schema/schema_store.hpp"

#include <vector>

namespace etl::decode {

/// Those identities, the first to be asked first.
std::vector<Guid> identities_of(const flow::EventHeader& header, const EventItems& items);

schema::Match find_event(const schema::SchemaStore& store, const flow::EventHeader& header,
                         const EventItems& items);

/// Descriptions of classes and of events may have the same numbers. What a merge embeds may be of
/// either sort.
bool describes(const schema::EventSchema& candidate, bool wants_class) noexcept;

} // namespace etl::decode
