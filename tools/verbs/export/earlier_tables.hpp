// The tables of an earlier export to the same directory. docs/columns.md#list
#pragma once

#include <string>
#include <vector>

namespace cli {

/// Returns the names of the files that the list of tables in a directory names: only names that an
/// export can have written there. None without a list; a list that is not one is reported.
std::vector<std::string> earlier_tables(const std::string& folder);

} // namespace cli
