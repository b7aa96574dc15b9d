// Quoting in CSV (RFC 4180).
#pragma once

#include <string>
#include <string_view>

namespace etl {

/// Appends `text` in quotes, its quotes doubled.
void append_csv_quoted(std::string& to, std::string_view text);

} // namespace etl
