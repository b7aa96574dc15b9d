// First pass over a trace: what it says about its own providers and events. Looks at headers only,
// but for the few records that carry schemas. One Harvest per thread; combine() joins them.
// docs/format/decoding.md#harvest
#pragma once

#include <etl/flow/event.hpp>
#include <etl/schema/event_info.hpp>
#include <etl/schema/eventsource_chunks.hpp>
#include <etl/schema/schema_store.hpp>

#include <array>
#include <bitset>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace etl::decode {

/// What a harvest brought in.
struct HarvestReport {
    std::size_t manifests = 0;      // of EventSource providers
    std::size_t events = 0;         // schemas added, from manifests and embedded information
    std::size_t maps = 0;           // embedded
    std::size_t names = 0;          // of providers, from their traits
    std::size_t dropped = 0;        // chunks and blobs beyond the limits
    std::vector<std::string> notes; // what was refused, and why
};

class Harvest {
public:
    /// The events of one buffer, in any order of buffers. The result does not depend on who saw
    /// which buffer.
    void add(std::span<const flow::Event> events);

    /// Takes over what another thread found.
    void combine(Harvest&& other);

    /// The providers, classes (those of kernel records too) and WPP messages' GUIDs that occur,
    /// decode GUIDs included.
    const std::unordered_set<Guid>& providers() const noexcept { return providers_; }

    /// Puts everything into `store`, which is not frozen yet. Call once.
    HarvestReport finish(schema::SchemaStore& store);

private:
    /// Where a record lies, across files: the first one wins.
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

    template <typename T>
    struct Found {
        Position where;
        std::uint64_t hash; // of the blob
        T what;
    };

    /// A provider seen lately: in providers_, and where its name was found.
    struct Recent {
        Guid guid;
        Position named = nowhere;
    };

    static constexpr Position nowhere{0xFFFFFFFF, 0, 0};

    static Position position_of(const flow::Event& event) noexcept;

    void add_event(const flow::Event& event);
    void add_classic(const flow::Event& event);
    void add_kernel(const flow::Event& event);
    Recent& add_provider(const Guid& guid);
    Position add_traits(const flow::Event& event, const Guid& provider, Position where);
    void add_chunk(const flow::Event& event);
    void add_blob(const flow::Event& event, std::uint8_t type, Bytes blob);
    void add_manifests(schema::SchemaStore& store, HarvestReport& report);
    void add_embedded(schema::SchemaStore& store, HarvestReport& report);

    template <typename T>
    void sort_and_thin(std::vector<Found<T>>& list) const;

    std::unordered_set<Guid> providers_;
    std::array<Recent, 64> recent_{};
    std::bitset<1U << 16U> hooks_; // of kernel records that were seen: their classes are known
    std::unordered_map<Guid, Name> names_;
    std::unordered_map<std::uint64_t, Position> blobs_; // hash -> the first that is so
    std::vector<Found<schema::EmbeddedEvent>> events_;
    std::vector<Found<schema::EmbeddedMap>> maps_;
    std::vector<Found<std::string>> refused_;
    schema::EventSourceChunks chunks_;
    std::size_t blob_bytes_ = 0;
    std::size_t dropped_ = 0;
};

} // namespace etl::decode
