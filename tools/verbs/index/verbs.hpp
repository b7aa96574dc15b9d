// The verb `index`.
#pragma once

#include "cli/exit_code.hpp"

#include <CLI/CLI.hpp>

namespace cli {

/// Declares it, as the functions of cli/verbs.hpp.
void add_index(CLI::App& etl, ExitCode& exit);

} // namespace cli
