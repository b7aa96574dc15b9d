// etl schema: verbs for schemas.
#include "cli/verbs.hpp"
#include "verbs/schema/verbs.hpp"

namespace cli {

namespace {

constexpr const char* schema_footer = R"(Examples:
  etl schema list manifests/                        list providers and their files
  etl schema show Microsoft-Windows-Kernel-Process/1
  etl schema validate provider.man
  etl schema export trace.etl -o trace.man          write the schemas embedded in a trace
  etl schema cache manifests/ -o manifests.zip      pack schemas into one file for --schema
  etl schema header provider.man -o events.hpp      generate functions for logging
Run `etl schema VERB --help` for a verb's options. See docs/schemas.md.)";

} // namespace

void add_schema(Verb& etl, ExitCode& exit) {
    Verb& verb =
        *etl.add_subcommand("schema", "List, show, validate, compare, convert, and pack schemas");
    verb.require_subcommand(1);
    add_schema_list(verb, exit);
    add_schema_show(verb, exit);
    add_schema_validate(verb, exit);
    add_schema_diff(verb, exit);
    add_schema_import(verb, exit);
    add_schema_export(verb, exit);
    add_schema_cache(verb, exit);
    add_schema_header(verb, exit);
    verb.footer(schema_footer);
}

} // namespace cli
