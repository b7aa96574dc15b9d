// `etl session`: sessions of the machine. docs/machine-sessions.md

#include <etl/session.hpp>

#include "cli/console.hpp"
#include "cli/destination.hpp"
#include "cli/verbs.hpp"
#include "verbs/session/sessions.hpp"

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <string>

namespace cli {

namespace {

using etl::session::SessionState;

/// The arguments of all verbs; each uses some.
struct Arguments {
    std::string name;
    ProviderArguments providers;
    SessionArguments session;
    SessionFile file;
    std::uint32_t maximum = 0, flush_seconds = 0;
    bool next_file = false;
};

ExitCode start(const Arguments& asked) {
    const auto specs = asked.providers.parse();
    if (!specs) {
        return ExitCode::usage;
    }
    const auto options = asked.session.options(asked.name);
    if (!options) {
        return ExitCode::usage;
    }
    return start_recording(*specs, *options, asked.session.output);
}

ExitCode stop(const Arguments& asked) {
    const auto file = asked.file.permitted();
    auto host = file ? connect_to_host() : std::nullopt;
    if (!host) {
        return ExitCode::failed;
    }
    const NothingRecorded nothing(*host, asked.name);
    const auto stopped = host->stop(asked.name, *file);
    if (!stopped) {
        return say_failure(asked.name, stopped.error());
    }
    nothing.warn(*stopped, *file);
    return print_summary(*stopped);
}

ExitCode flush(const Arguments& asked) {
    const auto file = asked.file.permitted();
    auto host = file ? connect_to_host() : std::nullopt;
    if (!host) {
        return ExitCode::failed;
    }
    const auto flushed = host->flush(asked.name, *file);
    return flushed ? print_summary(*flushed) : say_failure(asked.name, flushed.error());
}

ExitCode update(const Arguments& asked) {
    const auto file = asked.file.permitted();
    auto host = file ? connect_to_host() : std::nullopt;
    if (!host) {
        return ExitCode::failed;
    }
    etl::session::UpdateOptions change;
    if (asked.maximum != 0) {
        change.maximum_buffers = asked.maximum;
    }
    if (asked.flush_seconds != 0) {
        change.flush_timer = asked.flush_seconds;
    }
    change.file = *file;
    if (const auto updated = host->update(asked.name, change); !updated) {
        return say_failure(asked.name, updated.error());
    }
    if (asked.next_file) {
        if (const auto switched = host->switch_to_next_file(asked.name); !switched) {
            return say_failure(asked.name, switched.error());
        }
    }
    return ExitCode::well;
}

ExitCode list() {
    auto host = connect_to_host();
    if (!host) {
        return ExitCode::failed;
    }
    const auto sessions = host->sessions();
    if (!sessions) {
        return say_failure("machine sessions", sessions.error());
    }
    std::string text = sessions->empty() ? "no sessions\n" : "";
    for (const SessionState& state : *sessions) {
        text += fmt::format("{}: {}{}, {}, {} lost{}{}\n", printable(state.options.name),
                            plural(state.providers.size(), "provider"), taken_over_text(state),
                            plural(state.buffers_written, "buffer") + " written",
                            plural(state.events_lost, "event"), state.file.empty() ? "" : ": ",
                            printable(state.file));
    }
    return print(text);
}

ExitCode show(const Arguments& asked) {
    auto host = connect_to_host();
    if (!host) {
        return ExitCode::failed;
    }
    const auto state = host->query(asked.name);
    if (!state) {
        return say_failure(asked.name, state.error());
    }
    std::string text;
    etl::session::append_sessions(text, {&*state, 1}, names_of(*host));
    return print(text);
}

ExitCode change(const Arguments& asked, Change change) {
    const auto specs = asked.providers.parse();
    if (!specs) {
        return ExitCode::usage;
    }
    auto host = connect_to_host();
    const auto providers = host ? find_providers(*host, *specs) : std::nullopt;
    if (!providers) {
        return ExitCode::failed;
    }
    const ExitCode exit = change_providers(*host, asked.name, *providers, change);
    if (exit == ExitCode::well && change == Change::enable) {
        warn_of_unregistered(*host, *providers, Unregistered::all);
    }
    return exit;
}

ExitCode providers() {
    auto host = connect_to_host();
    if (!host) {
        return ExitCode::failed;
    }
    const auto all = host->providers();
    if (!all) {
        return say_failure("machine sessions", all.error());
    }
    std::string text;
    for (const auto& provider : *all) {
        if (!provider.is_registered || provider.is_group) {
            continue;
        }
        std::string processes;
        for (const auto& instance : provider.instances) {
            processes += fmt::format("{}{}{}", processes.empty() ? "" : ",", instance.process_id,
                                     instance.enabled.empty() ? "" : "*");
        }
        text += fmt::format("{} {} {}\n", etl::to_string(provider.guid),
                            provider.name.empty() ? "-" : printable(provider.name), processes);
    }
    return print(text.empty() ? "no registered providers\n" : text);
}

/// Declares the verbs, which share their arguments.
class Declaration {
public:
    Declaration(Verb& session, ExitCode& exit)
        : session_(&session), exit_(&exit), asked_(std::make_shared<Arguments>()) {}

