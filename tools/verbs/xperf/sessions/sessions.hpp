// The session commands of xperf: -start, -stop, -loggers, ... docs/xperf.md#sessions
#pragma once

#include "verbs/session/windows_session.hpp"
#include "verbs/xperf/options.hpp"

#include <string>
#include <vector>

namespace cli::xperf {

/// What a command line does with sessions, in its order.
struct SessionSteps {
    enum class Kind : unsigned char {
        start,
        stop,
        update,
        flush,
        capture_state,
        loggers,
        providers
    };

    struct Step {
        Kind kind = Kind::start;
        std::vector<std::string> names; // sessions; of -providers: what to list
        WindowsSession session;         // -start, -update, -flush
        std::string merged;             // -stop: -d
    };

    std::vector<Step> steps;
};

/// Declares the options. `to` must outlive `verb`.
void add_sessions(Verb& verb, SessionSteps& to);

/// What -providers lists.
enum class List : unsigned char { installed, registered, flags, groups };
/// Returns what the words of -providers name; without words, all. Throws UsageError.
std::vector<List> lists_named(const OptionValues& values);

ExitCode list_providers(const std::vector<List>& lists);
/// Sessions of these names; without names, all.
ExitCode list_loggers(const std::vector<std::string>& names);

/// Runs the steps until one fails; then sessions that this command line started are stopped.
ExitCode run_sessions(const SessionSteps& what, const Options& options);

} // namespace cli::xperf
