// etl logman: the command line of Windows' logman. docs/machine-sessions.md#windows
#include "verbs/logman/logman.hpp"

#include <etl/session.hpp>

#include "base/text.hpp"
#include "cli/console.hpp"
#include "cli/destination.hpp"
#include "cli/verbs.hpp"
#include "cli/windows_words.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <memory>

namespace cli {

namespace logman {

namespace {

using etl::machine::Controller;

constexpr const char* logman_footer = R"(Examples:
  etl logman start Day -p MyCompany.Coffee 0x1 4 -o day.etl -ets
  etl logman create trace Day -pf providers.txt -o day.etl -ets
  etl logman update trace Day -p MyCompany.Tea -ets
  etl logman query -ets                        list sessions
  etl logman query Day -ets                    print the state of one
  etl logman query providers MyCompany.Coffee
  etl logman stop Day -ets
Data collector sets are not saved, so -ets is required. Options are read in any case, with - or /. Kernel events are
recorded on Windows only. Exit codes: 0 success, 1 events were lost, 2 failure, 64 usage error. See
docs/machine-sessions.md.)";

constexpr const char* no_sets = "data collector sets are not saved here; ";

/// The name of the session, after the word `trace`.
std::string take_name(CommandLine& line) {
    std::vector<std::string>& words = line.words;
    if (words.size() > 1) {
        const std::string kind = etl::to_lower_ascii(words.front());
        if (kind != "trace") {
            throw UsageError(
                printable(words.front()),
                "only traces are recorded; performance counters and alerts exist on Windows");
        }
        words.erase(words.begin());
    }
    if (words.size() != 1) {
        throw UsageError("NAME", "required: the session");
    }
    if (!line.is_now) {
        throw UsageError("-ets",
                         std::string("required: ") + no_sets + "-ets acts on the session now");
    }
    return words.front();
}

/// The log file as logman names it: with an extension, and a number if it is a series.
std::string file_of(const std::string& path, const WindowsSession& session) {
    const bool is_series = (session.options.mode & etl::session::mode::new_file) != 0;
    std::filesystem::path file(path);
    const std::string extension = file.has_extension() ? file.extension().string() : ".etl";
    const std::string number = is_series && !path.contains("%d") ? "_%d" : "";
    file.replace_extension();
    return file.string() + number + extension;
}

ExitCode complete(ExitCode exit) {
    return exit == ExitCode::failed || exit == ExitCode::usage ? exit
                                                               : worst(exit, print(completed + 1));
}

ExitCode start_now(CommandLine line) {
    const std::string name = take_name(line);
    WindowsSession& session = line.session;
    session.options.name = session.options.name.empty() ? name : session.options.name;
    if (!session.file.path.empty()) {
        session.file.path = file_of(session.file.path, session);
    }
    const std::string default_file = file_of(session.options.name + ".etl", session);
    return complete(start(std::move(session), default_file));
}

ExitCode update_now(CommandLine line) {
    WindowsSession& session = line.session;
    session.options.name = take_name(line);
    if (!session.file.path.empty()) {
        session.file.path = file_of(session.file.path, session);
    }
    auto host = connect_to_host();
    const auto disabled = host ? find_providers(*host, line.disabled) : std::nullopt;
    if (!disabled) {
        return ExitCode::failed;
    }
    const ExitCode exit = update(*host, session);
    return complete(exit != ExitCode::well ? exit
                                           : change_providers(*host, session.options.name,
                                                              *disabled, Change::disable));
}

ExitCode stop_now(CommandLine line) {
    line.session.options.name = take_name(line);
    auto host = connect_to_host();
    if (!host) {
        return ExitCode::failed;
    }
    ExitCode exit = ExitCode::well;
    finish(*host, line.session, Ending::stop, exit);
    return complete(exit);
}

ExitCode query_sessions(Controller& host) {
    const auto states = host.sessions();
    if (!states) {
        return say_failure("machine sessions", states.error());
    }
    std::string text;
    etl::session::append_session_table(text, *states);
    return print(text);
}

ExitCode query_now(const CommandLine& line) {
    if (!line.words.empty() && etl::to_lower_ascii(line.words.front()) == "providers") {
        return print_providers(line);
    }
    if (!line.is_now) {
        throw UsageError("-ets",
                         std::string("required: ") + no_sets + "-ets lists the sessions that run");
    }
    if (line.words.size() > 1) {
        throw UsageError(printable(line.words[1]), "one session at a time");
    }
    auto host = connect_to_host();
    if (!host || line.words.empty()) {
        return host ? query_sessions(*host) : ExitCode::failed;
    }
    const auto state = host->query(line.words.front());
    if (!state) {
        return say_failure(line.words.front(), state.error());
    }
    std::string text;
    const DescribedProviders described = read_described_providers();
    etl::session::append_sessions(text, {&*state, 1}, names_of(*host),
                                  etl::session::ListingStyle::logman,
                                  [&](const etl::Guid& provider, std::uint64_t mask) {
                                      return keyword_names(described, provider, mask);
                                  });
    return print(text);
}

struct RefusedVerb {
    const char* name;
    const char* why;
};

constexpr RefusedVerb refused_verbs[] = {
    {"delete", "`logman stop NAME -ets` stops a session"},
    {"import", "write the options on the command line"},
    {"export", "`logman query NAME -ets` prints the options of a session"},
};

void add_refused_verbs(Verb& logman) {
    for (const RefusedVerb& refused : refused_verbs) {
        Verb& verb = *logman.add_subcommand(refused.name,
                                            fmt::format("refused: {}{}", no_sets, refused.why));
        verb.allow_extras();
        verb.callback(
            [&refused] { throw UsageError(refused.name, std::string(no_sets) + refused.why); });
    }
}

Verb& add_verb(Verb& logman, const char* name, const char* description, CommandLine& line) {
    Verb& verb = *logman.add_subcommand(name, description);
    verb.add_option("NAME", line.words, "[trace] name of the session, in any case")->type_name("");
    verb.add_flag("--ets", line.is_now, "act on the session now (required)");
    add_refused_words(verb);
    return verb;
}

} // namespace

} // namespace logman

void add_logman(Verb& etl, ExitCode& exit) {
    using logman::CommandLine;
    Verb& verb = add_windows_tool(etl, "logman",
                                  "Control sessions of the machine (Windows' logman command)");
    verb.require_subcommand(1);
    verb.footer(logman::logman_footer); // verbs inherit it
    const auto line = std::make_shared<CommandLine>();
    const auto add = [&](const char* name, const char* description,
                         std::function<ExitCode(const CommandLine&)> run) -> Verb& {
        Verb& one = logman::add_verb(verb, name, description, *line);
        one.callback([line, &exit, run = std::move(run)] { exit = run(*line); });
        return one;
    };
    logman::add_words(add("start", "Start a session", logman::start_now), *line);
    logman::add_words(add("create", "The same: create trace NAME", logman::start_now), *line);
    logman::add_words(
        add("update", "Change a session: -p, --p, -o, -rt, -nb, -ft", logman::update_now), *line);
    Verb& stop = add("stop", "Stop a session", logman::stop_now);
    stop.add_option("--o", line->session.file.path, "write a session in memory to this file")
        ->type_name("FILE");
    stop.add_flag("--ow,--y", line->session.file.force, "replace an existing file");
    Verb& query =
        add("query", "List sessions, print one, or `query providers [NAME]`", logman::query_now);
    query.add_option("--pid", line->process, "providers of this process")->type_name("PID");
    logman::add_refused_verbs(verb);
    for (Verb* one : verb.verbs()) {
        one->group("Verbs");
    }
}

} // namespace cli
