// Schema lookup. A store is filled once, frozen, and then thread-safe.
#pragma once

#include "base/number_grid.hpp"
#include "schema/event_schema.hpp"

#include <concepts>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace etl::schema {

/// Identity of an event for lookup. The rest of the descriptor is used only to choose among
/// candidates.
struct EventKey {
    Guid provider;
    std::uint16_t id = 0;
    std::uint8_t version = 0;

    constexpr auto operator<=>(const EventKey&) const = default;
};

/// The file that a schema comes from.
struct SchemaFile {
    std::string name;      // without directories; for an archive member, the name of the member
    bool built_in = false; // part of the library: all other schemas take precedence
};

/// The result of a lookup. Schemas are valid as long as the store.
struct Match {
    /// Schemas of the event's version or, if there are none, those for any version. In order of
    /// preference: the store's own, then those of its base; in each, built-in schemas last; by
    /// Origin, by BuildFit, for an unknown build the newest first, then by order of addition.
    std::vector<const EventSchema*> candidates;
    /// Of an unknown build: whether one of them was chosen among those that builds of Windows have,
    /// or has to be. All of these are guesses.
    bool has_choice = false;
    bool is_chosen = false; // SchemaStore::choose
    /// Schemas of the event's version that only other builds of Windows have, or that have them by
    /// a source that knows only builds farther away than those of another source: of the nearest
    /// lower build first, then of the nearest higher one. They are guesses.
    std::vector<const EventSchema*> other_builds;
    /// If no schema matches the version: schemas of lower versions, highest first. They are
    /// guesses. A schema of a higher version is never a candidate.
    std::vector<const EventSchema*> lower;

    /// Returns all of them, in order of preference.
    std::vector<const EventSchema*> all() const;
};

class SchemaStore {
public:
    /// `base` is frozen or null; it is searched after the store's own schemas. This lets several
    /// traces with embedded schemas share the schemas of files.
    explicit SchemaStore(std::shared_ptr<const SchemaStore> base = nullptr)
        : base_(std::move(base)) {}

    /// Sets the build of Windows whose layouts find() prefers, also of those of the base; 0, as at
    /// first: unknown. Must not be called after freeze().
    void set_build(std::uint32_t build) noexcept;

    std::uint32_t build() const noexcept { return build_; }

    /// Of an unknown build: sets which of the layouts of an event that builds of Windows have is
    /// used; `layout` is one that the base returned. find() then returns no other one. Must not be
    /// called after freeze().
    void choose(const EventKey& event, const EventSchema& layout);

    /// Returns whether there may be an event whose layout depends on the build of Windows. Requires
    /// freeze().
    bool depends_on_build() const noexcept;

    /// Adds a schema and its provider; the store keeps both. Must not be called after freeze().
    /// Classic schemas (Origin mof, and event_info of a class) have the class GUID as provider and
    /// the event type as ID. `file` is null for schemas that a trace carries.
    void add(std::shared_ptr<const EventSchema> schema,
             std::shared_ptr<const SchemaFile> file = nullptr);
    /// Adds a provider by name, with or without event schemas. The first name wins.
    void add_provider(std::shared_ptr<const ProviderNames> provider);
    /// Adds the providers and schemas of another store, without those of its base. Those that a
    /// trace carries get `file`.
    void add_all(const SchemaStore& other, const std::shared_ptr<const SchemaFile>& file = nullptr);

    /// Sorts and indexes the schemas and applies field corrections (schema/field_facts.hpp).
    /// Afterwards the store is immutable and thread-safe.
    void freeze();

    /// Returns the candidates for an event (docs/format/decoding.md#selection). Requires freeze().
    Match find(const EventKey& key) const;

    /// Returns the schemas of all versions for one (provider, ID), unordered. Requires freeze().
    std::vector<const EventSchema*> all_versions(const Guid& provider, std::uint16_t id) const;

    /// Returns the file of a schema that find() or all_versions() returned; null if it comes from
    /// a trace. Requires freeze(). Valid as long as the store.
    const SchemaFile* file_of(const EventSchema& schema) const noexcept;

    /// Returns the provider's names, or null.
    const ProviderNames* provider(const Guid& guid) const noexcept;

    const std::shared_ptr<const SchemaStore>& base() const noexcept { return base_; }

    // The functions below cover the store's own schemas, without those of its base.

    std::size_t size() const noexcept { return schemas_.size(); }

    /// Returns all added schemas, unmodified, in order of addition.
    std::span<const std::shared_ptr<const EventSchema>> schemas() const noexcept {
        return schemas_;
    }

