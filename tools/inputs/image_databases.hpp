// The program databases of executables, for the formats of their WPP messages.
#pragma once

#include <string>
#include <vector>

namespace cli {

/// Splits a list such as `a;b`. Empty elements are left out.
std::vector<std::string> split_list(const std::string& list);

/// Returns the paths of the program databases of executables, looked for next to each, then on the
/// symbol paths and on _NT_SYMBOL_PATH. Prints a warning for each that is not found.
std::vector<std::string> databases_of(const std::vector<std::string>& images,
                                      const std::vector<std::string>& symbol_paths);

} // namespace cli
