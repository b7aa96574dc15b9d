// A call of a tool: the command line of its verb, which runs in a process of its own, and the
// answer. docs/mcp.md, docs/decisions/0027-mcp.md
#pragma once

#include "cli/option_values.hpp"
#include "cli/verb.hpp"
#include "host/programs.hpp"
#include "verbs/mcp/message.hpp"
#include "verbs/mcp/tools.hpp"

#include <chrono>
#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cli::mcp {

// Answers of tools: text of a bounded size.

/// What `tools/call` returns. UTF-8. The two stand in content items of their own, so that nothing
/// in a trace can pass for the words of the tool.
struct Answer {
    std::string data; // what the verb printed: texts of traces; empty: nothing
    std::string text; // messages of the verb and of the server; empty: none
    bool is_error = false;
};

/// Returns as much of a text as whole lines of at most `most` bytes; of a longer line, whole
/// characters.
std::string_view first_lines(std::string_view text, std::size_t most);

/// Returns an answer about a wrong argument. It may contain what the client sent, of any length.
Answer refusal(std::string_view problem);

// Arguments of a call that all tools share: their values, checked, and paths.

/// Returns null if the call has no such argument.
const Argument* find(const Message& call, std::string_view name);

/// Returns what is wrong with the number of values; empty: nothing.
std::string count_problem(const Argument& argument, std::size_t least, std::size_t most);

/// Returns the largest answer in bytes, or what is wrong with `max-bytes`.
std::expected<std::size_t, std::string> max_bytes(const Message& call);

/// Returns a flag, or what is wrong with it.
std::expected<bool, std::string> flag_of(const Argument& argument);

/// Returns the absolute path with links resolved, or nothing if it is outside of `root`. A relative
/// path begins there; an empty `root` is the current directory, and nothing is outside of it.
std::optional<std::string> confined(const std::string& path, const std::string& root);

/// Returns a path as a call can name it: relative to `root`, unless that is empty.
std::string shown_name(const std::string& path, const std::string& root);

/// How the server was started.
struct CallOptions {
    std::string root; // files outside of this directory are refused; empty: none are
    std::vector<std::string> schemas, symbols; // for every call
    BigNumbers big_numbers = BigNumbers::number;
    std::chrono::seconds time_limit{60}; // of a call
};

/// The command line of a call, with the verb first, and the largest answer in bytes.
struct Command {
    std::vector<std::string> words;
    std::size_t first_file = 0, files = 0; // of the words
    std::size_t max_bytes = default_answer;
};

/// Returns the command line for a call of a verb, or what is wrong with the arguments.
std::expected<Command, std::string> command_of(const Tool& tool, const Message& call,
                                               const Verb& etl, const CallOptions& options);

/// Returns what a verb wrote, at most Command::max_bytes: whole lines, and the command line.
Answer answer_of(const Command& command, const etl::host::Captured& captured,
                 const CallOptions& options);

} // namespace cli::mcp
