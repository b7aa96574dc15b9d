// Event: one event of a trace, with its names and fields. docs/reading.md
#pragma once

#include "facts/facts.hpp"
#include "facts/frame_names.hpp"
#include "facts/origins.hpp"
#include "flow/event.hpp"
#include "flow/usable_time.hpp"
#include "view/field.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace etl::inline view {

/// The current event of a Trace. Valid until the trace moves to the next one. Cannot be copied or
/// moved, to prevent dangling references. The first call that needs the schema looks it up; the
/// first call that needs fields walks the payload. Kinds of events seen before cause no allocation,
/// except for returned strings. Not thread-safe.
class Event {
public:
    Event(const Event&) = delete;
    Event(Event&&) = delete;
    Event& operator=(const Event&) = delete;
    Event& operator=(Event&&) = delete;
    ~Event();

    /// Returns the wall time. A record without a usable one has that of the previous record.
    Filetime time() const noexcept { return event_->time(); }

    /// Returns the wall time; none if the record has no usable one (flow/usable_time.hpp).
    std::optional<Filetime> wall_time() const noexcept { return flow::wall_time(*event_); }

    std::uint16_t processor() const noexcept { return event_->buffer->processor; }

    /// Returns the best known name, or the GUID as text.
    std::string_view provider() const;

    /// Returns the best known name, or `EventID(12)`, or `Message(12)` for WPP.
    std::string_view name() const;

    /// For kernel events, returns the class GUID.
    const Guid& provider_id() const { return header().provider; }

    std::uint16_t id() const { return header().id; }

    std::uint8_t version() const { return header().version; }

    std::uint8_t level() const { return header().level; }

    std::uint8_t opcode() const { return header().opcode; }

    std::uint16_t task() const { return header().task; }

    std::uint64_t keyword() const { return header().keyword; }

    /// Returns flow::no_id if the record does not store it.
    std::uint32_t process_id() const { return header().process_id; }

    std::uint32_t thread_id() const { return header().thread_id; }

    /// Returns zero if the record has none.
    const Guid& activity() const { return header().activity; }

    std::optional<Guid> related_activity() const;

    /// Returns the name of the channel (event log); empty if unknown.
    std::string_view channel() const { return decoded().kind->channel_name; }

    /// Returns the name of the computer, and EventRecordID; empty unless the event is of an event
    /// log (.evtx).
    std::string_view computer() const;
    std::optional<std::uint64_t> record_id() const;

    /// Returns the SID of the user (`S-1-5-18`); empty if the record contains none.
    std::string user() const;

    /// Returns whether a schema was found. Without a schema, fields() is empty; use payload().
    bool is_decoded() const { return decoded().kind->schema != nullptr; }

    /// Returns the provider's part of the record, as stored.
    Bytes payload() const { return header().payload; }

    /// Returns how the payload contradicts its schema, or why no schema was used; empty if neither
    /// applies. The fields before a contradiction are valid.
    std::string_view problem() const;

    /// Returns what may make values wrong (decode::append_decode_note), such as the assumption of a
    /// guess; empty if nothing. Valid until the next event is read.
    std::string_view assumption() const;

    /// Returns the top-level fields, in payload order.
    Fields fields() const { return Fields(table()); }

    /// Returns the first top-level field with this name, or a missing field.
    Field operator[](std::string_view field) const { return fields()[field]; }

    /// Returns the message with its values, as Windows renders it; empty if the schema has none.
    std::string message() const;

    /// Returns the JSON object that `etl dump --format jsonl` writes; with TraceOptions::enrich,
    /// the object of `etl dump --enrich --format jsonl`. docs/output.md
    std::string json() const;

    /// Returns the name of the process that the event is about. Empty if unknown, or without
    /// TraceOptions::enrich.
    std::string_view process() const;

    /// Returns the addresses of the call stack, innermost first. Stacks in separate records require
    /// TraceOptions::enrich.
    std::span<const std::uint64_t> stack() const;

    /// Returns the name of each address of stack(), as facts::Notes::frames. Empty if none has a
    /// name, or without TraceOptions::enrich.
    std::span<const std::string_view> frames() const;

    /// Access to the lower rooms.
    const flow::Event& record() const noexcept { return *event_; }

    const flow::EventHeader& header() const { return decoded().header; }

    const decode::DecodedEvent& decoded() const {
        if (decoded_ == nullptr) {
            decode();
        }
        return *decoded_;
    }

    /// Changes when EventKind::number, which caches use, starts over.
    std::uint32_t generation() const noexcept;

    /// Returns the fields as a table, for code that keeps positions in it.
    const FieldTable& table() const {
        if (!has_table_) {
            table_.fill(decoded());
            has_table_ = true;
        }
        return table_;
    }

private:
    friend class Trace;

    struct Tools; // decoder, message renderer, annotator

    /// `facts` has an entry for each trace, by its number. `origins` may be null. Without
    /// `shown_names`, facts are for matching only.
    Event(schema::SchemasByTrace schemas, std::shared_ptr<const facts::FactsByTrace> facts,
          std::shared_ptr<const facts::Origins> origins,
          std::optional<facts::FrameNames> shown_names, unsigned pointer_size);

    /// Replaces the schemas, between two events.
    void use_schemas(schema::SchemasByTrace schemas);

    /// Moves to another record.
    void set(const flow::Event& event) noexcept {
        event_ = &event;
        decoded_ = nullptr;
        has_table_ = false;
        has_notes_ = false;
    }

    void decode() const;
    void annotate() const;

    const flow::Event* event_ = nullptr;
    // Computed on first use.
    mutable const decode::DecodedEvent* decoded_ = nullptr;
    mutable bool has_table_ = false;
    mutable bool has_notes_ = false;
    mutable FieldTable table_;
    std::unique_ptr<Tools> tools_;
    unsigned pointer_size_ = 0; // as decode::DecoderOptions::pointer_size
};

} // namespace etl::inline view
