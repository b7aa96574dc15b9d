// The command line of tracelog. docs/machine-sessions.md#windows
#pragma once

#include "cli/verb.hpp"
#include "verbs/session/windows_session.hpp"

#include <optional>
#include <string>
#include <vector>

namespace cli::tracelog {

enum class Action : unsigned char {
    start,
    stop,
    update,
    flush,
    query,
    list,
    enable,
    disable,
    capture_state,
    list_guids,
};

struct CommandLine {
    std::optional<Action> action;
    WindowsSession session;
    std::vector<std::string> guids;  // of -guid: GUIDs, names, files
    etl::session::EnableOptions how; // of all of them, except as a file has it
    bool has_processes = false;      // -enumguidex
};

/// Declares the options. `to` must outlive `verb`.
void add_words(Verb& verb, CommandLine& to);

/// Returns the providers of -guid. Throws UsageError.
std::vector<ProviderSpec> read_providers(const CommandLine& line);

} // namespace cli::tracelog
