// The verbs of `etl schema`, each defined in its own file.
#pragma once

#include "cli/exit_code.hpp"
#include "cli/verb.hpp"

namespace cli {

void add_schema_list(Verb& schema, ExitCode& exit);
void add_schema_show(Verb& schema, ExitCode& exit);
void add_schema_validate(Verb& schema, ExitCode& exit);
void add_schema_diff(Verb& schema, ExitCode& exit);
void add_schema_import(Verb& schema, ExitCode& exit);
void add_schema_export(Verb& schema, ExitCode& exit);
void add_schema_harvest(Verb& schema, ExitCode& exit);
void add_schema_cache(Verb& schema, ExitCode& exit);
void add_schema_header(Verb& schema, ExitCode& exit);

} // namespace cli
