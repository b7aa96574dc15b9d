// The part of traces that --part selects. docs/parts.md
#pragma once

#include "trace/parts.hpp"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>

namespace cli {

/// `--part K/N`. `use`: what the parts of this verb add up to, for the help.
void add_part(CLI::App& verb, std::optional<etl::trace::Part>& part, const std::string& use);

} // namespace cli
