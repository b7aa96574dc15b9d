// The words of Windows' tools: `-of CSV`, `/OF CSV`, and `/of:CSV` are all --of CSV.
#pragma once

#include "cli/verb.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace cli {

/// The verbs that take the command line of the Windows tool of their name. Installed as commands of
/// their own, too.
inline constexpr std::string_view windows_tools[] = {"logman",   "tracefmt", "tracelog",
                                                     "tracerpt", "wevtutil", "xperf"};

/// Declares one of windows_tools. Declare its options with two dashes, even those of one letter;
/// --help shows them with one.
Verb& add_windows_tool(Verb& etl, const std::string& name, const std::string& description);

/// Returns whether the verb was declared with add_windows_tool(), or belongs to one that was.
bool is_windows_tool(const Verb& verb);

/// Returns a command line, without the name of the program, with the words for a Windows tool as
/// `etl` declares them. `program` is the name that the program was called by.
///
/// In a Windows tool a word that begins with a dash or a slash is an option if, up to a colon and
/// in any case, it has the name of one; so `/tmp/x.etl` remains a path. Its value may follow the
/// colon. A doubled dash turns an option off if the verb declares `--no-NAME`: logman's `--rt`.
std::vector<std::string> read_windows_words(const Verb& etl, std::string_view program,
                                            std::vector<std::string> words);

} // namespace cli
