// The compact form of schemas: text, one line per thing. schemas/README.md
#pragma once

#include <etl/bytes.hpp>
#include <etl/guid.hpp>

#include "schema/schema_set.hpp"

#include <expected>
#include <vector>

namespace etl::schema {

/// Parses a file in the compact form, UTF-8. Its events have Origin::manifest, and no messages.
/// Errors: any line that is not valid, with line and column.
std::expected<SchemaSet, FileError> parse_compact(Bytes text);

/// The GUIDs of the providers that a file in the compact form defines, found without parsing the
/// rest. Empty if the file has another form.
std::vector<Guid> scan_compact_providers(Bytes text);

} // namespace etl::schema
