// EventHeader: the header of a record in one form for all kinds, read and encoded; and the
// EVENT_DESCRIPTOR in that of an EVENT record. docs/format/record.md#normalised
#pragma once

#include <etl/record.hpp>

#include "format/record_kind.hpp"
#include "format/records.hpp"

namespace etl::format {

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

/// Form of INSTANCE records: before layout 1.1, they have handles instead of GUIDs. Records too
/// small for GUIDs always have handles. docs/format/record.md#instance
enum class Instances : std::uint8_t { with_guids, with_handles };

/// Returns the header of a single record, without padding, for which record_at() returns `kind`.
/// Cannot fail: record_at() has verified the fixed part. `pointer_size`: that of the trace, for
/// records that do not state theirs.
EventHeader read_header(RecordKind kind, Bytes record, std::uint8_t pointer_size,
                        Instances instances = Instances::with_guids) noexcept;

} // namespace etl::format
