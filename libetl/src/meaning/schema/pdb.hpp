// WPP messages in program databases (.pdb), where compilers store them as annotations.
// docs/format/wpp.md#pdb
#pragma once

#include <etl/bytes.hpp>

#include "schema/schema_set.hpp"

#include <expected>
#include <string>
#include <vector>

namespace etl::schema {

/// Returns whether the file begins like a program database.
bool is_pdb(Bytes file) noexcept;

/// Returns all messages in the form of parse_tmf, with enumeration members if their types are in
/// the file, and the control GUIDs as providers with their flags as keywords. Rejected: files that
/// are not program databases, are damaged, or contain no messages.
std::expected<SchemaSet, FileError> parse_pdb(Bytes file);

/// Returns the message GUIDs without creating schemas. Empty if the file is not a program database
/// or has no WPP messages.
std::vector<Guid> scan_pdb(Bytes file);

/// Returns the messages as TMF text, as written by Windows' tracepdb. A message without a function
/// name gets the name of the enclosing symbol as FUNC. Rejects the same files.
std::expected<std::string, FileError> extract_tmf(Bytes file);

} // namespace etl::schema
