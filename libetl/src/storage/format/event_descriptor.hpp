// EVENT_DESCRIPTOR: the kind of an event. A value.
#pragma once

#include <cstdint>

namespace etl::format {

/// docs/format/record.md#event
struct EventDescriptor {
    std::uint16_t id = 0;
    std::uint8_t version = 0;
    std::uint8_t channel = 0;
    std::uint8_t level = 0;
    std::uint8_t opcode = 0;
    std::uint16_t task = 0;
    std::uint64_t keyword = 0;
};

/// The channel of TraceLogging events.
inline constexpr std::uint8_t tracelogging_channel = 11;

} // namespace etl::format
