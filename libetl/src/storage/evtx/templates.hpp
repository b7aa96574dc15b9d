// The two templates of a record as Windows writes them: System, and the payload. Private to evtx.
// docs/format/evtx.md#templates
#pragma once

#include "evtx/chunk_writer.hpp"
#include "evtx/event.hpp"

namespace etl::evtx {

/// Writes the binary XML of an event: the instances of its templates with their values, and the
/// definitions that the chunk does not contain yet. Fields have at most 65,535 bytes each.
/// `known` is kept for events that differ in nothing but their properties, their user, and the
/// data of their values; `key` is memory that calls share.
void write_event(ChunkWriter& chunk, const Event& event, std::uint64_t record_id,
                 KnownTemplates& known, std::string& key);

} // namespace etl::evtx
