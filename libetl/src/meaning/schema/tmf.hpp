// Parser of trace message format files (.tmf), which describe WPP messages. docs/format/wpp.md#tmf
#pragma once

#include <etl/bytes.hpp>

#include "schema/schema_set.hpp"

#include <expected>
#include <vector>

namespace etl::schema {

/// Parses a file with the messages of any number of source files, in UTF-8, UTF-16, or ANSI. Each
/// message GUID becomes a provider named after its component. Each message becomes an event: the
/// GUID is the provider, the message number the ID, the tag the symbol, and the format string the
/// message; fields are in payload order, named after the expressions. Invalid entries are skipped
/// with a note; a file without messages is rejected.
std::expected<SchemaSet, FileError> parse_tmf(Bytes text);

/// Returns the message GUIDs that a file appears to describe, using a fast scan without parsing.
/// Empty if the text is not a TMF.
std::vector<Guid> scan_tmf(Bytes text);

} // namespace etl::schema
