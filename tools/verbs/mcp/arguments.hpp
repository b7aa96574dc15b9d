// Arguments of a call that all tools share: their values, checked, and paths.
#pragma once

#include "verbs/mcp/message.hpp"
#include "verbs/mcp/tools.hpp"

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace cli::mcp {

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

} // namespace cli::mcp
