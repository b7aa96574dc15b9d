// The schema of one kind of event: the model that all loaders fill and the decoder uses. Immutable
// once in a store or cache; then thread-safe.
#pragma once

#include <etl/field_types.hpp>
#include <etl/guid.hpp>

#include "schema/message_table.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace etl::schema {

// Field types, imported into the schema namespace.

using format::default_out_type;
using format::fixed_size;
using format::InType;
using format::name;
using format::OutType;
using format::parse_in_type;
using format::parse_out_type;

/// The source of a schema, in order of preference among schemas that match a payload equally well.
enum class Origin : std::uint8_t {
    tracelogging, // metadata in the event itself
    event_info,   // TRACE_EVENT_INFO embedded by a merge
    eventsource,  // manifest chunks in the trace
    manifest,     // instrumentation manifest file
    wevt,         // WEVT_TEMPLATE resource
    mof,          // class definition
    wpp,          // TMF
};

/// Returns the name used in the output: "tracelogging", "event-info", "eventsource", "manifest",
/// "wevt", "mof", "wpp".
std::string_view name(Origin origin) noexcept;

/// A valueMap or bitMap. Entries are in definition order.
struct ValueMap {
    enum class Kind : std::uint8_t { value, bits };

    std::string name;
    Kind kind = Kind::value;
    std::vector<std::pair<std::uint32_t, std::string>> entries;
};

/// The count or length of a field.
struct Extent {
    enum class Kind : std::uint8_t {
        natural,  // count: a single value, not an array; length: determined by the in type
        fixed,    // `value` is the number
        field,    // the number is in field number `value`
        prefixed, // the number is a u16 before the first element (TraceLogging)
        rest,     // count only: elements up to the end of the payload
        unknown,  // an unresolved reference; decoding stops here
    };

    Kind kind = Kind::natural;
    std::uint32_t value = 0;
};

/// One field. Fields form a flat list in payload order; a structure is followed by its members.
struct Field {
    std::string name;
    InType in_type = InType::null;
    OutType out_type = OutType::none;
    Extent count; // number of elements; natural: a scalar
    /// Length of one value: in characters for Unicode strings, in bytes for ANSI strings and
    /// binary.
    Extent length;
    std::uint16_t map = no_map; // index into EventSchema::maps
    /// For a structure, the number of following fields that belong to it, including nested ones.
    std::uint16_t members = 0;
    bool referenced = false; // an Extent refers to this field
    /// Types as stored in TraceLogging metadata (including flags), for the `fields` key.
    std::uint8_t raw_in = 0;
    std::uint8_t raw_out = 0;
    std::uint32_t tags = 0;

    static constexpr std::uint16_t no_map = 0xFFFF;
};

/// Names that belong to a provider rather than to one event.
struct ProviderNames {
    Guid guid;
    std::string name;
    std::string message; // display name; may be empty
    /// Level -> text, provider-defined only.
    std::vector<std::pair<std::uint8_t, std::string>> levels;
    /// Mask -> name, provider-defined only.
    std::vector<std::pair<std::uint64_t, std::string>> keywords;
    std::vector<std::pair<std::uint8_t, std::string>> channels; // value -> name
    std::string resource_file;  // file with the compiled manifest; may be empty
    std::string message_file;   // file with the messages; may be empty
    std::string parameter_file; // file with the texts for `%%n` in values; may be empty
    /// Texts for `%%n` in values; null: unknown.
    std::shared_ptr<const MessageTable> parameters;
    /// The builds of Windows that were dumped for this provider, in ascending order, at most
    /// limits::builds_of_a_provider; empty: nothing is known of builds. EventSchema::builds refers
    /// to them.
    std::vector<std::uint32_t> builds;
    bool is_guess = false; // the GUID is computed from the name

    /// Returns the bit of the newest dumped build that is not above `build`, of the oldest one if
    /// all are above, and 0 if none was dumped.
    std::uint64_t build_bit(std::uint32_t build) const noexcept;

    /// Returns the text of a level, including predefined levels (`win:Informational` is
    /// "Information"); empty if none.
    std::string_view level_name(std::uint8_t level) const noexcept;
    std::string_view channel_name(std::uint8_t channel) const noexcept;
    /// Returns the name of one keyword, including predefined keywords; `bit` must equal the entire
    /// mask. Empty if none.
    std::string_view keyword_name(std::uint64_t bit) const noexcept;

    /// Returns the names of the set bits, lowest bit first; bits without a name are omitted.
    std::vector<std::string_view> keyword_names(std::uint64_t bits) const;
};

