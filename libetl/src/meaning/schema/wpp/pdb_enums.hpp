// Enumerations among the types of a program database. Private to schema. docs/format/wpp.md#pdb
#pragma once

#include "schema/event_schema.hpp"
#include "symbols/stream_file.hpp"

#include <string>
#include <unordered_map>

namespace etl::schema {

/// Members by name of the type: filled in for the names that are there already.
using PdbEnums = std::unordered_map<std::string, decltype(ValueMap::entries)>;

/// Leaves those empty that the file does not define.
void read_enums(const symbols::StreamFile& file, PdbEnums& enums);

} // namespace etl::schema
