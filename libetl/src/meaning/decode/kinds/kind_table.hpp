// Kinds of event by what identifies them: a hash table that never allocates on a hit, forgets
// everything when it has grown too large, and bounds every search, whatever the keys. Private to
// decode.
#pragma once

#include "decode/decoder.hpp"

#include <array>
#include <vector>

namespace etl::decode {

/// The part of a kind's identity that has a fixed size. No padding: compared and hashed as bytes.
struct KindHead {
    Guid provider;
    std::uint64_t keyword = 0;
    std::uint16_t id = 0;
    std::uint16_t task = 0;
    std::uint16_t hook_id = 0;
    std::uint8_t version = 0;
    std::uint8_t channel = 0;
    std::uint8_t level = 0;
    std::uint8_t opcode = 0;
    std::uint8_t family = 0;
    std::uint8_t pointer_size = 0;
    std::uint16_t metadata_size = 0; // that of an extended item: 16 bits suffice
    std::uint16_t schemas = 0;       // schema::SchemasByTrace::number_of
};

static_assert(sizeof(KindHead) == 40 && std::has_unique_object_representations_v<KindHead>);

/// What identifies a kind. The views point into the event at hand.
struct KindKey {
    KindHead head;
    Bytes metadata;
    Bytes traits;
    Bytes control_guid;
};

/// The kinds that share an identity: one for each schema that may fit.
using Variants = std::vector<std::unique_ptr<EventKind>>;

class KindTable {
public:
    KindTable();

    /// The variants of a key, or null.
    const Variants* find(const KindKey& key, std::uint64_t hash) const noexcept;

    /// Adds what find() did not know. Gives the variants their numbers. May forget all others
    /// first.
    const Variants& add(const KindKey& key, std::uint64_t hash, Variants variants);

    std::uint32_t generation() const noexcept { return generation_; }

private:
    struct Entry {
        std::vector<std::byte> key;
        Variants variants;
    };

    struct Slot {
        std::uint64_t hash = 0;
        std::uint32_t entry = no_entry;
    };

    static constexpr std::uint32_t no_entry = 0xFFFFFFFF;

    void grow();
    void forget();
    bool place(std::uint64_t hash, std::uint32_t entry) noexcept;

    std::vector<Slot> slots_;
    std::vector<Entry> entries_;
    std::size_t bytes_ = 0;
    std::uint32_t next_number_ = 0;
    std::uint32_t generation_ = 0;
};

std::uint64_t hash_of(const KindKey& key) noexcept;

// What sort of record an event is, and what tells its kind from others.

/// What sort of record it is, as far as finding a schema goes.
enum class Family : std::uint8_t {
    other, // TIMED, ERROR, WNODE, ...: never decoded
    event,
    string,         // an event that is one string
    manifest_chunk, // of an EventSource
    classic,
    kernel,
    logfile_header,
    packed_text, // a text that a merge compressed
    message,     // WPP
};

Family family_of(const flow::Event& event, const flow::EventHeader& header) noexcept;

EventItems sort_items(const flow::EventHeader& header) noexcept;

/// The identity of the event's kind. Payloads matter only for telling a manifest chunk. `schemas`
/// is the number of the store that serves the event's trace.
KindKey key_of(const flow::EventHeader& header, const EventItems& items, Family family,
               std::uint16_t schemas) noexcept;

} // namespace etl::decode
