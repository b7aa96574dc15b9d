// Finds the schema of an event and prepares its payload for walking. One Decoder per thread; its
// schemas are frozen and may be shared. docs/format/decoding.md#selection
//
//     Decoder decoder(schemas); // a SchemasByTrace, or one store for all traces
//     const DecodedEvent& decoded = decoder.decode(event);
//     FieldWalker walker;
//     walker.start(decoded.kind->plan, decoded.body);        // then as in field_walker.hpp
#pragma once

#include "base/function_ref.hpp"
#include "decode/field_walker.hpp"
#include "flow/event.hpp"
#include "format/provider_identity.hpp"
#include "schema/schema_store.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etl::decode {

// What an event says of the event log that it comes from, and of its user. Values; thread-safe.
// docs/format/evtx.md#as-a-trace

/// As format::LogOrigin; the same for all events of a kind.
struct LogOrigin {
    format::LogPayload payload = format::LogPayload::none;
    std::optional<std::uint16_t> qualifiers;
    std::string channel, computer, event_source, xml_namespace; // UTF-8
};

/// Returns the origin in provider traits; null: the event is not of an event log.
std::shared_ptr<const LogOrigin> read_log_origin(Bytes traits);

/// Returns EventRecordID of an event of an event log, which is its extended data item EVENT_KEY;
/// empty: there is none. The caller knows that the event is of an event log.
std::optional<std::uint64_t> record_id(const flow::EventHeader& header) noexcept;

/// As above for any event.
std::optional<std::uint64_t> record_id_if_of_log(const flow::EventHeader& header) noexcept;

/// Returns the SID of the user, as stored and of valid size; empty: the event contains none.
Bytes user_sid(const flow::EventHeader& header) noexcept;

/// The kind of schema that decoded an event.
enum class DecodedBy : std::uint8_t {
    none, // not decoded
    string,
    tracelogging,
    event_info,
    eventsource,
    manifest,
    wevt,
    mof,
    wpp,
    evtx, // an event of an event log, which contains its fields (docs/format/evtx.md#as-a-trace)
};

/// Returns the name used in the output: "none", "string", "tracelogging", "event-info", ...
std::string_view name(DecodedBy decoded_by) noexcept;

/// The reason a payload is not decoded.
enum class RawReason : std::uint8_t {
    none,             // decoded
    not_requested,    // Payloads::raw
    no_schema,        // no schema for this event or class; the provider is known by name
    unknown_provider, // no schema, and the provider is unknown
    invalid_metadata, // the event's own schema does not parse
    manifest_chunk,   // a chunk of an EventSource manifest
    schema_record,    // a schema of other events, embedded by a merge
    no_format,        // a WPP message without a TMF
    no_layout,        // a kind of record without a defined layout: TIMED, ERROR, WNODE, ...
    /// Schemas exist only for other versions, and none is known to match; EventKind::note says of
    /// which version the names are.
    other_version,
};

inline constexpr std::size_t decoded_by_count = 10;
inline constexpr std::size_t raw_reason_count = 10;

/// Properties shared by all events of one kind: descriptor, schema, names. Owned by the decoder.
struct EventKind {
    /// Sequential number within one generation of the decoder; an index for caches.
    std::uint32_t number = 0;
    DecodedBy decoded_by = DecodedBy::none;
    const schema::EventSchema* schema = nullptr; // null: not decoded
    /// The file of the schema; null: the trace itself, or none.
    const schema::SchemaFile* file = nullptr;
    Plan plan;                                                         // plan of `schema`
    std::optional<std::string> provider;                               // best known name
    std::optional<std::string> event;                                  // best known name
    std::string_view task_name, opcode_name, level_name, channel_name; // empty: none
    std::vector<std::string_view> keywords;                            // names of the set bits
    std::string problem; // why an expected schema is missing
    std::string note;    // assumption made in decoding
    RawReason raw_reason = RawReason::none;
    std::uint8_t pointer_size = 8; // pointer size of the plan
    /// A guess: the schema is for a lower version, or for the other pointer size. Used only for
    /// payloads that it consumes completely with plausible values; `note` contains the assumption.
    bool is_guess = false;
    /// Such a guess for a kernel class of a version higher than all known ones: it is also used for
    /// payloads with more bytes, which are the fields that the version has appended.
    bool allows_more = false;
    std::shared_ptr<const schema::EventSchema> owned; // schema stored in the event itself
    std::shared_ptr<const LogOrigin> log;             // null: not of an event log

