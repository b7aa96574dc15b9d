// The format of `etl dump`, by --format or the name of the output.
#pragma once

#include "verbs/dump/options.hpp"

#include <expected>
#include <string>

namespace cli {

/// --format, else by the extension of -o. Errors: text for messages, if options contradict the
/// format.
std::expected<DumpFormat, std::string> format_of(const DumpOptions& options);

} // namespace cli
