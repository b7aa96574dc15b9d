// Where schemas are looked up: filled once, frozen, then read by all threads.
#pragma once

#include <etl/schema/event_schema.hpp>

#include <memory>
#include <span>
#include <unordered_map>

namespace etl::schema {

/// Identity of an event for lookup. The rest of the descriptor only helps to choose among
/// candidates.
struct EventKey {
    Guid provider;
    std::uint16_t id = 0;
    std::uint8_t version = 0;

    constexpr auto operator<=>(const EventKey&) const = default;
};

/// The result of a lookup. Schemas live as long as the store.
struct Match {
    /// Schemas of the event's version or, if there are none, those for any version. In order of
    /// preference: the store's own, then those of its base; by Origin, then order of adding.
    std::vector<const EventSchema*> candidates;
    /// If none is of the event's version: schemas of lower versions, the highest first. They are
    /// guesses. A schema of a higher version is never a candidate.
    std::vector<const EventSchema*> lower;
};

class SchemaStore {
public:
    /// `base` is frozen, or null; lookups ask it after the store's own schemas. So the schemas of
    /// files can serve several traces, each of which carries schemas of its own.
    explicit SchemaStore(std::shared_ptr<const SchemaStore> base = nullptr)
        : base_(std::move(base)) {}

    /// Adds a schema and makes its provider known; the store keeps both. Not after freeze().
    /// Classic schemas (Origin mof, and event_info of a class) have the class GUID as provider and
    /// the event type as id.
    void add(std::shared_ptr<const EventSchema> schema);
    /// Makes a provider known by name although no event of it may be described. The first name
    /// wins.
    void add_provider(std::shared_ptr<const ProviderNames> provider);

    /// Sorts, indexes and corrects what is known of fields (etl/schema/field_facts.hpp); from here
    /// on the store is immutable and may be shared.
    void freeze();

    /// Candidates for an event (docs/format/decoding.md#selection). Only after freeze().
    Match find(const EventKey& key) const;

    /// Schemas for one (provider, id), whatever their versions, in no order. Only after freeze().
    std::vector<const EventSchema*> all_versions(const Guid& provider, std::uint16_t id) const;

    /// The provider's names, or null.
    const ProviderNames* provider(const Guid& guid) const noexcept;

    const std::shared_ptr<const SchemaStore>& base() const noexcept { return base_; }

    // What follows is about the store's own schemas, without those of its base.

    std::size_t size() const noexcept { return schemas_.size(); }

    /// Everything that was added, in that order and as it was added.
    std::span<const std::shared_ptr<const EventSchema>> schemas() const noexcept {
        return schemas_;
    }

    /// All providers, whether events of them are described or not; in no order.
    const std::unordered_map<Guid, std::shared_ptr<const ProviderNames>>&
    providers() const noexcept {
        return providers_;
    }

private:
    /// All versions of one (provider, id).
    struct GroupKey {
        Guid provider;
        std::uint16_t id;

        bool operator==(const GroupKey&) const = default;
    };

    struct GroupHash {
        std::size_t operator()(const GroupKey& key) const noexcept {
            return std::hash<Guid>{}(key.provider) ^ (key.id * std::size_t{0x9E3779B1U});
        }
    };

    /// In sorted_: [begin, versioned) fit any version, [versioned, end) are by version.
    struct Group {
        std::size_t begin, versioned, end;
    };

    std::span<const EventSchema* const> own(const EventKey& key) const noexcept;
    std::span<const EventSchema* const> own_for_any(const EventKey& key) const noexcept;
    void add_lower(const EventKey& key, std::vector<const EventSchema*>& to) const;

    std::shared_ptr<const SchemaStore> base_;
    std::vector<std::shared_ptr<const EventSchema>> schemas_;
    std::vector<std::shared_ptr<const EventSchema>> corrected_; // that sorted_ has in their place
    std::unordered_map<Guid, std::shared_ptr<const ProviderNames>> providers_;
    // By (provider, id, any version first, version, origin, order of adding).
    std::vector<const EventSchema*> sorted_;
    std::unordered_map<GroupKey, Group, GroupHash> groups_;
    bool frozen_ = false;
};

} // namespace etl::schema
