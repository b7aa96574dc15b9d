// From a record to what its payload means: finds the schema of an event and makes it ready to be
// walked. One Decoder per thread; the schemas that it uses are frozen and shared.
// docs/format/decoding.md#selection
//
//     Decoder decoder(schemas); // a SchemasByTrace, or one store for all traces
//     const DecodedEvent& decoded = decoder.decode(event);
//     FieldWalker walker;
//     walker.start(decoded.kind->plan, decoded.body);        // then as in field_walker.hpp
#pragma once

#include <etl/decode/field_walker.hpp>
#include <etl/flow/event.hpp>
#include <etl/schema/schemas_by_trace.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etl::decode {

/// What decoded an event.
enum class DecodedBy : std::uint8_t {
    none, // nothing: the payload stays raw
    string,
    tracelogging,
    event_info,
    eventsource,
    manifest,
    wevt,
    mof,
    wpp,
};

/// The contract's word: "none", "string", "tracelogging", "event-info", ...
std::string_view name(DecodedBy decoded_by) noexcept;

/// Why a payload stays raw.
enum class RawReason : std::uint8_t {
    none,             // it is decoded
    not_requested,    // Payloads::raw
    no_schema,        // nothing describes this event or class of a provider known by name
    unknown_provider, // nor is its provider known
    invalid_metadata, // the event's own schema does not parse
    manifest_chunk,   // a piece of an EventSource manifest
    schema_record,    // what a merge embeds: the schema of other events
    no_format,        // a WPP message without TMF
    no_layout,        // records of a kind that nothing describes: TIMED, ERROR, WNODE, ...
    other_version,    // only other versions of the event are described, and none is known to match
};

inline constexpr std::size_t decoded_by_count = 9;
inline constexpr std::size_t raw_reason_count = 10;

/// What all events of one kind have in common: same descriptor, same schema, same names. Belongs to
/// the decoder.
struct EventKind {
    /// 0, 1, 2, ... within one generation of the decoder; an index for caches.
    std::uint32_t number = 0;
    DecodedBy decoded_by = DecodedBy::none;
    const schema::EventSchema* schema = nullptr; // null: the payload stays raw
    Plan plan;                                   // of that schema
    std::optional<std::string> provider;         // best known name
    std::optional<std::string> event;            // best known name
    std::string_view task_name, opcode_name, level_name, channel_name; // empty: none
    std::vector<std::string_view> keywords; // names of the bits that are set
    std::string problem;                    // why there is no schema although there should be one
    std::string note;                       // what was assumed
    RawReason raw_reason = RawReason::none;
    std::uint8_t pointer_size = 8; // that the plan was made for
    /// A guess: the schema is of a lower version, or pointers have the other size. Used only for
    /// payloads that it consumes to the last byte with plausible values; `note` says what was
    /// assumed.
    bool is_guess = false;
    std::shared_ptr<const schema::EventSchema> owned; // a schema that came with the event itself
};

/// The extended items that say something about decoding or have a key of their own. Views into the
/// record.
struct EventItems {
    Bytes related_activity; // 16 bytes, or empty
    Bytes metadata;         // TraceLogging
    Bytes traits;           // of the provider
    Bytes control_guid;     // 16 bytes, or empty
    bool has_stack = false;
    bool has_others = false; // items that are neither these nor stacks
};

/// An event with its header read and its schema found. Valid until the decoder is asked again.
struct DecodedEvent {
    const flow::Event* event = nullptr;
    flow::EventHeader header; // its pointer_size is the one that was decoded with
    EventItems items;
    const EventKind* kind = nullptr;
    /// What the plan describes: the payload; for the log file header its parts in the order shown,
    /// for packed text what it unpacks to.
    Bytes body;
    /// Why the payload is not what it claims to be; null: nothing known against it.
    const char* problem = nullptr;
};

enum class Payloads : bool { decoded, raw };

struct DecoderOptions {
    Payloads payloads = Payloads::decoded; // raw: names are looked up, but no schemas
    /// 4 or 8: that of all payloads but the log file header's, whatever their records say. 0: as
    /// they say; for classes the other one if only that consumes the payload to the last byte with
    /// plausible values.
    unsigned pointer_size = 0;
};

class Decoder {
public:
    /// The stores are frozen. Without any only what events say about themselves is known.
    explicit Decoder(schema::SchemasByTrace schemas, DecoderOptions options = {});
    ~Decoder();
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;
    Decoder(Decoder&&) noexcept;
    Decoder& operator=(Decoder&&) noexcept;

    /// Never fails: an event without schema has kind->schema null. No allocation for kinds seen
    /// before.
    const DecodedEvent& decode(const flow::Event& event);

    /// Counts how often all kinds were forgotten because there were too many
    /// (limits::cached_schemas, limits::cached_schema_bytes). Numbers start over then.
    std::uint32_t generation() const noexcept;

    /// Counts the events so far that a guess decoded (EventKind::is_guess).
    std::uint64_t guesses() const noexcept { return guesses_; }

private:
    struct Kinds;
    using EventKinds = std::span<const std::unique_ptr<EventKind>>;

    /// How well a kind reads a payload, in ascending order of how much is gained.
    enum class Reading : std::uint8_t { none, raw, contradicting, too_short, trailing, exact };

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
    std::vector<std::byte> arranged_; // a body that is not the payload itself
};

} // namespace etl::decode
