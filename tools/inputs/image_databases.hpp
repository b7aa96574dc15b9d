// The program databases of executables, for the formats of their WPP messages.
#pragma once

#include "symbols/pe_file.hpp"
#include "symbols/stores.hpp"

#include <string>
#include <vector>

namespace cli {

/// Looks for the program database that the executable at `image` names: next to it, then in
/// `places`. Prints a warning for each file that has its name and is not used.
etl::symbols::Lookup find_database_of(const std::string& image,
                                      const etl::symbols::DatabaseReference& wanted,
                                      std::vector<etl::symbols::SearchPlace> places);

/// Splits a list such as `a;b`. Empty elements are left out.
std::vector<std::string> split_list(const std::string& list);

/// Returns the paths of the program databases of executables, looked for next to each, then on the
/// symbol paths and on _NT_SYMBOL_PATH. Prints a warning for each that is not found.
std::vector<std::string> databases_of(const std::vector<std::string>& images,
                                      const std::vector<std::string>& symbol_paths);

} // namespace cli
