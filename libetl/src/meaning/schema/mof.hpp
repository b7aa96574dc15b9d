// Parser of classic event classes in Managed Object Format (MOF). docs/format/decoding.md#classes
#pragma once

#include <etl/bytes.hpp>
#include <etl/guid.hpp>

#include "schema/schema_set.hpp"

#include <expected>
#include <vector>

namespace etl::schema {

/// Parses a file of class definitions: UTF-8, UTF-16, or Windows-1252. Each event type of each
/// class with the qualifier EventType becomes a schema: the class GUID is the provider, the type is
/// the ID, and the class version is the version. Classes may be in any order; a base class that is
/// not in the file contributes only its name. Rejected, with line and column: text that is not MOF,
/// and a file without an event class.
std::expected<SchemaSet, FileError> parse_mof(Bytes text);

/// Returns the GUIDs of the classes that a file appears to define, using a fast scan without
/// parsing. Empty if the text is not MOF.
std::vector<Guid> scan_mof_classes(Bytes text);

} // namespace etl::schema
