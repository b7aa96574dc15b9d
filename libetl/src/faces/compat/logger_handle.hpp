// What a classic provider knows of a session that enabled it, in one number (TRACE_ENABLE_CONTEXT).
// A value.
#pragma once

#include <cstdint>

namespace etl::compat {

struct LoggerHandle {
    std::uint64_t value = 0;

    static LoggerHandle of(std::uint64_t session, std::uint8_t level,
                           std::uint32_t flags) noexcept {
        return {session | std::uint64_t{level} << 16U | std::uint64_t{flags} << 32U};
    }

    /// As StartTrace gave it: its number, and the bit of private ones.
    std::uint64_t session() const noexcept { return value & 0x0100FFFF; }

    std::uint8_t level() const noexcept { return static_cast<std::uint8_t>(value >> 16U); }

    std::uint32_t flags() const noexcept { return static_cast<std::uint32_t>(value >> 32U); }
};

} // namespace etl::compat
