// `etl record`: start a session, run a command, stop the session. docs/machine-sessions.md
#include "cli/console.hpp"
#include "cli/verbs.hpp"
#include "host/process.hpp"
#include "host/programs.hpp"
#include "verbs/session/sessions.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

namespace cli {

namespace {

struct Recording {
    ProviderArguments providers;
    SessionArguments session;
    std::string name;
    std::vector<std::string> command;
};

ExitCode record(const Recording& asked) {
    const auto specs = asked.providers.parse();
    const std::string name =
        asked.name.empty() ? fmt::format("etl-record-{}", etl::host::process_id()) : asked.name;
    const auto options = asked.session.options(name);
    if (!specs || !options) {
        return ExitCode::usage;
    }
    auto session = start_session(*specs, *options, asked.session.output);
    if (!session) {
        return ExitCode::failed;
    }
    auto& [host, providers] = *session;
    ExitCode exit = change_providers(host, name, providers, Change::enable);
    if (exit == ExitCode::well) {
        warn_of_unregistered(host, providers, Unregistered::of_windows);
        const auto ended = etl::host::run_and_wait(asked.command);
        if (!ended) {
            say(printable(fmt::format("{}: {}", asked.command.front(), describe(ended.error()))));
            exit = ExitCode::failed;
        } else if (*ended != 0) {
            say(printable(
                fmt::format("warning: {} ended with exit code {}", asked.command.front(), *ended)));
            exit = ExitCode::damaged;
        }
    }
    const NothingRecorded nothing(host, name);
    const auto stopped = host.stop(name);
    if (!stopped) {
        return say_failure(name, stopped.error());
    }
    if (exit != ExitCode::failed) {
        nothing.warn(*stopped);
    }
    return worst(exit, print_summary(*stopped));
}

} // namespace

void add_record(Verb& etl, ExitCode& exit) {
    Verb& verb = *etl.add_subcommand("record", "Record the events of a command while it runs");
    auto asked = std::make_shared<Recording>();
    verb.add_option("--provider", asked->providers.texts, std::string(spec_help) + "; repeatable")
        ->required()
        ->type_name("SPEC");
    verb.add_option("--name", asked->name, "name of the session (default: etl-record-PID)")
        ->type_name("NAME");
    asked->session.add_to(verb);
    verb.add_option("COMMAND", asked->command, "command and its arguments, after --")
        ->required()
        ->type_name("");
    verb.positionals_at_end();
    verb.footer(R"(Examples:
  etl record --provider MyCompany.Coffee -o coffee.etl -- ./coffee --cups 3
  etl record --provider 'Service:0x3:warning' --max-size 100 --mode circular -o s.etl -- ./service

The session records these providers in all programs, not only in the command. It is stopped when the
command ends; Ctrl-C reaches the command. Exit codes: 0 success, 1 events were lost or the command
failed, 2 failure, 64 usage error. See docs/machine-sessions.md.)");
    verb.callback([&exit, asked] { exit = record(*asked); });
}

} // namespace cli
