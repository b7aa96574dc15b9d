// The verb that draws flame graphs.
#pragma once

#include "cli/exit_code.hpp"
#include "cli/verb.hpp"

namespace cli {

/// Declares the verb. If the command line selects it, it runs and stores its exit code in `exit`.
void add_flame(Verb& etl, ExitCode& exit);

} // namespace cli
