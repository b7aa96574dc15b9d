// Which format `etl dump` writes, by what was asked for and what the output is called.
#pragma once

#include "verbs/dump/options.hpp"

#include <expected>
#include <string>

namespace cli {

/// --format, else by the ending of -o. Errors: for people; options that contradict the format.
std::expected<DumpFormat, std::string> format_of(const DumpOptions& options);

} // namespace cli
