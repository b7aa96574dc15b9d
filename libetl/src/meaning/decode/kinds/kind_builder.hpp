// Finds the schemas that may fit an event, and the names it goes by. Runs once per kind of event.
// Private to decode.
#pragma once

#include "decode/kinds/kind_key.hpp"

namespace etl::decode {

/// At least one variant; without a schema there is one that has names only. `store` may be null.
Variants build_kinds(const flow::EventHeader& header, const EventItems& items, Family family,
                     const schema::SchemaStore* store, const DecoderOptions& options);

} // namespace etl::decode
