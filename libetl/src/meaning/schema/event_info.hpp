// Parsing and writing of TRACE_EVENT_INFO and EVENT_MAP_INFO blobs, which a merge embeds in a
// trace. docs/format/decoding.md#event-information
#pragma once

#include <etl/byte_writer.hpp>
#include <etl/bytes.hpp>
#include <etl/error.hpp>

#include "schema/event_schema.hpp"

namespace etl::schema {

/// A map found in a trace; bound to events by provider and name.
struct EmbeddedMap {
    Guid provider;
    std::shared_ptr<const ValueMap> map;
};

/// An event found in a trace. Map names are stored by field until bind_maps().
struct EmbeddedEvent {
    EventSchema schema;
    std::vector<std::pair<std::uint16_t, std::string>> map_of_field; // field index -> map name
};

/// Parses one TRACE_EVENT_INFO. Errors: truncated, malformed, limit.
Result<EmbeddedEvent> parse_event_info(Bytes blob);

/// Parses the payload of a map info event. Errors: truncated, malformed, limit, unsupported
/// (pattern maps).
Result<EmbeddedMap> parse_map_info(Bytes blob);

/// Appends one TRACE_EVENT_INFO, laid out as Windows does, with the binary XML of its template.
/// parse_event_info restores the fields, numbers, and texts, and the provider names that the event
/// uses. Errors: unsupported (not expressible in TRACE_EVENT_INFO: TraceLogging and WPP origins,
/// classes, counts stored in the payload or extending to its end, private out types), limit (a
/// constant count or length over 65535, more fields than limits::fields). On error nothing
/// is appended.
Result<void> write_event_info(const EmbeddedEvent& event, ByteWriter& to);

/// Appends the payload of a map info event.
void write_map_info(const EmbeddedMap& map, ByteWriter& to);

/// Returns a schema in the form that parse_event_info returns: maps referenced by name.
EmbeddedEvent to_embedded_event(const EventSchema& schema);

/// Returns the schemas with the maps that their fields name, where available.
std::vector<std::shared_ptr<const EventSchema>> bind_maps(std::vector<EmbeddedEvent> events,
                                                          const std::vector<EmbeddedMap>& maps);

} // namespace etl::schema
