// etl tracelog: the command line of Windows' tracelog. docs/machine-sessions.md#windows
#include "verbs/tracelog/tracelog.hpp"

#include <etl/session.hpp>

#include "cli/console.hpp"
#include "cli/destination.hpp"
#include "cli/verbs.hpp"
#include "cli/windows_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>

namespace cli {

namespace tracelog {

namespace {

using etl::machine::Controller;
using etl::session::ProviderState;
using etl::session::SessionState;

constexpr const char* tracelog_footer = R"(Examples:
  etl tracelog -start Day -f day.etl -guid '#121c8e98-04dd-5bb5-749d-5db33a9cb9fd' -flag 0x1 -level 4
  etl tracelog -start Day -f day.etl -guid '*MyCompany.Coffee' -cir 100
  etl tracelog -q Day
  etl tracelog -enableex Day -guid providers.guid
  etl tracelog -stop Day
  etl tracelog -l
Options are read in any case, with - or /; quote '#' and '*' for the shell. Kernel events are recorded on Windows
only. Exit codes: 0 success, 1 events were lost, 2 failure, 64 usage error. See docs/machine-sessions.md.)";

ExitCode print_states(Controller& host, std::span<const SessionState> states) {
    std::string text;
    etl::session::append_sessions(text, states, names_of(host),
                                  etl::session::ListingStyle::tracelog);
    return print(text);
}

ExitCode print_state(Controller& host, const std::string& name) {
    const auto state = host.query(name);
    return state ? print_states(host, {&*state, 1}) : say_failure(name, state.error());
}

ExitCode list_sessions(Controller& host) {
    const auto states = host.sessions();
    if (!states) {
        return say_failure("machine sessions", states.error());
    }
    if (states->empty()) {
        say("no sessions; `-start NAME -guid '#GUID' -f FILE` starts one");
    }
    return print_states(host, *states);
}

/// A line for each enablement; one if there is none.
void append_guid(std::string& to, const ProviderState& provider, bool has_processes) {
    const std::string guid = etl::to_string(provider.guid);
    const auto line = [&](std::string_view is_enabled, std::uint32_t session, std::uint32_t level,
                          std::uint64_t keywords, std::uint32_t process) {
        to += fmt::format("{} {:>7} {:>8} {:>5} {:#x}", guid, is_enabled, session, level, keywords);
        to += has_processes ? fmt::format(" {}\n", process) : "\n";
    };
    bool is_listed = false;
    for (const ProviderState::Instance& instance : provider.instances) {
        if (is_listed && !has_processes) {
            return; // all instances have the same enablements
        }
        is_listed = true;
        for (const auto& enabled : instance.enabled) {
            line("TRUE", enabled.session_id, enabled.level, enabled.match_any, instance.process_id);
        }
        if (instance.enabled.empty()) {
            line("FALSE", 0, 0, 0, instance.process_id);
        }
    }
}

ExitCode list_guids(Controller& host, const CommandLine& line) {
    const auto providers = host.providers();
    if (!providers) {
        return say_failure("machine sessions", providers.error());
    }
    std::vector<etl::Guid> wanted;
    for (const ProviderSpec& spec : read_providers(line)) {
        wanted.push_back(etl::parse_guid(spec.provider).value_or(etl::Guid{}));
    }
    std::string text = fmt::format("{:<36} Enabled LoggerId Level Flags{}\n{}\n", "Guid",
                                   line.has_processes ? " PID" : "", std::string(70, '-'));
    for (const ProviderState& provider : *providers) {
        if (!provider.is_group &&
            (wanted.empty() || std::ranges::find(wanted, provider.guid) != wanted.end())) {
            append_guid(text, provider, line.has_processes);
        }
    }
    return print(text);
}

void require_providers(const CommandLine& line) {
    if (line.guids.empty()) {
        throw UsageError("-guid", "required: the provider");
    }
}

ExitCode change(Controller& host, const CommandLine& line, Change how) {
    require_providers(line);
    const std::string& name = line.session.options.name;
    const auto providers = find_providers(host, line.session.providers);
    const ExitCode exit =
        providers ? change_providers(host, name, *providers, how) : ExitCode::failed;
    if (exit == ExitCode::well && how == Change::enable) {
        warn_of_unregistered(host, *providers, Unregistered::all);
    }
    return exit == ExitCode::well ? print_state(host, name) : exit;
}

ExitCode finish_and_print(Controller& host, const CommandLine& line, Ending how) {
    ExitCode exit = ExitCode::well;
    const auto state = finish(host, line.session, how, exit);
    return state ? worst(exit, print_states(host, {&*state, 1})) : exit;
}

ExitCode update_and_print(Controller& host, const CommandLine& line) {
    const ExitCode exit = update(host, line.session);
    return exit == ExitCode::well ? print_state(host, line.session.options.name) : exit;
}

ExitCode start_and_print(const CommandLine& line) {
    const ExitCode exit = start(line.session, "LogFile.etl");
    auto host = exit == ExitCode::well ? connect_to_host() : std::nullopt;
    return host ? print_state(*host, line.session.options.name) : exit;
}

ExitCode run(CommandLine line) {
    if (!line.action) {
        throw UsageError("an action is required, such as -start, -stop, or -l");
    }
    if (line.action != Action::list_guids) {
        line.session.providers = read_providers(line);
    }
    if (line.action == Action::start) {
        return start_and_print(line);
    }
    auto host = connect_to_host();
    if (!host) {
        return ExitCode::failed;
    }
    switch (*line.action) {
    case Action::start: // above
    case Action::stop:
        return finish_and_print(*host, line, Ending::stop);
    case Action::update:
        return update_and_print(*host, line);
    case Action::flush:
        return finish_and_print(*host, line, Ending::flush);
    case Action::query:
        return print_state(*host, line.session.options.name);
    case Action::list:
        return list_sessions(*host);
    case Action::enable:
        require_providers(line);
        return update_and_print(*host, line);
    case Action::disable:
        return change(*host, line, Change::disable);
    case Action::capture_state:
        return change(*host, line, Change::capture_state);
    case Action::list_guids:
        return list_guids(*host, line);
    }
    return ExitCode::failed;
}

} // namespace

} // namespace tracelog

void add_tracelog(Verb& etl, ExitCode& exit) {
    Verb& verb = add_windows_tool(etl, "tracelog",
                                  "Control sessions of the machine (Windows' tracelog command)");
    const auto line = std::make_shared<tracelog::CommandLine>();
    tracelog::add_words(verb, *line);
    verb.footer(tracelog::tracelog_footer);
    verb.callback([line, &exit] { exit = tracelog::run(*line); });
}

} // namespace cli
