// Event: location and time of one record, with its header in one form for all kinds. Views; valid
// until the next call of the source that returned them (see flow/source.hpp).
#pragma once

#include "flow/trace_info.hpp"
#include "format/event_header.hpp"

#include <cstdint>
#include <limits>
#include <optional>

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

/// Returns the payload of a record with a hook (format::has_hook): that of read_header(), without
/// reading the rest of its header.
inline Bytes payload_of_hook(const Event& event) noexcept {
    constexpr std::uint16_t has_counters = format::has_pebs_index | format::counter_count_mask;
    if ((stored<format::system_record::version>(event) & has_counters) != 0) [[unlikely]] {
        return read_header(event).payload;
    }
    return event.bytes().subspan(format::traits_of(event.kind).header_size);
}

// Which timestamps of a trace are times. docs/format/time.md#unusable

/// The raw timestamps of a buffer that can be times of its events: not 0, and at most a day outside
/// of StartTime to EndTime, extended by the time at which the buffer was flushed, if the header
/// states them. A record with another one is read as one without a timestamp (Event::has_time). A
/// value; thread-safe.
class UsableTimes {
public:
    /// All raw timestamps but 0.
    UsableTimes() = default;

    /// Those of a buffer of a trace; `flush_time` is its TimeStamp as stored, 0: unknown. Without a
    /// header, and if its clock type is unknown: all but 0.
    UsableTimes(const TraceInfo& trace, std::int64_t flush_time) noexcept;

    bool contain(std::int64_t raw) const noexcept {
        return raw >= first_ && raw <= last_ && (raw != 0 || has_zero_);
    }

private:
    std::int64_t first_ = std::numeric_limits<std::int64_t>::min();
    std::int64_t last_ = std::numeric_limits<std::int64_t>::max();
    bool has_zero_ = false; // the raw timestamp of the header is 0
};

/// Returns the time of an event; none if its record stores none that is usable, or if the trace
/// does not contain what relates its timestamps to times: before 1970, there are no events.
std::optional<Filetime> wall_time(const Event& event) noexcept;

/// Returns the timestamp that a record stores, usable or not; none if its kind has none.
std::optional<std::int64_t> stored_time(const Event& event) noexcept;

} // namespace etl::flow
