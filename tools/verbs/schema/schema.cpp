// etl schema: what events mean, as files say it.
#include "cli/verbs.hpp"
#include "verbs/schema/verbs.hpp"

namespace cli {

namespace {

constexpr const char* footer = R"(Examples:
  etl schema list manifests/                        which providers, from which file
  etl schema show Microsoft-Windows-Kernel-Process/1
  etl schema validate provider.man
  etl schema export trace.etl -o trace.man          what the trace says of its own events
  etl schema cache manifests/ -o manifests.zip      all in one file for --schema
  etl schema header provider.man -o events.hpp      functions for programs that log
Where schemas come from is told in docs/schemas.md. `etl schema VERB --help` tells the options of a verb.)";

} // namespace

void add_schema(CLI::App& etl, ExitCode& exit) {
    CLI::App& verb = *etl.add_subcommand(
        "schema", "List, show, check, compare, convert and pack descriptions of events");
    verb.require_subcommand(1);
    add_schema_list(verb, exit);
    add_schema_show(verb, exit);
    add_schema_validate(verb, exit);
    add_schema_diff(verb, exit);
    add_schema_import(verb, exit);
    add_schema_export(verb, exit);
    add_schema_cache(verb, exit);
    add_schema_header(verb, exit);
    verb.footer(footer);
}

} // namespace cli
