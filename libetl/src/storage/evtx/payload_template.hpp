// The template of the payload of a record. Private to evtx. docs/format/evtx.md#templates
#pragma once

#include "evtx/chunk_writer.hpp"
#include "evtx/event.hpp"

#include <string>

namespace etl::evtx {

/// Writes the instance of the template, its values, and the definition if the chunk does not
/// contain it yet. `known` and `key` are those of write_event().
void write_payload(ChunkWriter& chunk, const Event& event, KnownTemplates& known, std::string& key);

} // namespace etl::evtx
