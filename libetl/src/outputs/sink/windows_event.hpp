// An event as Windows models it: the properties of System, one form of payload, and what a
// rendering adds. Values keep their types; text is the matter of the formats that write them (XML,
// EVTX). docs/output.md#windows-events
//
//     WindowsEvents model(options);
//     const WindowsEvent& event = model.of(decoded);
//     WindowsData data;
//     WindowsDatum datum;
//     for (data.start(event); data.next(datum);) { use(datum.name, datum.value); }
//     if (const auto error = data.error()) { ... } // ProcessingErrorData in place of the values
#pragma once

#include "decode/decoder.hpp"
#include "format/kernel_group.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace etl::sink {

/// The GUID that Windows reports as the provider of kernel events, instead of that of their class.
inline constexpr Guid kernel_trace_provider = format::system_trace_guid;

/// The element System. Empty and unset values have no element or attribute.
struct WindowsSystem {
    std::string_view provider;         // name
    std::optional<Guid> provider_guid; // none: classic events except those of the kernel
    std::string_view event_source;     // event logs only
    std::uint16_t id = 0;
    std::optional<std::uint16_t> qualifiers; // event logs only
    std::uint8_t version = 0;
    std::uint8_t level = 0;
    std::uint16_t task = 0;
    std::uint8_t opcode = 0;
    std::uint64_t keywords = 0;
    std::optional<Filetime> time; // none: the record has no timestamp
    std::int64_t raw_time = 0;    // session clock
    Guid activity;                // zero: none
    std::optional<Guid> related_activity;
    std::uint32_t process_id = flow::no_id; // no_id: the record stores none
    std::uint32_t thread_id = flow::no_id;
    std::uint16_t processor = 0;
    std::optional<std::uint32_t> session_id;
    /// Ticks of the length in the log file header (TimerResolution); none: not stored.
    std::optional<std::uint32_t> kernel_time, user_time;
    std::optional<std::uint64_t> processor_time; // events of private sessions
    std::string_view channel;                    // name
    std::string_view computer; // WindowsEventOptions::computer; otherwise that of the event log
    std::optional<std::uint64_t> record_id; // event logs only
    Bytes user_sid;                         // SID as stored, of valid size
};

/// The form of the payload: the element after System.
enum class PayloadForm : std::uint8_t {
    none,              // no payload
    event_data,        // EventData with named values
    user_data,         // UserData: the element of WindowsEvent::user_data, with the values inserted
    string,            // EventData with a single text without a name (EventWriteString)
    debug_data,        // DebugData: a WPP message
    binary_event_data, // BinaryEventData: no schema
    elements,          // of an event log: the element of LogOrigin::payload, with elements in it
    processing_error,  // ProcessingErrorData: the event's own metadata cannot be used
};

/// ProcessingErrorData: a schema exists, but the payload contradicts it.
struct ProcessingError {
    static constexpr std::uint32_t no_metadata = 15003;
    static constexpr std::uint32_t invalid_data = 15005; // ERROR_EVT_INVALID_EVENT_DATA

    std::uint32_t code = invalid_data;
    std::string_view item; // the field that does not match; may be empty
    Bytes payload;
};

/// RenderingInfo. Names from the schema; empty: unknown.
struct WindowsRendering {
    std::string_view level, opcode, task, provider, channel;
    std::span<const std::string_view> keywords;
    std::string_view event_name; // classic events: name of the class
};

/// ExtendedTracingInfo of classic events.
struct WindowsTracing {
    Guid event_guid; // the class
    std::uint32_t instance_id = 0, parent_instance_id = 0;
};

/// Views of the record, the decoder, and the model; valid until the next call of either.
struct WindowsEvent {
    WindowsSystem system;
    PayloadForm form = PayloadForm::none;
    Bytes payload;                         // as stored
    std::string_view user_data;            // EventSchema::user_data
    std::optional<WindowsTracing> tracing; // classic events only
    const decode::DecodedEvent* decoded = nullptr;

    /// The place of a WPP message in its source; null: unknown.
    const schema::TraceSite* site() const noexcept {
        return decoded->kind->schema != nullptr ? decoded->kind->schema->site.get() : nullptr;
    }

    /// The name of a self-describing event, which has no other identity; empty for other events,
    /// and for those of event logs. The same for all events of a kind (decode::EventKind).
    std::string_view self_described_name() const noexcept;

    /// The same for all events of a kind.
    WindowsRendering rendering() const noexcept;

    /// PayloadForm::processing_error: the error.
    ProcessingError processing_error() const noexcept;
};

/// What records do not contain.
struct WindowsEventOptions {
    std::string computer; // of all events; empty: that of the event log, or none
};

/// Makes events of the model. Not thread-safe. Allocates nothing.
class WindowsEvents {
public:
    explicit WindowsEvents(WindowsEventOptions options = {}) : options_(std::move(options)) {}

    /// Valid until the next call, and as long as `decoded`.
    const WindowsEvent& of(const decode::DecodedEvent& decoded);

private:
    WindowsEventOptions options_;
    WindowsEvent event_;
};

/// One value of EventData. Elements of arrays have the name of their array; members of structures
/// have their own names.
struct WindowsDatum {
    std::uint32_t field = 0; // index into EventSchema::fields
    std::string_view name;
    decode::Value value;
};

/// The values of an event whose form is event_data, user_data, string, or debug_data, in order.
/// Values that Windows does not show are left out.
class WindowsData {
public:
    /// How payloads that end before their last field are treated.
    enum class ShortPayloads : bool {
        errors,   // as Windows does
        accepted, // the values that the payload has are shown
    };

    explicit WindowsData(ShortPayloads short_payloads = ShortPayloads::errors)
        : short_payloads_(short_payloads) {}

    /// `event` must outlive the walk.
    void start(const WindowsEvent& event) noexcept;

    /// Gets the next value. Returns false at the end.
    bool next(WindowsDatum& datum) noexcept {
        for (;;) {
            const decode::Step step = walker_.next();
            if (step == decode::Step::end) {
                return false;
            }
            if (step == decode::Step::value && !walker_.planned().hidden) {
                datum.field = walker_.field();
                datum.name = fields_[walker_.field()].name;
                datum.value = walker_.value();
                return true;
            }
        }
    }

    /// After the end: whether the payload contradicts its schema; the values are not to be shown
    /// then.
    std::optional<ProcessingError> error() const noexcept;

    /// As next(), but also returns where structures begin and end: value, struct_begin, struct_end,
    /// or end. `datum` is that of the value or of the structure.
    decode::Step step(WindowsDatum& datum) noexcept;

    const decode::FieldWalker& walker() const noexcept { return walker_; }

private:
    ShortPayloads short_payloads_;
    const WindowsEvent* event_ = nullptr;
    const schema::Field* fields_ = nullptr;
    decode::FieldWalker walker_;
};

} // namespace etl::sink
