// Event: location and time of one record, with its header in one form for all kinds. Views; valid
// until the next call of the source that returned them (see flow/source.hpp).
#pragma once

#include "flow/trace_info.hpp"
#include "format/event_header.hpp"

namespace etl::flow {

/// The buffer that contains an event's record.
struct BufferContext {
    const TraceInfo* trace = nullptr;
    Bytes bytes;               // decompressed, starting with the buffer header
    FileOffset where{};        // offset of the buffer in the file
    std::uint64_t number = 0;  // index in the file; 0 is the header buffer
    std::int64_t sequence = 0; // SequenceNumber
    std::uint16_t processor = 0;
    std::uint16_t logger_id = 0;
    std::uint16_t flags = 0; // BufferFlag
    /// The input of a merge that the events come from: its place in TraceInfo::merged_inputs, from
    /// 1; 0: of none of them, or unknown.
    std::uint16_t merged_input = 0;
    bool is_mapped = false; // bytes are in TraceInfo::backing, at `where`
};

/// A record that is completely inside its buffer. 32 bytes; trivially copyable.
struct Event {
    const std::byte* record = nullptr;
    std::int64_t raw_time = 0; // session clock; without has_time, that of the previous record
    const BufferContext* buffer = nullptr;
    std::uint32_t size = 0; // size of the record without padding
    format::RecordKind kind;
    bool has_time = true;

    Bytes bytes() const noexcept { return {record, size}; }

    /// Returns the offset of the record in the decompressed buffer.
    std::uint32_t offset() const noexcept {
        return static_cast<std::uint32_t>(record - buffer->bytes.data());
    }

    const TraceInfo& trace() const noexcept { return *buffer->trace; }

    Filetime time() const noexcept { return buffer->trace->clock.to_filetime(raw_time); }
};

static_assert(sizeof(Event) == 32);

/// All ones: the record stores no process or thread ID.
inline constexpr std::uint32_t no_id = format::unknown_id;

using format::EventHeader;

/// Returns the form of the INSTANCE records of a trace.
inline format::Instances instances_of(const TraceInfo& trace) noexcept {
    const bool is_before_1_1 =
        trace.has_header && trace.header.sub_version == 1 && trace.header.sub_minor_version == 0;
    return is_before_1_1 ? format::Instances::with_handles : format::Instances::with_guids;
}

/// Returns the header of a record. Cannot fail: the fixed part was validated when the event was
/// found.
EventHeader read_header(const Event& event) noexcept;

/// Returns the first item of a type, or an empty view with type 0. Linear in the number of items.
format::ExtendedItem find_item(const EventHeader& header, format::ItemType type) noexcept;

/// Returns a field of the record header as stored: `stored<format::full_record::type>(event)`. The
/// kind of the record must have that field.
template <auto field>
auto stored(const Event& event) noexcept {
    return load_le<typename decltype(field)::type>(event.record + field.offset);
}

} // namespace etl::flow