    /// Returns all providers, with or without event schemas, unordered.
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

    /// Ranges in sorted_: [begin, versioned) match any version, [versioned, end) are sorted by
    /// version.
    struct Group {
        std::size_t begin, versioned, end;
    };

    void keep_nearest_builds(Match& match) const;
    std::span<const EventSchema* const> own(const EventKey& key) const noexcept;
    std::span<const EventSchema* const> own_for_any(const EventKey& key) const noexcept;
    void add_lower(const EventKey& key, std::vector<const EventSchema*>& to) const;
    /// Sorts schemas of this store and of one event by their fitness for a build.
    void sort_by_fit(std::span<const EventSchema*> schemas, std::uint32_t build) const;

    std::shared_ptr<const SchemaStore> base_;
    std::uint32_t build_ = 0;
    std::map<EventKey, const EventSchema*> choices_;
    std::vector<std::shared_ptr<const EventSchema>> schemas_;
    std::vector<std::shared_ptr<const SchemaFile>> files_;      // of schemas_, by index
    std::vector<std::shared_ptr<const EventSchema>> corrected_; // replacements used in sorted_
    std::unordered_map<Guid, std::shared_ptr<const ProviderNames>> providers_;
    // Sorted by (provider, ID, any version first, version, built-in last, origin, order of
    // addition).
    std::vector<const EventSchema*> sorted_;
    std::unordered_map<const EventSchema*, const SchemaFile*> file_of_; // of those with a file
    std::unordered_map<GroupKey, Group, GroupHash> groups_;
    bool depends_on_build_ = false; // without the base
    bool frozen_ = false;
};

/// Returns a frozen store that has the schemas of `base`, which is frozen, for a build of Windows.
/// Cheap: it refers to them.
std::shared_ptr<const SchemaStore> for_build(std::shared_ptr<const SchemaStore> base,
                                             std::uint32_t build);

// Assignment of schemas to traces. Schemas embedded in a trace apply to that trace only, and those
// in an input of a merge to its machine and boot, because versions of an event differ between
// machines. docs/format/decoding.md#selection

/// A frozen store for each trace, by trace number (flow::TraceInfo::file), and for each input of a
/// merge (flow::BufferContext::merged_input). Copies share it: cheap to copy; thread-safe if const.
class SchemasByTrace {
public:
    /// Store numbers are 16 bits wide.
    static constexpr std::size_t max_stores = 0xFFFF;

    /// No schemas.
    SchemasByTrace() = default;

    /// `shared` is the frozen store for all traces without their own store; null: no schemas.
    template <std::convertible_to<std::shared_ptr<const SchemaStore>> Shared>
    // NOLINTNEXTLINE(google-explicit-constructor): one store for all traces is the common case
    SchemasByTrace(Shared&& shared) : shared_(std::forward<Shared>(shared)) {}

    /// Sets the store of a trace, or of one input of a merge. `own` is frozen and usually has the
    /// shared store as its base. Several may share a store (the files of one session). Returns
    /// false, without effect, beyond `max_stores`.
    [[nodiscard]] bool set(std::uint32_t trace, std::shared_ptr<const SchemaStore> own) {
        return set(trace, 0, std::move(own));
    }

    [[nodiscard]] bool set(std::uint32_t trace, std::uint16_t merged_input,
                           std::shared_ptr<const SchemaStore> own);

    /// Returns the number of a store; traces that share a store have the same number. Input 0, and
    /// one without its own store, has that of the trace.
    std::uint16_t number_of(std::uint32_t trace, std::uint16_t merged_input = 0) const noexcept {
        return own_ ? static_cast<std::uint16_t>(own_->numbers.at(trace, merged_input))
                    : std::uint16_t{0};
    }

    /// Returns the store of a trace, or of one input of a merge, or null.
    const std::shared_ptr<const SchemaStore>&
    store_for(std::uint32_t trace, std::uint16_t merged_input = 0) const noexcept {
        const std::uint16_t number = number_of(trace, merged_input);
        return number == 0 ? shared_ : own_->stores[number - 1U];
    }

    /// Whether both are the same objects: copies that nothing was set in since.
    bool operator==(const SchemasByTrace&) const = default;

private:
    struct Own {
        std::vector<std::shared_ptr<const SchemaStore>> stores;
        NumberGrid numbers; // by trace and input: 0 for shared_, otherwise index in stores + 1
    };

    std::shared_ptr<const SchemaStore> shared_;
    std::shared_ptr<Own> own_; // null: no trace has its own. Copied by set() if others have it.
};

} // namespace etl::schema
