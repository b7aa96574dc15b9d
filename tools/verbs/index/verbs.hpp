// The verb `index`.
#pragma once

#include "cli/exit_code.hpp"
#include "cli/verb.hpp"

namespace cli {

/// Declares it, as the functions of cli/verbs.hpp.
void add_index(Verb& etl, ExitCode& exit);

} // namespace cli
