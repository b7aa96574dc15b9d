// Draft: an event of one's own, in memory that may be changed. What ITraceEvent is on Windows.
//     Draft draft(event);                 // a copy
//     draft.set_payload(bytes);
//     to.emit(draft);
#pragma once

#include <etl/flow/event.hpp>
#include <etl/format/set_field.hpp>

#include <memory>

namespace etl::relog {

/// One thread. Its memory is used again: assign() to one draft after another event allocates
/// nothing once it is large enough.
class Draft {
public:
    enum class Form : std::uint8_t {
        event,   // EVENT: of a provider, with a descriptor
        classic, // FULL: of a class, with a type
    };

    /// Nothing yet: assign() first. It is not given on, has a place for nothing, and its event() is
    /// of RecordKind::none, without a buffer. So is a draft that was moved from.
    Draft() noexcept;
    /// A copy of `event`: record, processor, trace. The trace outlives the draft.
    explicit Draft(const flow::Event& event);
    /// A new event with nothing in it; time, process, thread, processor and trace are those of
    /// `like`, pointers are as wide as the trace's.
    Draft(Form form, const flow::Event& like);
    Draft(Draft&&) noexcept;
    Draft& operator=(Draft&&) noexcept;
    Draft(const Draft&) = delete;
    Draft& operator=(const Draft&) = delete;
    ~Draft();

    /// Becomes a copy of `event`, which is none of this draft.
    void assign(const flow::Event& event);

    // Each says whether the kind of record has a place for it.
    format::FieldPresence set_time(Filetime time) noexcept; // as the trace's clock counts
    format::FieldPresence set_raw_time(std::int64_t raw) noexcept;
    format::FieldPresence set_process_id(std::uint32_t id) noexcept;
    format::FieldPresence set_thread_id(std::uint32_t id) noexcept;
    format::FieldPresence set_cpu_times(std::uint32_t kernel, std::uint32_t user) noexcept;
    format::FieldPresence set_provider(const Guid& guid) noexcept;
    format::FieldPresence set_activity(const Guid& guid) noexcept;
    format::FieldPresence set_descriptor(const format::Descriptor& descriptor) noexcept;

    /// Becomes an event of another trace, its raw time stamp as it is. The trace outlives it.
    void set_trace(const flow::TraceInfo& trace) noexcept;
    /// Errors: limit (processor >= limits::processors).
    Result<void> set_processor(std::uint16_t processor) noexcept;
    /// Errors: those of format::with_payload; the record is as it was. `payload` may be a part of
    /// the one there.
    Result<void> set_payload(Bytes payload);
    /// Errors: limit; unsupported (no EVENT record).
    Result<void> set_items(std::span<const format::ExtendedItem> items);

    /// The payload where it lies, to be changed in place. Valid until the record changes its size.
    MutableBytes payload() noexcept;

    /// The event as it is now. A view: valid until the draft is changed, moved or gone.
    const flow::Event& event() const noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace etl::relog
