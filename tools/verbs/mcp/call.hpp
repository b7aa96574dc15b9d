// A call of a tool: the command line of its verb, which runs in a process of its own, and the
// answer. docs/mcp.md, docs/decisions/0027-mcp.md
#pragma once

#include "cli/big_numbers.hpp"
#include "cli/verb.hpp"
#include "host/programs.hpp"
#include "verbs/mcp/answer.hpp"
#include "verbs/mcp/message.hpp"
#include "verbs/mcp/tools.hpp"

#include <chrono>
#include <cstddef>
#include <expected>
#include <string>
#include <vector>

namespace cli::mcp {

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
    std::size_t max_bytes = default_answer;
};

/// Returns the command line for a call of a verb, or what is wrong with the arguments.
std::expected<Command, std::string> command_of(const Tool& tool, const Message& call,
                                               const Verb& etl, const CallOptions& options);

/// Returns what a verb wrote, at most Command::max_bytes: whole lines, and the command line.
Answer answer_of(const Command& command, const etl::host::Captured& captured,
                 const CallOptions& options);

} // namespace cli::mcp
