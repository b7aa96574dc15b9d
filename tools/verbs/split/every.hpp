// --every: where a part of `etl split` ends. docs/split.md#keys
#pragma once

#include <etl/relog/split.hpp>

#include <string>

namespace cli {

inline constexpr const char* every_name = "--every";

/// The limit of parts (relog::SplitOptions::limit) that a word means, which depends on --by. Throws
/// CLI::ValidationError if it means nothing.
std::uint64_t read_every(etl::relog::SplitBy by, const std::string& word);

} // namespace cli
