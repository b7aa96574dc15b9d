// Program databases (.pdb): the messages of WPP that compilers leave there as annotations.
// docs/format/wpp.md#pdb
#pragma once

#include <etl/base/bytes.hpp>
#include <etl/schema/schema_set.hpp>

#include <expected>
#include <string>
#include <vector>

namespace etl::schema {

/// Whether the file begins as a program database does.
bool is_pdb(Bytes file) noexcept;

/// All messages, as parse_tmf gives them, with the members of enumerations where the types are in
/// the file, and the control GUIDs as providers with their flags as keywords. Refused: no program
/// database, damaged, or without a message.
std::expected<SchemaSet, FileError> parse_pdb(Bytes file);

/// The message GUIDs, without making schemas. Empty: no program database, or none of WPP.
std::vector<Guid> scan_pdb(Bytes file);

/// The messages as the text of a TMF, as Windows' tracepdb writes them; a message that does not say
/// its function has that of the symbol around it as FUNC. Refused as above.
std::expected<std::string, FileError> extract_tmf(Bytes file);

} // namespace etl::schema
