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

/// What a lookup found: candidates in order of preference (Origin, then order of adding).
struct Match {
    std::span<const EventSchema* const> candidates;
    bool exact_version = true; // false: nearest version taken (highest below, else lowest above)
                               // because no schema is for this or for any version
};

class SchemaStore {
public:
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

    /// Candidates for an event, or none; they live as long as the store. Versions: exact; else the
    /// highest below; else schemas for any version; else the lowest above
    /// (docs/format/decoding.md#selection). Only after freeze().
    Match find(const EventKey& key) const noexcept;

    /// The provider's names, or null.
    const ProviderNames* provider(const Guid& guid) const noexcept;

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

    std::vector<std::shared_ptr<const EventSchema>> schemas_;
    std::vector<std::shared_ptr<const EventSchema>> corrected_; // that sorted_ has in their place
    std::unordered_map<Guid, std::shared_ptr<const ProviderNames>> providers_;
    // By (provider, id, any version first, version, origin, order of adding).
    std::vector<const EventSchema*> sorted_;
    std::unordered_map<GroupKey, Group, GroupHash> groups_;
    bool frozen_ = false;
};

} // namespace etl::schema
