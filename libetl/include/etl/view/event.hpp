// Event: one event of a trace, with its names and fields. docs/reading.md
#pragma once

#include <etl/facts/facts.hpp>
#include <etl/facts/origins.hpp>
#include <etl/flow/event.hpp>
#include <etl/view/field.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace etl::inline view {

/// The current event of a Trace. Valid until the trace moves to the next one. Cannot be copied or
/// moved, so that none is kept by accident. The schema is looked up, and the payload walked, at the
/// first call that needs it. No allocation for known kinds of events, except for a std::string that
/// a function returns. Used by one thread.
class Event {
public:
    Event(const Event&) = delete;
    Event(Event&&) = delete;
    Event& operator=(const Event&) = delete;
    Event& operator=(Event&&) = delete;
    ~Event();

    /// Wall time. A record without a timestamp has that of the record before it.
    Filetime time() const noexcept { return event_->time(); }

    std::uint16_t processor() const noexcept { return event_->buffer->processor; }

    /// The best known name; otherwise the GUID as text.
    std::string_view provider() const;

    /// The best known name; otherwise `EventID(12)`, or `Message(12)` for WPP.
    std::string_view name() const;

    /// The GUID of the class for kernel events.
    const Guid& provider_id() const { return header().provider; }

    std::uint16_t id() const { return header().id; }

    std::uint8_t version() const { return header().version; }

    std::uint8_t level() const { return header().level; }

    std::uint8_t opcode() const { return header().opcode; }

    std::uint16_t task() const { return header().task; }

    std::uint64_t keyword() const { return header().keyword; }

    /// flow::no_id if the record does not store it.
    std::uint32_t process_id() const { return header().process_id; }

    std::uint32_t thread_id() const { return header().thread_id; }

    /// Zero if there is none.
    const Guid& activity() const { return header().activity; }

    std::optional<Guid> related_activity() const;

    /// Returns whether a schema was found. Without one there are no fields, only payload().
    bool is_decoded() const { return decoded().kind->schema != nullptr; }

    /// The provider's part of the record, as stored.
    Bytes payload() const { return header().payload; }

    /// How the payload contradicts its schema, or why there is no schema; empty if nothing is
    /// wrong. The fields before a contradiction are valid.
    std::string_view problem() const;

    /// What decoding assumed (decode::EventKind::note); empty if nothing.
    std::string_view assumption() const { return decoded().kind->note; }

    /// The top-level fields, in payload order.
    Fields fields() const { return Fields(table()); }

    /// Returns the first of them with this name, or a missing field.
    Field operator[](std::string_view field) const { return fields()[field]; }

    /// Returns the message with its values, as Windows renders it; empty if there is none.
    std::string message() const;

    /// Returns the object that `etl dump --format jsonl` writes, or with TraceOptions::enrich that
    /// of `etl dump --enrich --format jsonl`. docs/output.md
    std::string json() const;

    /// The name of the process that the event is about. Empty if it is not known, or without
    /// TraceOptions::enrich.
    std::string_view process() const;

    /// The addresses of the call stack, innermost first. Stacks from separate records need
    /// TraceOptions::enrich.
    std::span<const std::uint64_t> stack() const;

    /// `image+0x...` for each address of stack(). Empty if no image is known, or without
    /// TraceOptions::enrich.
    std::span<const std::string_view> frames() const;

    /// The types of the modules below, for everything else.
    const flow::Event& record() const noexcept { return *event_; }

    const flow::EventHeader& header() const { return decoded().header; }

    const decode::DecodedEvent& decoded() const {
        if (decoded_ == nullptr) {
            decode();
        }
        return *decoded_;
    }

private:
    friend class Trace;

    struct Tools; // decoder, message renderer, annotator

    enum class Enrich : bool { no, yes };

    /// `facts` has an entry for each trace, by its number. `origins` may be null.
    Event(schema::SchemasByTrace schemas, std::shared_ptr<const facts::FactsByTrace> facts,
          std::shared_ptr<const facts::Origins> origins, Enrich enrich);

    /// Replaces the schemas, between two events.
    void use_schemas(schema::SchemasByTrace schemas);

    /// Moves to another record.
    void set(const flow::Event& event) noexcept {
        event_ = &event;
        decoded_ = nullptr;
        has_table_ = false;
        has_notes_ = false;
    }

    std::uint32_t generation() const noexcept;

    const FieldTable& table() const {
        if (!has_table_) {
            table_.fill(decoded());
            has_table_ = true;
        }
        return table_;
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
};

} // namespace etl::inline view
