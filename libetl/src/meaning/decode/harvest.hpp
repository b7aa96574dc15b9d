// First pass over a trace, which collects the providers and schemas recorded in it. Examines
// headers only, except for the few records that contain schemas. One Harvest per thread; combine()
// joins them. docs/format/decoding.md#harvest
#pragma once

#include "decode/decoder.hpp"
#include "flow/event.hpp"
#include "flow/source.hpp"
#include "schema/event_info.hpp"
#include "schema/eventsource_chunks.hpp"
#include "schema/schema_set.hpp"
#include "schema/schema_store.hpp"

#include <array>
#include <bitset>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace etl::decode {

/// The results of a harvest.
struct HarvestReport {
    std::size_t manifests = 0;      // manifests of EventSource providers
    std::size_t events = 0;         // schemas from manifests and embedded event information
    std::size_t maps = 0;           // embedded maps
    std::size_t names = 0;          // provider names from traits
    bool omitted = false;           // whether anything exceeded the limits
    std::vector<std::string> notes; // rejected items and reasons
};

class Harvest {
public:
    /// Adds the events of one buffer; buffers may come in any order. The result does not depend on
    /// how buffers are distributed over harvests.
    void add(std::span<const flow::Event> events);

    /// Takes over the results of another harvest.
    void combine(Harvest&& other);

    /// Returns the GUIDs of the providers, classes (including those of kernel records), and WPP
    /// messages that occur, including decode GUIDs.
    const std::unordered_set<Guid>& providers() const noexcept { return providers_; }

    /// Returns a count that increases with each new provider and each new item that finish() would
    /// add; used for live traces. Manifest chunks count on arrival.
    std::size_t found() const noexcept { return found_; }

    /// Returns the number of starts of processes seen, which limit what manifests are for.
    std::size_t process_starts() const noexcept { return process_starts_.size(); }

    /// Adds everything to `store`, which must not be frozen. Call once; to continue collecting,
    /// finish a copy.
    HarvestReport finish(schema::SchemaStore& store);

private:
    /// Position of a record across files; the first one wins.
    struct Position {
        std::uint32_t file = 0;
        std::uint64_t buffer = 0;
        std::uint32_t offset = 0;

        constexpr auto operator<=>(const Position&) const = default;
    };

    struct Name {
        Position where;
        std::string text;
    };

    /// Embedded event information as stored in a record. Compared by its complete content, because
    /// hashes can be forged.
    template <typename Content>
    struct Blob {
        std::uint64_t hash = 0;
        std::uint8_t type = 0;
        Content content;

        template <typename Other>
        constexpr bool operator<(const Blob<Other>& other) const noexcept {
            return std::tuple(hash, type, std::string_view(content)) <
                   std::tuple(other.hash, other.type, std::string_view(other.content));
        }
    };

    /// Blobs and their first positions.
    using Blobs = std::map<Blob<std::string>, Position, std::less<>>;

    /// A recently seen provider that is in providers_, and the position of its name.
    struct Recent {
        Guid guid;
        Position named = nowhere;
    };

    static constexpr Position nowhere{0xFFFFFFFF, 0, 0};

    static Position position_of(const flow::Event& event) noexcept;

    void add_event(const flow::Event& event);
    void add_classic(const flow::Event& event);
    void add_kernel(const flow::Event& event);
    void add_process_start(const flow::Event& event);
    Recent& add_provider(const Guid& guid);
    void note_provider(const Guid& guid);
    Position add_traits(const flow::Event& event, const Guid& provider, Position where);
    void add_chunk(const flow::Event& event);
    void add_blob(const flow::Event& event, std::uint8_t type, Bytes blob);
    bool has_excess_blobs() const noexcept;
    std::vector<Blobs::const_iterator> thin_blobs();
    void add_manifests(schema::SchemaStore& store, HarvestReport& report);
    void limit_lives(schema::ManifestLogs& logs) const;
    void add_embedded(schema::SchemaStore& store, HarvestReport& report);

    std::unordered_set<Guid> providers_;
    std::array<Recent, 64> recent_{};
    /// Hooks of kernel records seen so far; their classes are recorded.
    std::bitset<1U << 16U> hooks_;
    std::unordered_map<Guid, Name> names_;
    Blobs blobs_;
    std::size_t blob_bytes_ = 0;
    Position blobs_end_ = nowhere; // blobs from here on exceed the limits
    schema::EventSourceChunks chunks_;
    std::vector<std::pair<std::uint32_t, std::int64_t>> process_starts_; // ID, raw time
    std::size_t found_ = 0;
};

// Collects the schemas of TraceLogging events, each of which carries its own. One per thread;
// combine() joins them.

class TraceLoggingHarvest {
public:
    TraceLoggingHarvest() : decoder_(schema::SchemasByTrace()) {}

    /// Adds the events of one buffer. Events whose metadata is invalid are ignored.
    void add(flow::Run events);

    /// Takes over the results of another harvest.
    void combine(TraceLoggingHarvest&& other);

    /// Returns each schema once, by provider and name of the event, with the numbers of the event
    /// descriptor. At most limits::harvested_schemas.
    schema::SchemaSet take();

    /// Returns whether there were more schemas than the limit allows.
    bool omitted() const noexcept { return omitted_; }

private:
    /// Everything that distinguishes two schemas.
    struct Key {
        Guid provider;
        std::string event;
        std::tuple<std::uint16_t, std::uint8_t, std::uint8_t, std::uint8_t, std::uint16_t,
                   std::uint64_t>
            descriptor;
        std::string metadata;

        constexpr auto operator<=>(const Key&) const = default;
    };

    void add(const DecodedEvent& event);
    void thin();

    Decoder decoder_;
    std::uint32_t generation_ = 0;
    std::vector<bool> seen_; // by EventKind::number
    std::map<Key, std::shared_ptr<const schema::EventSchema>> schemas_;
    bool omitted_ = false;
};

} // namespace etl::decode
