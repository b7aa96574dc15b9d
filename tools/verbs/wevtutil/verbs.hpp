// The verbs of wevtutil.
#pragma once

#include "cli/exit_code.hpp"

#include <CLI/CLI.hpp>

namespace cli {

/// Declares epl.
void add_wevtutil_exports(CLI::App& wevtutil, ExitCode& exit);
/// Declares el and gl.
void add_wevtutil_logs(CLI::App& wevtutil, ExitCode& exit);
/// Declares ep and gp.
void add_wevtutil_publishers(CLI::App& wevtutil, ExitCode& exit);
/// Declares im and um.
void add_wevtutil_manifests(CLI::App& wevtutil, ExitCode& exit);
/// Declares qe.
void add_wevtutil_queries(CLI::App& wevtutil, ExitCode& exit);

} // namespace cli
