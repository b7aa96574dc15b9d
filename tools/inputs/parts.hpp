// The part of traces that --part selects. docs/parts.md
#pragma once

#include "cli/verb.hpp"
#include "trace/parts.hpp"

#include <optional>
#include <string>

namespace cli {

/// `--part K/N`. `use`: what the parts of this verb add up to, for the help.
void add_part(Verb& verb, std::optional<etl::trace::Part>& part, const std::string& use);

} // namespace cli
