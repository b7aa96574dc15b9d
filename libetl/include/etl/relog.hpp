// Editing of events between a trace and a copy of it (docs/relogging.md).
//
//     etl::relog::Draft draft; // reused for every event
//     auto written = trace->relog("out.etl", [&](const etl::Event& event, etl::relog::Output& to) {
//         if (event.level() > 4) {
//             return; // dropped: not passed on
//         }
//         draft.assign(event); // a changed copy
//         draft.set_process_id(99);
//         to.emit(draft);
//     });
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>
#include <etl/guid.hpp>
#include <etl/owned.hpp>
#include <etl/record.hpp>
#include <etl/time.hpp>

#include <cstdint>
#include <span>

namespace etl::flow { // of the library itself
struct Event;
struct TraceInfo;
} // namespace etl::flow

namespace etl::relog {

/// A modifiable event in its own memory; the equivalent of ITraceEvent on Windows. An etl::Event
/// converts to flow::Event. Not thread-safe. Memory is reused: assign() does not allocate once the
/// memory is large enough.
class Draft {
public:
    enum class Form : std::uint8_t {
        event,   // an EVENT record: provider and descriptor
        classic, // a FULL record: class and type
    };

    /// An empty draft; call assign() first. It is never emitted, has no fields to set, and its
    /// event() has RecordKind::none and no buffer. A moved-from draft is empty as well.
    Draft() noexcept;
    /// A copy of `event`: record, processor, and trace. Valid until the trace begins another loop,
    /// is saved, or relogged.
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
    /// Errors: limit (beyond 2047).
    Result<void> set_processor(std::uint16_t processor) noexcept;
    /// Replaces the payload. `payload` may be part of the current one. Errors: limit (a record
    /// of more than 65,535 bytes), unsupported (a kind without a payload); the record is unchanged
    /// then.
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
    Owned<State> state_;
};

/// Receives the results of an edit. Events are not passed automatically: an event that is neither
/// passed nor emitted is dropped.
class Output {
public:
    virtual ~Output() = default;
    /// Passes the event given to edit() unchanged, without copying.
    virtual void pass() = 0;
    /// Emits a copy of the draft; the draft may be reused immediately. A draft with a later time is
    /// held until the source reaches that time, so that the output stays in order (up to 16 MB;
    /// then the earliest is emitted early).
    virtual void emit(const Draft& draft) = 0;

    /// Emits a copy of the draft immediately, regardless of its time; for edits that shift all
    /// events equally.
    virtual void emit_now(const Draft& draft) { emit(draft); }
};

// Splitting a trace (etl/rewrite.hpp).

/// What the events of one part of a split trace have in common.
enum class SplitBy : std::uint8_t { size, time, count, provider, process, processor };

/// Where context events, which the events of all parts need, are written.
enum class SplitContext : std::uint8_t {
    copied, // to every part; stacks with their events
    shared, // to a part of their own, number 0; stacks with their events
    none,   // every event, including context, goes only to the part of its key
};

} // namespace etl::relog
