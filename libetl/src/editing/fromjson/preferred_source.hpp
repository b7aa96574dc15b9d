// Choice between two representations of a payload.
#pragma once

#include <cstdint>

namespace etl::fromjson {

/// The source of a payload if a line has both `payload` and `data`.
enum class PreferredSource : std::uint8_t { payload, data };

} // namespace etl::fromjson
