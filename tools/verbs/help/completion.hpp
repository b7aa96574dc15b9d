// Completion of words in shells, from the option tables of the verbs.
#pragma once

#include "cli/verb.hpp"

#include <string>
#include <vector>

namespace cli {

/// Returns what can stand for the last of `words`, a line each: `WORD`, a tab, and its description;
/// `:files` or `:directories` if names of files can. The first word is the name that the program
/// was called by; the last one may be empty.
std::vector<std::string> completions_of(const Verb& etl, std::vector<std::string> words);

} // namespace cli
