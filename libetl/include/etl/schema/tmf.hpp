// Trace message format files (.tmf): the messages of WPP as schemas. docs/format/wpp.md#tmf
#pragma once

#include <etl/base/bytes.hpp>
#include <etl/schema/schema_set.hpp>

#include <expected>
#include <vector>

namespace etl::schema {

/// Parses a whole file: messages of any number of source files, in UTF-8, UTF-16 or ANSI. Each
/// message GUID becomes a provider named as its component; each message an event with the GUID as
/// provider, its number as id, the tag as symbol, the format string as message, and fields in the
/// order of the payload, named as the expressions. Entries that cannot be read are passed over with
/// a note; a file without any message is refused.
std::expected<SchemaSet, FileError> parse_tmf(Bytes text);

/// The message GUIDs that a file seems to describe, found by a cheap scan of the text without
/// parsing. Empty: this is no TMF.
std::vector<Guid> scan_tmf(Bytes text);

} // namespace etl::schema
