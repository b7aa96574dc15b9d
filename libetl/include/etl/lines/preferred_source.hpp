// Which of two ways to say the same counts.
#pragma once

#include <cstdint>

namespace etl::lines {

/// What a payload is made from where a line has both `payload` and `data`.
enum class PreferredSource : std::uint8_t { payload, data };

} // namespace etl::lines
