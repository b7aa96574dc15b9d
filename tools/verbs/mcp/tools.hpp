// The tools that the server offers: verbs, with some of their options. docs/mcp.md
#pragma once

#include "cli/verb.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cli::mcp {

/// Rows of a table, events, and packets, unless a call sets `limit`: they usually fit into an
/// answer of the default size.
inline constexpr std::string_view default_rows = "20";

/// Bytes of an answer.
inline constexpr std::size_t min_answer = 512, default_answer = 4096, max_answer = 64U << 10U;

/// Files of a call.
inline constexpr std::size_t max_files = 16;

struct Tool {
    enum class Files : std::uint8_t { one, several, two };

    std::string_view verb;
    std::string_view when;                   // to use it
    std::vector<std::string_view> options{}; // that a call can set, without dashes
    Files files = Files::several;
    std::string_view fixed{}; // an option that every call has, or empty
    bool has_query = false;   // the argument `query` is the last word of the command
    std::string_view named{}; // the name of the tool; empty: that of its verb

    std::string_view name() const noexcept { return named.empty() ? verb : named; }

    bool has_option(std::string_view name) const noexcept;
};

/// The name of the tool that lists the traces of a directory, which is no verb.
inline constexpr std::string_view list_tool = "list_traces";

std::span<const Tool> tools();

/// Returns null if there is none.
const Tool* find_tool(std::string_view name) noexcept;

/// Returns the tools as a JSON list, as `tools/list` has it. Descriptions are those of the verbs of
/// `etl` and of their options.
std::string tools_json(const Verb& etl);

} // namespace cli::mcp
