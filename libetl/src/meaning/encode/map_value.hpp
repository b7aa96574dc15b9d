// The texts of enumerations back to numbers. Pure; any thread. Private to encode.
#pragma once

#include "schema/event_schema.hpp"

#include <optional>

namespace etl::encode {

/// The number that is shown as `text`: of a value map one of its texts, of a bit map any of them
/// joined by ` | `, with `0x...` for bits that have none. The first of equal texts counts.
std::optional<std::uint64_t> map_value(const schema::ValueMap& map, std::string_view text) noexcept;

} // namespace etl::encode
