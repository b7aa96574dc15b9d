// Values one after the other, and their bounds. Private to columnfiles.
// Format: parquet-format, Encodings.md, "Plain"; parquet.thrift, Statistics and ColumnOrder.
#pragma once

#include "columnfiles/parquet.hpp"

#include <string>
#include <string_view>

namespace etl::columnfiles {

/// Appends a text with its length.
void append_plain_text(std::string& to, std::string_view text);

/// Appends the values that are not null. Not for labels, which have a dictionary.
void append_plain(std::string& to, columns::Type type, const columns::Array& array);

/// Returns the bounds of the values of a type other than label: signed, unsigned, or byte by byte.
Bounds bounds_of(columns::Type type, const columns::Array& array);

/// Returns bounds as they are stored: omitted if too long.
Bounds bounds_of(std::string_view least, std::string_view greatest);

} // namespace etl::columnfiles