    Verb& verb(const char* name, const char* description,
               std::function<ExitCode(const Arguments&)> run) {
        Verb& verb = *session_->add_subcommand(name, description);
        verb.callback(
            [exit = exit_, asked = asked_, run = std::move(run)] { *exit = run(*asked); });
        return verb;
    }

    Verb& named(const char* name, const char* description,
                std::function<ExitCode(const Arguments&)> run) {
        Verb& made = verb(name, description, std::move(run));
        made.add_option("NAME", asked_->name, "session, in any case")->required()->type_name("");
        return made;
    }

    Arguments& asked() { return *asked_; }

private:
    Verb* session_;
    ExitCode* exit_;
    std::shared_ptr<Arguments> asked_;
};

void add_filters(Verb& verb, ProviderArguments& to) {
    verb.add_option("--pid", to.ids, "only in these processes, at most 8; repeatable")
        ->type_name("PID");
    verb.add_option("--executable", to.processes, "only in programs of these names; repeatable")
        ->type_name("NAME");
}

void add_changes(Declaration& declare) {
    ProviderArguments& providers = declare.asked().providers;
    const auto add = [&](const char* name, const char* description, Change kind) -> Verb& {
        Verb& verb = declare.named(name, description,
                                   [kind](const Arguments& asked) { return change(asked, kind); });
        verb.add_option("SPEC", providers.texts, spec_help)->required()->type_name("");
        return verb;
    };
    Verb& enable = add("enable", "Enable providers in a session, or change how", Change::enable);
    add_filters(enable, providers);
    add("disable", "Disable providers in a session", Change::disable);
    add("capture-state", "Ask enabled providers to record their state", Change::capture_state);
}

} // namespace

void add_session(Verb& etl, ExitCode& exit) {
    Verb& session = *etl.add_subcommand(
        "session", "Record programs that run: start, stop, and control sessions of the machine");
    session.require_subcommand(1);
    session.footer(R"(Examples:
  etl session providers                                 list the providers of running programs
  etl session start Morning --provider MyCompany.Coffee:0x1:4 -o morning.etl
  etl session enable Morning 'MyCompany.*'
  etl session stop Morning

Sessions belong to a host, etld, which the first command starts. They continue when this command
ends, and stop when the host does. See docs/machine-sessions.md.)");
    Declaration declare(session, exit);
    Arguments& asked = declare.asked();
    Verb& starting = declare.named("start", "Start a session", start);
    starting
        .add_option("--provider", asked.providers.texts, std::string(spec_help) + "; repeatable")
        ->type_name("SPEC");
    add_filters(starting, asked.providers);
    asked.session.add_to(starting);
    Verb& stopping = declare.named("stop", "Stop a session", stop);
    asked.file.add_to(stopping, "write a session in memory to this file");
    declare.verb("list", "List the sessions", [](const Arguments&) { return list(); });
    declare.named("show", "Show the state of a session, as xperf -loggers does", show);
    Verb& updating = declare.named("update", "Change a session", update);
    asked.file.add_to(updating, "finish the file and continue in this one");
    updating.add_option("--max-buffers", asked.maximum, "maximum number of buffers")
        ->type_name("N");
    updating.add_option("--flush-timer", asked.flush_seconds, "seconds")->type_name("SECONDS");
    updating.add_flag("--next-file", asked.next_file, "continue in the next file of a series");
    Verb& flushing = declare.named("flush", "Write all events recorded so far", flush);
    asked.file.add_to(flushing, "write a copy of a session in memory to this file");
    add_changes(declare);
    declare.verb("providers",
                 "List the providers of running programs: GUID, name, process IDs (* enabled)",
                 [](const Arguments&) { return providers(); });
}

} // namespace cli
