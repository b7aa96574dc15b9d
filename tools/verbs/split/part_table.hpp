// The list of parts of a split, as text or JSON.
#pragma once

#include "relog/split.hpp"

#include <span>
#include <string>
#include <vector>

namespace cli {

/// By PartKey::Process::life; empty: unknown.
using ProcessNames = std::vector<std::string>;

/// A line per part: its file, the key of its events, and their number.
std::string as_text(std::span<const etl::relog::Part> parts, const ProcessNames& names);

/// An object and a newline per part. docs/split.md#json
std::string as_json(std::span<const etl::relog::Part> parts, const ProcessNames& names);

} // namespace cli
