// The settings file of -config. docs/tracerpt.md#settings
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

/// Returns the words of a settings file as they would be on a command line, with options as
/// `--name`. Each line contains options (`-of CSV`) or one setting (`of = CSV`); lines in brackets
/// and after `#` or `;` are ignored.
std::vector<std::string> words_of_settings(std::string_view text);

/// The same for a file. Errors: text for messages.
std::expected<std::vector<std::string>, std::string> read_settings(const std::string& path);

} // namespace cli
