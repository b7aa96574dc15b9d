// What the payload of one kind of event means: the one model that all loaders fill and the decoder
// reads. Immutable once it is in a store or cache; shareable between threads.
#pragma once

#include <etl/base/guid.hpp>
#include <etl/schema/field_types.hpp>
#include <etl/schema/message_table.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace etl::schema {

/// Where a schema came from, in the order of preference when several fit a payload equally well.
enum class Origin : std::uint8_t {
    tracelogging, // metadata in the event itself
    event_info,   // TRACE_EVENT_INFO embedded by a merge
    eventsource,  // manifest chunks in the trace
    manifest,     // instrumentation manifest file
    wevt,         // WEVT_TEMPLATE resource
    mof,          // class definition
    wpp,          // TMF
};

/// The contract's word: "tracelogging", "event-info", "eventsource", "manifest", "wevt", "mof",
/// "wpp".
std::string_view name(Origin origin) noexcept;

/// A valueMap or bitMap. Entries keep the order of their definition.
struct ValueMap {
    enum class Kind : std::uint8_t { value, bits };

    std::string name;
    Kind kind = Kind::value;
    std::vector<std::pair<std::uint32_t, std::string>> entries;
};

/// How often a field occurs, or how long it is.
struct Extent {
    enum class Kind : std::uint8_t {
        natural,  // count: exactly one value, no array; length: as the in type itself says
        fixed,    // `value` says how many
        field,    // the value of field number `value` says how many
        prefixed, // a u16 before the first element says how many (TraceLogging)
        rest,     // as a count: elements up to the end of the payload
        unknown,  // a reference that cannot be resolved: decoding stops here
    };

    Kind kind = Kind::natural;
    std::uint32_t value = 0;
};

/// One field. Fields lie in one flat list in payload order; a structure is followed by its members.
struct Field {
    std::string name;
    InType in_type = InType::null;
    OutType out_type = OutType::none;
    Extent count; // elements; natural: a scalar
    /// Of one value: characters for Unicode strings, bytes for ANSI strings and binary.
    Extent length;
    std::uint16_t map = no_map; // index into EventSchema::maps
    /// Structure: how many of the following fields belong to it, nested ones included.
    std::uint16_t members = 0;
    bool referenced = false; // some Extent names this field
    /// As the TraceLogging metadata spells it (flags included), for `fields`.
    std::uint8_t raw_in = 0;
    std::uint8_t raw_out = 0;
    std::uint32_t tags = 0;

    static constexpr std::uint16_t no_map = 0xFFFF;
};

/// Names that belong to a provider rather than to one event.
struct ProviderNames {
    Guid guid;
    std::string name;
    std::string message; // what it calls itself to people; may be empty
    std::vector<std::pair<std::uint8_t, std::string>> levels; // value -> text, the provider's own
    std::vector<std::pair<std::uint64_t, std::string>> keywords; // mask -> name, the provider's own
    std::vector<std::pair<std::uint8_t, std::string>> channels;  // value -> name
    std::string resource_file;  // where Windows keeps the compiled manifest; may be empty
    std::string message_file;   // where its messages are; may be empty
    std::string parameter_file; // where the texts for `%%n` in values are; may be empty
    /// The texts for `%%n` in values; null: not known.
    std::shared_ptr<const MessageTable> parameters;

    /// The text of a level, predefined ones included (`win:Informational` is "Information"); empty:
    /// none.
    std::string_view level_name(std::uint8_t level) const noexcept;
    std::string_view channel_name(std::uint8_t channel) const noexcept;
    /// The name of one keyword, predefined ones included; `bit` is compared with whole masks.
    /// Empty: none.
    std::string_view keyword_name(std::uint64_t bit) const noexcept;

    /// Of the bits that are set and have a name, the lowest first.
    std::vector<std::string_view> keyword_names(std::uint64_t bits) const;
};

/// Where a WPP message stands in its program's source.
struct TraceSite {
    std::string component; // of the TMF's GUID line
    std::string file;
    std::string line; // as the TMF writes it
    std::string function;
    std::string level; // the name of the level or flag, as written
    std::string flags;
};

/// Everything known about one kind of event.
struct EventSchema {
    Origin origin = Origin::manifest;
    std::shared_ptr<const ProviderNames> provider;
    std::uint16_t id = 0;
    std::uint8_t version = 0;
    bool any_version = false; // fits every version that no other schema fits; `version` is 0
    std::uint8_t channel = 0;
    std::uint8_t level = 0;
    std::uint8_t opcode = 0;
    std::uint16_t task = 0;
    std::uint64_t keyword = 0;
    /// Best known name: TraceLogging event name; else `Task/Opcode` (opcode 0 left out), else the
    /// symbol; may be empty.
    std::string event_name;
    std::string symbol;
    std::string task_name;
    Guid task_guid; // that the manifest gives the task; zero: none
    std::string opcode_name;
    std::string message;   // with %1 inserts; empty: none. Origin::wpp: the TMF's format string
    std::string user_data; // XML of a UserData template with %1 inserts; empty: EventData
    std::vector<Field> fields;
    std::vector<std::shared_ptr<const ValueMap>> maps;
    std::uint32_t tags = 0;
    std::shared_ptr<const TraceSite> site; // Origin::wpp only
    /// TraceLogging: what describes the type of a custom field, by its index, in order.
    std::vector<std::pair<std::uint16_t, std::vector<std::byte>>> custom_types;

    /// Indices of the fields that are not members of a structure, in order: what %n of a message
    /// counts.
    std::vector<std::uint16_t> top_level() const;
};

/// The names of the fields as keys of an object: a name that occurs again in its structure becomes
/// `name#2`.
std::vector<std::string> unique_names(const EventSchema& schema);

/// The paths of the fields: those names, members with their structures in front: `Block.From`.
std::vector<std::string> field_paths(const EventSchema& schema);

} // namespace etl::schema
