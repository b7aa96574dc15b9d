// `etl live`: the events of a machine session, as they are written. docs/machine-sessions.md
#include "cli/verbs.hpp"
#include "inputs/live_session.hpp"
#include "verbs/dump/dumping.hpp"

#include <memory>
#include <string>

namespace cli {

namespace {

ExitCode run(DumpOptions options, const std::string& session) {
    const auto pipe = deliver_session(session);
    if (!pipe) {
        return ExitCode::failed;
    }
    options.traces.arguments = {pipe->path()};
    return run_dump(std::move(options));
}

} // namespace

void add_live(Verb& etl, ExitCode& exit) {
    Verb& verb = *etl.add_subcommand("live", "Print the events of a session as they are written");
    auto options = std::make_shared<DumpOptions>();
    auto session = std::make_shared<std::string>();
    verb.add_option("NAME", *session, "session in real-time mode, in any case")
        ->required()
        ->type_name("");
    add_event_options(verb, *options);
    verb.footer(R"(Examples:
  etl session start Now --provider MyCompany.Service --live
  etl live Now
  etl live Now --format jsonl --level warning

The first consumer receives the events that were kept while there was none. Ends when the session
stops, or with Ctrl-C. See docs/machine-sessions.md.)");
    verb.callback([options, session, &exit] { exit = run(*options, *session); });
}

} // namespace cli
