// TRACE_EVENT_INFO and EVENT_MAP_INFO blobs, as a merge embeds them in a trace.
// docs/format/decoding.md#event-info
#pragma once

#include <etl/base/bytes.hpp>
#include <etl/base/result.hpp>
#include <etl/schema/event_schema.hpp>

namespace etl::schema {

/// A map found in a trace; bound to events by provider and name.
struct EmbeddedMap {
    Guid provider;
    std::shared_ptr<const ValueMap> map;
};

/// An event found in a trace. Map names stand beside the field until bind_maps.
struct EmbeddedEvent {
    EventSchema schema;
    std::vector<std::pair<std::uint16_t, std::string>> map_of_field; // field index -> map name
};

/// Parses one TRACE_EVENT_INFO. Errors: truncated, malformed, limit.
Result<EmbeddedEvent> parse_event_info(Bytes blob);

/// Parses the payload of a map info event. Errors: truncated, malformed, limit, unsupported
/// (pattern maps).
Result<EmbeddedMap> parse_map_info(Bytes blob);

/// Gives each event the maps that its fields name, where they were found.
std::vector<std::shared_ptr<const EventSchema>> bind_maps(std::vector<EmbeddedEvent> events,
                                                          const std::vector<EmbeddedMap>& maps);

} // namespace etl::schema
