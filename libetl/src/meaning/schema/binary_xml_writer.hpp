// Templates as binary XML, as the message compiler writes them: tokens of .evtx files, names in
// place. The inverse of read_user_data. docs/format/images.md#user-data
#pragma once

#include <etl/byte_writer.hpp>

#include "schema/event_schema.hpp"

#include <string_view>

namespace etl::schema {

/// Appends EventData with an element `Data` for each field of the top level.
void write_event_data(const EventSchema& schema, ByteWriter& to);

/// Appends the element that `xml` is, as EventSchema::user_data has it: `%1` where the first field
/// belongs. Comments and processing instructions are left out. False, and nothing appended: it is
/// no such element, or deeper than limits::user_data_depth.
bool write_user_data(std::string_view xml, const EventSchema& schema, ByteWriter& to);

} // namespace etl::schema
