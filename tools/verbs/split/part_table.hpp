// The list of parts of a split, as text or JSON.
#pragma once

#include <etl/relog/split.hpp>

#include <span>
#include <string>

namespace cli {

/// A line per part: its file, the key of its events, and their number.
std::string as_text(std::span<const etl::relog::Part> parts);

/// An object and a newline per part. docs/split.md#json
std::string as_json(std::span<const etl::relog::Part> parts);

} // namespace cli
