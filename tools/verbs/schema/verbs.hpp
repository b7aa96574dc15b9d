// The verbs of `etl schema`, each defined in its own file.
#pragma once

#include "cli/exit_code.hpp"

#include <CLI/CLI.hpp>

namespace cli {

void add_schema_list(CLI::App& schema, ExitCode& exit);
void add_schema_show(CLI::App& schema, ExitCode& exit);
void add_schema_validate(CLI::App& schema, ExitCode& exit);
void add_schema_diff(CLI::App& schema, ExitCode& exit);
void add_schema_import(CLI::App& schema, ExitCode& exit);
void add_schema_export(CLI::App& schema, ExitCode& exit);
void add_schema_cache(CLI::App& schema, ExitCode& exit);
void add_schema_header(CLI::App& schema, ExitCode& exit);

} // namespace cli
