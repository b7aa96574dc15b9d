// The verb that answers queries in SQL.
#pragma once

#include "cli/exit_code.hpp"
#include "cli/verb.hpp"

namespace cli {

/// Declares the verb. If the command line selects it, it runs and stores its exit code in `exit`.
void add_sql(Verb& etl, ExitCode& exit);

} // namespace cli
