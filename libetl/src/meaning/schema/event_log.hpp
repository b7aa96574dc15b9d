// Schemas in event logs (.evtx): a record has the names and types of its event's fields, and the
// template has the order of the payload, which describe the same event in a trace.
// docs/schemas.md#event-logs
#pragma once

#include <etl/bytes.hpp>

#include "schema/schema_set.hpp"

#include <expected>
#include <vector>

namespace etl::schema {

/// Returns whether a file starts like an event log.
bool is_event_log(Bytes file) noexcept;

/// Returns the GUIDs of the providers whose events a log describes.
std::vector<Guid> scan_event_log(Bytes log);

/// Returns a schema for each event (provider, ID, version) whose records have EventData with named
/// fields, or UserData, whose elements and attributes are the fields. Their order is that of the
/// values of the template; a type is that of a value in some record, or the one that the template
/// states. Other events (unnamed fields, arrays, values that are not shown) are left out, with a
/// note. Names of events, maps, and messages are not in a log. Rejected: data that is not an event
/// log.
std::expected<SchemaSet, FileError> parse_event_log(Bytes log);

} // namespace etl::schema
