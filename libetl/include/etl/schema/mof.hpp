// Classic event classes: Managed Object Format (MOF) text to schemas.
// docs/format/decoding.md#classes
#pragma once

#include <etl/base/bytes.hpp>
#include <etl/base/guid.hpp>
#include <etl/schema/schema_set.hpp>

#include <expected>
#include <vector>

namespace etl::schema {

/// Parses a whole file of class definitions: UTF-8, UTF-16 or Windows-1252.
/// Each pair of a class with the qualifier EventType and one of its types becomes a schema: the
/// class GUID as provider, the type as id, the class version as version. Classes may stand in any
/// order; a base class that is not in the file contributes nothing but its name. Refused, with line
/// and column: text that is no MOF, and a file without any event class.
std::expected<SchemaSet, FileError> parse_mof(Bytes text);

/// The GUIDs of the classes that a file seems to define, found by a cheap scan of the text without
/// parsing. Empty: this is no MOF.
std::vector<Guid> scan_mof_classes(Bytes text);

} // namespace etl::schema
