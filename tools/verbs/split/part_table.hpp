// Which part of a split is which, as text for people or as JSON.
#pragma once

#include <etl/relog/split.hpp>

#include <span>
#include <string>

namespace cli {

/// A line for each part: its file, what its events have in common, how many they are.
std::string as_text(std::span<const etl::relog::Part> parts);

/// An object and a newline for each. docs/split.md#json
std::string as_json(std::span<const etl::relog::Part> parts);

} // namespace cli
