// The verb that serves assistants.
#pragma once

#include "cli/exit_code.hpp"
#include "cli/verb.hpp"

namespace cli {

/// Declares the verb. If the command line selects it, it runs and stores its exit code in `exit`.
/// Add it last: its tools are the other verbs of `etl`.
void add_mcp(Verb& etl, ExitCode& exit);

} // namespace cli
