// etl view of an etl that was built without libmicrohttpd or simdjson.
#include "cli/console.hpp"
#include "cli/verbs.hpp"

namespace cli {

void add_view(Verb& etl, ExitCode& exit) {
    Verb& verb = *etl.add_subcommand("view", "Look at traces in the browser (not in this build)");
    verb.allow_extras();
    verb.callback([&exit] {
        say("view is not supported by this build: it needs libmicrohttpd and simdjson; `etl report "
            "trace.etl -o report.html` makes a page without them");
        exit = ExitCode::failed;
    });
}

} // namespace cli
