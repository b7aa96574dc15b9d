// What is printed about a command line that cannot be parsed.
#pragma once

#include "cli/verb.hpp"

#include <optional>
#include <string>

namespace cli {

/// Prints that `parent` has no verb of this name, and similar ones. Returns the exit code.
int refuse_verb(const std::string& word, const Verb& parent);

/// Prints that the word in the place of a verb is none, in `etl nosuch --help`, and returns the
/// exit code; nothing if there is no such word. `etl` was parsed up to the help option.
std::optional<int> refuse_unknown_verb(const Verb& etl);

/// Prints what is wrong with the command line and what to do. `first` is its first word. Returns
/// the exit code.
int refuse(const Verb& etl, const ParseEnd& end, const std::string& first);

} // namespace cli
