// EVENT_DESCRIPTOR: the kind of an event. A value.
#pragma once

#include "format/records.hpp"

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

/// Returns the descriptor in the header of an EVENT record at `record`.
inline EventDescriptor load_descriptor(const std::byte* record) noexcept {
    const std::span<const std::byte, event_record::size> head(record, event_record::size);
    return {.id = load<event_record::id>(head),
            .version = load<event_record::version>(head),
            .channel = load<event_record::channel>(head),
            .level = load<event_record::level>(head),
            .opcode = load<event_record::opcode>(head),
            .task = load<event_record::task>(head),
            .keyword = load<event_record::keyword>(head)};
}

/// Stores the descriptor in the header of an EVENT record at `record`.
inline void store_descriptor(std::byte* record, const EventDescriptor& descriptor) noexcept {
    const std::span<std::byte, event_record::size> head(record, event_record::size);
    store<event_record::id>(head, descriptor.id);
    store<event_record::version>(head, descriptor.version);
    store<event_record::channel>(head, descriptor.channel);
    store<event_record::level>(head, descriptor.level);
    store<event_record::opcode>(head, descriptor.opcode);
    store<event_record::task>(head, descriptor.task);
    store<event_record::keyword>(head, descriptor.keyword);
}

/// The channel of TraceLogging events.
inline constexpr std::uint8_t tracelogging_channel = 11;

} // namespace etl::format
