// The binary XML of a template: tokens as in .evtx files, names in place. Read (binary_xml.cpp) and
// written as the message compiler does (binary_xml_writer.cpp). docs/format/images.md#user-data
#pragma once

#include <etl/byte_writer.hpp>
#include <etl/bytes.hpp>
#include <etl/error.hpp>

#include "schema/event_schema.hpp"

#include <string>
#include <string_view>

namespace etl::schema {

/// The one element inside of UserData as XML text, `%1` where the first field belongs; a fragment
/// that begins with that element itself will do. `where` is for errors. Errors: truncated,
/// malformed, limit (limits::user_data_depth), unsupported (tokens that no template has).
Result<std::string> read_user_data(Bytes fragment, FileOffset where);

/// Appends a template as binary XML: EventData with an element `Data` for each field of the top
/// level.
void write_event_data(const EventSchema& schema, ByteWriter& to);

/// Appends the element that `xml` is, as EventSchema::user_data has it: `%1` where the first field
/// belongs. Comments and processing instructions are left out. False, and nothing appended: it is
/// no such element, or deeper than limits::user_data_depth.
bool write_user_data(std::string_view xml, const EventSchema& schema, ByteWriter& to);

} // namespace etl::schema
