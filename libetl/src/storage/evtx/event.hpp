// The event of a record: the values of its System element, and the fields of its payload. Not
// thread-safe. docs/format/evtx.md#event
#pragma once

#include "evtx/nodes.hpp"

#include <deque>
#include <string>

namespace etl::evtx {

/// The element that holds the payload.
enum class PayloadKind : std::uint8_t {
    none,
    event_data,
    user_data,
    debug_data,
    binary_event_data,
    processing_error_data,
    other, // an element of another name
};

/// A field of the payload. Members of a structure follow it with a higher depth.
struct Field {
    std::string name; // UTF-8; "" for Data without a name
    unsigned depth = 0;
    bool is_structure = false; // an element that contains elements or attributes
    Value value{};
    /// UserData only: an attribute of the structure, or at depth 0 of the element in UserData; it
    /// precedes all other members. Declarations of namespaces are attributes as well.
    bool is_attribute = false;
    /// How the value was inserted. Not used by the writer.
    Substitution from{};
    /// For the writer: the value, a string, is a part of the template. The reader does not set it.
    bool is_literal = false;
};

/// The values of System that are numbers, times, and GUIDs of one event.
struct EventProperties {
    std::uint32_t id = 0;
    std::optional<std::uint16_t> qualifiers;
    std::uint8_t version = 0, level = 0, opcode = 0;
    std::uint16_t task = 0;
    std::uint64_t keywords = 0;
    std::optional<Filetime> time; // of creation
    std::uint64_t record_id = 0;
    std::optional<Guid> activity, related_activity;
    std::optional<std::uint32_t> process_id, thread_id, processor, session;
    std::optional<std::uint32_t> kernel_time, user_time;
    std::optional<std::uint64_t> processor_time;
};

/// An event; strings are UTF-8. What the record does not contain is 0, empty, or not set.
struct Event : EventProperties {
    std::string provider;
    std::optional<Guid> provider_guid;
    std::string event_source; // EventSourceName
    std::string channel, computer;
    std::string user; // SID as text
    Bytes user_sid;   // as stored; empty if the record contains text

    PayloadKind payload = PayloadKind::none;
    /// UserData: name of the one element in it; otherwise the attribute Name of the payload.
    std::string payload_name;
    std::uint32_t system_instance = 0; // of the template that contains System; 0: none
    std::span<const Field> fields{};
};

/// Reads the events of records. Reusable: keeps its memory.
class EventReader {
public:
    explicit EventReader(NullParts null_parts = NullParts::left_out)
        : null_parts_(null_parts), nodes_(null_parts) {}

    /// Returns the event of a record. Valid until the next call. Errors: those of NodeReader;
    /// malformed (no Event element).
    Result<const Event*> read(const Record& record);

private:
    class Parse;

    NullParts null_parts_;
    NodeReader nodes_;
    Event event_;
    std::vector<Field> fields_;
    std::size_t used_fields_ = 0;
    std::deque<std::vector<std::byte>> joined_; // UTF-16LE texts of several nodes
};

} // namespace etl::evtx
