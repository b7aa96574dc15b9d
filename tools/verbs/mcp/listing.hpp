// The tool that lists traces, which is no verb.
#pragma once

#include "verbs/mcp/answer.hpp"
#include "verbs/mcp/message.hpp"

#include <string>

namespace cli::mcp {

/// Returns the sizes and names of the traces in a directory below `root`, one per line.
Answer list_traces(const Message& call, const std::string& root);

} // namespace cli::mcp