    bool is_built_in() const noexcept { return file != nullptr && file->built_in; }

    /// Returns whether the metadata of the event describe its fields.
    bool is_self_describing() const noexcept {
        return decoded_by == DecodedBy::tracelogging || decoded_by == DecodedBy::evtx;
    }

    /// Returns where the schema comes from: "built-in" or the name of its file; empty: from the
    /// trace itself, or no schema.
    std::string_view schema_from() const noexcept;
};

/// Extended data items relevant to decoding or shown under their own key. Views into the record.
struct EventItems {
    Bytes related_activity; // 16 bytes, or empty
    Bytes metadata;         // TraceLogging
    Bytes traits;           // provider traits
    Bytes control_guid;     // 16 bytes, or empty
    bool has_stack = false;
    bool has_others = false; // has items other than these and stacks
};

/// An event with its parsed header and its schema. Valid until the next call of the decoder.
struct DecodedEvent {
    const flow::Event* event = nullptr;
    flow::EventHeader header; // its pointer_size is the one used for decoding
    EventItems items;
    const EventKind* kind = nullptr;
    /// The bytes described by the plan: the payload; for the log file header, its parts in output
    /// order; for compressed text, the decompressed text.
    Bytes body;
    /// What is wrong with the payload; null: nothing known.
    const char* problem = nullptr;
};

enum class Payloads : bool { decoded, raw };

struct DecoderOptions {
    Payloads payloads = Payloads::decoded; // raw: only names are looked up, not schemas
    /// 4 or 8: the pointer size of all payloads except the log file header's, overriding the
    /// records. 0: as recorded; for classes, the other size if only that size consumes the payload
    /// completely with plausible values.
    unsigned pointer_size = 0;
};

class Decoder {
public:
    /// The stores must be frozen. Without stores, only self-describing events are decoded.
    explicit Decoder(schema::SchemasByTrace schemas, DecoderOptions options = {});
    ~Decoder();
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;
    Decoder(Decoder&&) noexcept;
    Decoder& operator=(Decoder&&) noexcept;

    /// Decodes an event. Cannot fail: kind->schema is null for an event without a schema. Does not
    /// allocate for kinds seen before.
    const DecodedEvent& decode(const flow::Event& event);

    /// Returns the kinds one of which decode() chooses for an event with this header and a payload
    /// of this size, whatever its other bytes are; not for events of an EventSource. Valid until
    /// the next call.
    std::vector<const EventKind*> possible_kinds(const flow::Event& event);

    /// Calls `visit` with an event as each of the kinds among which decode() chooses for events
    /// with this header, whatever their payloads.
    void show_kinds(const flow::Event& event, FunctionRef<void(const DecodedEvent& event)> visit);

    /// Returns how often the cache of kinds was cleared because it was full
    /// (limits::cached_schemas, limits::cached_schema_bytes). Numbers then start over.
    std::uint32_t generation() const noexcept;

    /// Returns the number of events decoded by a guess so far (EventKind::is_guess).
    std::uint64_t guesses() const noexcept { return guesses_; }

private:
    struct Kinds;
    using EventKinds = std::span<const std::unique_ptr<EventKind>>;

    /// How well a kind decodes a payload, from worst to best.
    enum class Reading : std::uint8_t {
        none,
        raw,
        contradicting,
        too_short,
        trailing,
        doubtful,
        exact
    };

    EventKinds variants_of(const flow::Event& event);
    const EventKind* choose_logged(EventKinds variants, std::int64_t time) noexcept;
    const EventKind& choose(EventKinds variants, Bytes payload) noexcept;
    const EventKind& guess(const EventKind& instead_of, bool is_exact, EventKinds guesses,
                           Bytes payload) noexcept;
    Reading reading_of(const EventKind& kind, Bytes payload) noexcept;

    schema::SchemasByTrace schemas_;
    DecoderOptions options_;
    std::unique_ptr<Kinds> kinds_;
    DecodedEvent decoded_;
    FieldWalker probe_;
    std::uint64_t guesses_ = 0;
    std::vector<std::byte> arranged_; // body if it is not the payload itself
};

} // namespace etl::decode
