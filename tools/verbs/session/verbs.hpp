// The verbs of machine sessions, in our own words and in those of Windows.
#pragma once

#include "cli/exit_code.hpp"
#include "cli/verb.hpp"

namespace cli {

/// Declares a verb. If the command line selects it, it runs and stores its exit code in `exit`.
void add_live(Verb& etl, ExitCode& exit);
void add_logman(Verb& etl, ExitCode& exit);
void add_record(Verb& etl, ExitCode& exit);
void add_session(Verb& etl, ExitCode& exit);
void add_tracelog(Verb& etl, ExitCode& exit);

} // namespace cli
