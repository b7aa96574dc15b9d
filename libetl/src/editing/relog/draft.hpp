// Draft: a modifiable event in its own memory. The equivalent of ITraceEvent on Windows.
//     Draft draft(event);                 // a copy
//     draft.set_payload(bytes);
//     to.emit(draft);
#pragma once

#include "flow/event.hpp"
#include "format/set_field.hpp"

#include <memory>

namespace etl::relog {

/// Not thread-safe. Memory is reused: assign() does not allocate once the memory is large enough.
class Draft {
public:
    enum class Form : std::uint8_t {
        event,   // an EVENT record: provider and descriptor
        classic, // a FULL record: class and type
    };

    /// An empty draft; call assign() first. It is never emitted, has no fields to set, and its
    /// event() has RecordKind::none and no buffer. A moved-from draft is empty as well.
    Draft() noexcept;
    /// A copy of `event`: record, processor, and trace. The trace must outlive the draft.
    explicit Draft(const flow::Event& event);
    /// A new event without content; time, process, thread, processor, and trace are those of
    /// `like`, and the pointer size is that of the trace.
    Draft(Form form, const flow::Event& like);
    Draft(Draft&&) noexcept;
    Draft& operator=(Draft&&) noexcept;
    Draft(const Draft&) = delete;
    Draft& operator=(const Draft&) = delete;
    ~Draft();

    /// Becomes a copy of `event`, which must not belong to this draft.
    void assign(const flow::Event& event);

    // Each function returns whether the kind of record has the field.
    format::FieldPresence set_time(Filetime time) noexcept; // converted to the trace's clock
    format::FieldPresence set_raw_time(std::int64_t raw) noexcept;
    format::FieldPresence set_process_id(std::uint32_t id) noexcept;
    format::FieldPresence set_thread_id(std::uint32_t id) noexcept;
    format::FieldPresence set_cpu_times(std::uint32_t kernel, std::uint32_t user) noexcept;
    format::FieldPresence set_provider(const Guid& guid) noexcept;
    format::FieldPresence set_activity(const Guid& guid) noexcept;
    format::FieldPresence set_descriptor(const format::EventDescriptor& descriptor) noexcept;

    /// Makes this an event of another trace, keeping its raw timestamp. The trace must outlive the
    /// draft.
    void set_trace(const flow::TraceInfo& trace) noexcept;
    /// Errors: limit (processor >= limits::processors).
    Result<void> set_processor(std::uint16_t processor) noexcept;
    /// Replaces the payload. `payload` may be part of the current one. Errors: those of
    /// format::with_payload; the record is unchanged then.
    Result<void> set_payload(Bytes payload);
    /// Replaces the extended data items. Errors: limit; unsupported (not an EVENT record).
    Result<void> set_items(std::span<const format::ExtendedItem> items);

    /// Returns the payload for modification in place. Valid until the record changes its size.
    MutableBytes payload() noexcept;

    /// Returns the complete record for modification in place, for bytes that no other function
    /// sets. Its kind, its size, and where its payload begins must stay. Valid until the record
    /// changes its size.
    MutableBytes record() noexcept;

    /// Returns the event in its current form. A view; valid until the draft is changed, moved, or
    /// destroyed.
    const flow::Event& event() const noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace etl::relog
