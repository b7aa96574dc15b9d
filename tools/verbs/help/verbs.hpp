// The verb `help`, man pages, and what shells need to complete words.
#pragma once

#include "cli/exit_code.hpp"
#include "cli/verb.hpp"

#include <string>
#include <vector>

namespace cli {

/// Declares `help` and, hidden, `complete`.
void add_help(Verb& etl, ExitCode& exit);

/// Prints the help of the verb that `words` name, of `etl` if there are none. Returns the exit
/// code.
int print_help(const Verb& etl, const std::vector<std::string>& words);

} // namespace cli