/// When a process logged the manifest of an EventSource. Raw timestamps, as those of the trace.
struct ManifestLog {
    std::uint32_t process = 0;
    std::int64_t time = 0;
    /// The lifetime of the process, as far as its ID was used again; `end` is exclusive.
    std::int64_t begin = std::numeric_limits<std::int64_t>::min();
    std::int64_t end = std::numeric_limits<std::int64_t>::max();

    auto operator<=>(const ManifestLog&) const = default;
};

/// Sorted by process, then time.
using ManifestLogs = std::vector<ManifestLog>;

/// Returns the log of the process that used an ID at a time: the last one by that time, otherwise
/// the next one. Null: it logged none.
const ManifestLog* find_log(const ManifestLogs& logs, std::uint32_t process,
                            std::int64_t time) noexcept;

/// The source location of a WPP message.
struct TraceSite {
    std::string component; // from the GUID line of the TMF
    std::string file;
    std::string line; // as written in the TMF
    std::string function;
    std::string level; // name of the level or flag, as written
    std::string flags;
};

/// The description of one kind of event.
struct EventSchema {
    Origin origin = Origin::manifest;
    std::shared_ptr<const ProviderNames> provider;
    std::uint16_t id = 0;
    std::uint8_t version = 0;
    bool any_version = false; // matches every version that no other schema matches; `version` is 0
    bool is_class = false;    // Origin::event_info only: of a type of a class, not of an event ID
    std::uint8_t channel = 0;
    std::uint8_t level = 0;
    std::uint8_t opcode = 0;
    std::uint16_t task = 0;
    std::uint64_t keyword = 0;
    /// The numbers are unknown and 0, only the names are known.
    bool is_task_unknown = false, is_opcode_unknown = false;
    /// Whether the layout holds whatever the build of Windows: that of a manifest of an author.
    bool is_of_any_build = true;
    /// The builds that have the layout: bit i is that of `provider->builds[i]`.
    std::uint64_t builds = 0;
    /// Best known name: the TraceLogging event name, otherwise `Task/Opcode` (opcode 0 omitted),
    /// otherwise the symbol; may be empty.
    std::string event_name;
    std::string symbol;
    std::string task_name;
    Guid task_guid; // task GUID from the manifest; zero: none
    std::string opcode_name;
    std::string message;   // with %1 inserts; empty: none. Origin::wpp: the TMF's format string
    std::string user_data; // XML of a UserData template with %1 inserts; empty: EventData
    std::vector<Field> fields;
    std::vector<std::shared_ptr<const ValueMap>> maps;
    std::uint32_t tags = 0;
    std::shared_ptr<const TraceSite> site;    // Origin::wpp only
    std::shared_ptr<const ManifestLogs> logs; // Origin::eventsource of a trace only
    /// Type descriptions of custom TraceLogging fields, by field index, in ascending order.
    std::vector<std::pair<std::uint16_t, std::vector<std::byte>>> custom_types;

    /// Returns the indices of the fields that are not structure members, in order; %n in messages
    /// counts these.
    std::vector<std::uint16_t> top_level() const;
};

/// Returns the name of an event that has none of its own: `Task/Opcode`, or the symbol
/// (compose_event_name).
std::string composed_name(const EventSchema& schema);

/// How a layout is known for a build of Windows, the best first.
enum class BuildFit : std::uint8_t {
    own,   // the build has it, or the newest dumped one below
    any,   // it holds whatever the build
    other, // only other builds have it
};

/// Returns how the layout is known for a build; 0, an unknown build: `own` or `any`.
BuildFit fit_of(const EventSchema& schema, std::uint32_t build) noexcept;

/// Returns the build nearest to `build` that has the layout: the highest one that is not above,
/// else the lowest one above; for build 0 the highest one. 0: none has it.
std::uint32_t nearest_build(const EventSchema& schema, std::uint32_t build) noexcept;

/// Returns the builds that have the layout, in ascending order.
std::vector<std::uint32_t> builds_of(const EventSchema& schema);

/// Returns EventSchema::builds for a provider that was dumped in `dumped`, which are in ascending
/// order, of the builds that have the layout.
std::uint64_t build_bits(const std::vector<std::uint32_t>& builds,
                         const std::vector<std::uint32_t>& dumped) noexcept;

/// Returns the field names as unique object keys: a name repeated in its structure becomes
/// `name#2`.
std::vector<std::string> unique_names(const EventSchema& schema);

/// Returns the field paths: unique names, prefixed with those of the enclosing structures:
/// `Block.From`.
std::vector<std::string> field_paths(const EventSchema& schema);

} // namespace etl::schema
