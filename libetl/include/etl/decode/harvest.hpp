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
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
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
    bool omitted = false;           // something that was beyond the limits
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

    /// A count that grows with everything new that finish() adds to a store, and with each
    /// provider: for a trace that is read as it comes. Chunks of a manifest count when they come.
    std::size_t found() const noexcept { return found_; }

    /// Puts everything into `store`, which is not frozen yet. Call once; a copy of the harvest can
    /// be finished while this one goes on.
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

    /// Embedded event information as it lies in a record, told from others by all of it: hashes can
    /// be forged.
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

    /// Blobs and where each lies first.
    using Blobs = std::map<Blob<std::string>, Position, std::less<>>;

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
    void note_provider(const Guid& guid);
    Position add_traits(const flow::Event& event, const Guid& provider, Position where);
    void add_chunk(const flow::Event& event);
    void add_blob(const flow::Event& event, std::uint8_t type, Bytes blob);
    bool has_excess_blobs() const noexcept;
    std::vector<Blobs::const_iterator> thin_blobs();
    void add_manifests(schema::SchemaStore& store, HarvestReport& report);
    void add_embedded(schema::SchemaStore& store, HarvestReport& report);

    std::unordered_set<Guid> providers_;
    std::array<Recent, 64> recent_{};
    std::bitset<1U << 16U> hooks_; // of kernel records that were seen: their classes are known
    std::unordered_map<Guid, Name> names_;
    Blobs blobs_;
    std::size_t blob_bytes_ = 0;
    Position blobs_end_ = nowhere; // blobs from here on are beyond the limits
    schema::EventSourceChunks chunks_;
    std::size_t found_ = 0;
};

} // namespace etl::decode
