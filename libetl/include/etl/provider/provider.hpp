// What a program says of itself and its events, without a session: identity of a provider,
// descriptors of events. Values; any thread. Header-only. docs/providers.md
#pragma once

#include <etl/base/guid.hpp>
#include <etl/format/encode.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etl::provider {

/// EVENT_DESCRIPTOR.
struct EventDescriptor {
    std::uint16_t id = 0;
    std::uint8_t version = 0;
    std::uint8_t channel = 0;
    std::uint8_t level = 0;
    std::uint8_t opcode = 0;
    std::uint16_t task = 0;
    std::uint64_t keyword = 0;
};

/// Channel of TraceLogging events.
inline constexpr std::uint8_t tracelogging_channel = 11;

/// When and where an event happened; ids that nobody knows are format::unknown_id.
struct Stamp {
    std::int64_t time = 0; // raw, in the clock of the trace
    std::uint32_t process_id = format::unknown_id, thread_id = format::unknown_id;
    Guid activity{};
};

} // namespace etl::provider
