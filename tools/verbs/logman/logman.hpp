// The command line of logman. docs/machine-sessions.md#windows
#pragma once

#include "cli/verb.hpp"
#include "verbs/session/windows_session.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cli::logman {

struct CommandLine {
    std::vector<std::string> words; // [trace] NAME
    bool is_now = false;            // -ets
    WindowsSession session;
    std::vector<ProviderSpec> disabled; // --p
    std::uint32_t process = 0;          // -pid of `query providers`
};

/// Declares the options of start, create, and update. `to` must outlive `verb`.
void add_words(Verb& verb, CommandLine& to);

/// Declares options whose use is an error.
void add_refused_words(Verb& verb);

/// `query providers`: all providers that schemas describe, those of a process, or one with its
/// keywords, levels, and processes. Prints errors.
ExitCode print_providers(const CommandLine& line);

inline constexpr const char* completed = "\nThe command completed successfully.\n";

} // namespace cli::logman
