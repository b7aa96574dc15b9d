// --every: the limit of a part of `etl split`. docs/split.md#keys
#pragma once

#include "relog/split.hpp"

#include <string>

namespace cli {

inline constexpr const char* every_name = "--every";

/// Parses the limit of parts (relog::SplitOptions::limit), which depends on --by. Throws
/// UsageError if it is not valid.
std::uint64_t read_every(etl::relog::SplitBy by, const std::string& word);

} // namespace cli
