// Event: one event of a trace, with its names and fields. docs/reading.md
#pragma once

#include <etl/bytes.hpp>
#include <etl/field.hpp>
#include <etl/guid.hpp>
#include <etl/owned.hpp>
#include <etl/record.hpp>
#include <etl/time.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace etl::flow {
struct Event; // of the library itself
}

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
    Filetime time() const noexcept;

    /// Returns the wall time; none if the record has no usable one
    /// (docs/format/time.md#unusable).
    std::optional<Filetime> wall_time() const noexcept;

    /// Returns the timestamp as stored, by the clock of the trace; none if the record stores none.
    std::optional<std::int64_t> raw_time() const noexcept;

    std::uint16_t processor() const noexcept;

    /// Returns the number of its trace: its place in Trace::infos().
    std::uint32_t trace() const noexcept;

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

    /// Returns format::unknown_id if the record does not store it.
    std::uint32_t process_id() const { return header().process_id; }

    std::uint32_t thread_id() const { return header().thread_id; }

    /// Returns zero if the record has none.
    const Guid& activity() const { return header().activity; }

    std::optional<Guid> related_activity() const;

    /// Returns names from the schema or the event log; empty if there are none.
    std::string_view task_name() const;
    std::string_view opcode_name() const;
    std::string_view level_name() const;

    /// Returns the name of the channel (event log); empty if unknown.
    std::string_view channel() const;

    /// Returns the name of the computer, and EventRecordID; empty unless the event is of an event
    /// log (.evtx).
    std::string_view computer() const;
    std::optional<std::uint64_t> record_id() const;

    /// Returns the SID of the user (`S-1-5-18`); empty if the record contains none.
    std::string user() const;

    /// Returns whether a schema was found. Without a schema, fields() is empty; use payload().
    bool is_decoded() const;

    /// Returns the provider's part of the record, as stored.
    Bytes payload() const { return header().payload; }

    /// Returns how the payload contradicts its schema, or why no schema was used; empty if neither
    /// applies. The fields before a contradiction are valid.
    std::string_view problem() const;

    /// Returns what may make values wrong, such as the assumption of a guess; empty if nothing.
    /// Valid until the next event is read.
    std::string_view assumption() const;

    /// Returns the top-level fields, in payload order.
    Fields fields() const;

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

    /// Returns the name of each address of stack(), as `module!function+0x12`, as far as it is
    /// known. Empty if none has a name, or without TraceOptions::enrich.
    std::span<const std::string_view> frames() const;

    /// Returns the header of the record, in one form for all kinds. Valid until the trace moves.
    const format::EventHeader& header() const {
        if (header_ == nullptr) {
            decode();
        }
        return *header_;
    }

    /// Converts to the record, for relog::Draft.
    operator const flow::Event&() const noexcept { // NOLINT(google-explicit-constructor)
        return *record_;
    }

private:
    friend class Trace;
    friend struct Access;

    struct State;

    explicit Event(Owned<State> state) noexcept;

    void decode() const;

    const flow::Event* record_ = nullptr;
    mutable const format::EventHeader* header_ = nullptr; // computed on first use
    Owned<State> state_;
};

} // namespace etl::inline view
