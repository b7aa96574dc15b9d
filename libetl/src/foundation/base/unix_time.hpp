// Times since 1970, as other formats store them. Values; thread-safe.
#pragma once

#include "base/time.hpp"

#include <cstdint>
#include <limits>
#include <optional>

namespace etl {

/// 100 ns units since 1970-01-01 UTC; negative before. The earliest times are one.
constexpr std::int64_t unix_ticks(Filetime time) noexcept {
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min() + Filetime::unix_epoch;
    return time.ticks < least ? std::numeric_limits<std::int64_t>::min()
                              : time.ticks - Filetime::unix_epoch;
}

/// Nanoseconds since 1970-01-01 UTC; nothing if 64 bits do not hold them: before 1677, after 2262.
constexpr std::optional<std::int64_t> unix_nanoseconds(Filetime time) noexcept {
    constexpr std::int64_t ns_per_tick = 100;
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / ns_per_tick;
    const std::int64_t ticks = unix_ticks(time);
    if (ticks < -most || ticks > most) {
        return std::nullopt;
    }
    return ticks * ns_per_tick;
}

} // namespace etl
