// The verbs of wevtutil.
#pragma once

#include "cli/exit_code.hpp"
#include "cli/verb.hpp"

namespace cli {

/// Declares epl.
void add_wevtutil_exports(Verb& wevtutil, ExitCode& exit);
/// Declares el and gl.
void add_wevtutil_logs(Verb& wevtutil, ExitCode& exit);
/// Declares ep and gp.
void add_wevtutil_publishers(Verb& wevtutil, ExitCode& exit);
/// Declares im and um.
void add_wevtutil_manifests(Verb& wevtutil, ExitCode& exit);
/// Declares qe.
void add_wevtutil_queries(Verb& wevtutil, ExitCode& exit);

} // namespace cli
