// TRACE_EVENT_INFO and EVENT_MAP_INFO blobs, as a merge embeds them in a trace: read and written.
// docs/format/decoding.md#event-information
#pragma once

#include <etl/base/byte_writer.hpp>
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

/// Appends one TRACE_EVENT_INFO, laid out as Windows does, with the binary XML of its template.
/// parse_event_info gives back the fields, numbers and texts; of the names of the provider those
/// that the event uses. Errors: unsupported (what TRACE_EVENT_INFO cannot say: TraceLogging and WPP
/// origins, classes, counts that the payload says or that reach to its end, out types of ours),
/// limit (a constant count or length over 65535, more fields than limits::schema_fields). Nothing
/// is appended then.
Result<void> write_event_info(const EmbeddedEvent& event, ByteWriter& to);

/// Appends the payload of a map info event.
void write_map_info(const EmbeddedMap& map, ByteWriter& to);

/// An event of a store in the form that parse_event_info gives: its maps by their names.
EmbeddedEvent to_embedded_event(const EventSchema& schema);

/// Gives each event the maps that its fields name, where they were found.
std::vector<std::shared_ptr<const EventSchema>> bind_maps(std::vector<EmbeddedEvent> events,
                                                          const std::vector<EmbeddedMap>& maps);

} // namespace etl::schema
