// etl sql of an etl that was built without SQLite.
#include "cli/console.hpp"
#include "cli/verbs.hpp"

namespace cli {

void add_sql(Verb& etl, ExitCode& exit) {
    Verb& verb = *etl.add_subcommand("sql", "Query events and tables in SQL (not in this build)");
    verb.allow_extras();
    verb.callback([&exit] {
        say("sql is not supported by this build: it needs SQLite 3.38 or later");
        exit = ExitCode::failed;
    });
}

} // namespace cli
