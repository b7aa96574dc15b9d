#include "schema/schema_store.hpp"

#include "schema/field_facts.hpp"

#include <algorithm>
#include <cassert>
#include <functional>
#include <numeric>
#include <optional>
#include <tuple>

namespace etl::schema {

namespace {

const Guid& provider_of(const EventSchema& schema) noexcept {
    static constexpr Guid nobody{};
    return schema.provider ? schema.provider->guid : nobody;
}

bool is_built_in(const SchemaFile* file) noexcept {
    return file != nullptr && file->built_in;
}

auto order_of(const EventSchema& schema, const SchemaFile* file) noexcept {
    return std::tuple(provider_of(schema), schema.id, !schema.any_version, schema.version,
                      is_built_in(file), schema.origin);
}

} // namespace

void SchemaStore::add(std::shared_ptr<const EventSchema> schema,
                      std::shared_ptr<const SchemaFile> file) {
    assert(!frozen_ && schema);
    if (schema->provider) {
        add_provider(schema->provider);
    }
    schemas_.push_back(std::move(schema));
    files_.push_back(std::move(file));
}

void SchemaStore::add_provider(std::shared_ptr<const ProviderNames> provider) {
    assert(!frozen_ && provider);
    const Guid guid = provider->guid;
    providers_.try_emplace(guid, std::move(provider));
}

void SchemaStore::add_all(const SchemaStore& other, const std::shared_ptr<const SchemaFile>& file) {
    for (const auto& [guid, provider] : other.providers_) {
        add_provider(provider);
    }
    for (std::size_t i = 0; i < other.schemas_.size(); ++i) {
        add(other.schemas_[i], other.files_[i] ? other.files_[i] : file);
    }
}

void SchemaStore::freeze() {
    std::vector<std::size_t> order(schemas_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) {
        return std::tuple(order_of(*schemas_[i], files_[i].get()), i);
    });
    sorted_.clear();
    sorted_.reserve(schemas_.size());
    corrected_.clear();
    file_of_.clear();
    for (const std::size_t i : order) {
        auto schema = with_field_facts(schemas_[i]);
        sorted_.push_back(schema.get());
        if (files_[i]) {
            file_of_.emplace(schema.get(), files_[i].get());
        }
        if (schema != schemas_[i]) {
            corrected_.push_back(std::move(schema));
        }
    }
    groups_.clear();
    for (std::size_t i = 0; i < sorted_.size(); ++i) {
        const auto [group, is_new] =
            groups_.try_emplace({provider_of(*sorted_[i]), sorted_[i]->id}, Group{i, i, i});
        group->second.versioned += sorted_[i]->any_version ? 1U : 0U;
        group->second.end = i + 1;
    }
    const auto is_rival = [](const EventSchema* a, const EventSchema* b) {
        return a->builds != 0 && b->builds != 0 && a->id == b->id && a->version == b->version &&
               provider_of(*a) == provider_of(*b);
    };
    depends_on_build_ = std::ranges::adjacent_find(sorted_, is_rival) != sorted_.end();
    frozen_ = true;
}

// All of the event's version.
std::span<const EventSchema* const> SchemaStore::own(const EventKey& key) const noexcept {
    const auto group = groups_.find({key.provider, key.id});
    if (group == groups_.end()) {
        return {};
    }
    const std::span versioned = std::span(sorted_).subspan(
        group->second.versioned, group->second.end - group->second.versioned);
    const auto range = std::ranges::equal_range(
        versioned, key.version, {}, [](const EventSchema* schema) { return schema->version; });
    return {range.begin(), range.end()};
}

std::span<const EventSchema* const> SchemaStore::own_for_any(const EventKey& key) const noexcept {
    const auto group = groups_.find({key.provider, key.id});
    return group == groups_.end()
               ? std::span<const EventSchema* const>{}
               : std::span(sorted_).subspan(group->second.begin,
                                            group->second.versioned - group->second.begin);
}

void SchemaStore::add_lower(const EventKey& key, std::vector<const EventSchema*>& to) const {
    if (const auto group = groups_.find({key.provider, key.id}); group != groups_.end()) {
        for (std::size_t i = group->second.versioned; i < group->second.end; ++i) {
            if (sorted_[i]->version < key.version) {
                to.push_back(sorted_[i]);
            }
        }
    }
}

void SchemaStore::set_build(std::uint32_t build) noexcept {
    assert(!frozen_);
    build_ = build;
}

void SchemaStore::choose(const EventKey& event, const EventSchema& layout) {
    assert(!frozen_);
    choices_[event] = &layout;
}

void SchemaStore::sort_by_fit(std::span<const EventSchema*> schemas, std::uint32_t build) const {
    if (schemas.size() < 2) {
        return;
    }
    std::ranges::stable_sort(schemas, {}, [&](const EventSchema* schema) {
        const std::uint32_t newest = build == 0 ? nearest_build(*schema, 0) : 0;
        return std::tuple(is_built_in(file_of(*schema)), schema->origin, fit_of(*schema, build),
                          -std::int64_t{newest});
    });
}

namespace {

/// How far a build is from the one that is wanted: lower ones come before higher ones.
std::pair<bool, std::uint32_t> distance(std::uint32_t from, std::uint32_t build) noexcept {
    const bool is_above = from > build;
    return {is_above, is_above ? from - build : build - from};
}

} // namespace

// Sources know different builds: those of the nearest one count.
void SchemaStore::keep_nearest_builds(Match& match) const {
    if (build_ == 0 || match.candidates.size() < 2) {
        return;
    }
    const auto is_own = [&](const EventSchema* schema) {
        return fit_of(*schema, build_) == BuildFit::own;
    };
    const auto distance_of = [&](const EventSchema* schema) {
        return distance(nearest_build(*schema, build_), build_);
    };
    std::optional<std::pair<bool, std::uint32_t>> nearest;
    for (const EventSchema* const schema : match.candidates) {
        if (is_own(schema)) {
            nearest = std::min(nearest.value_or(distance_of(schema)), distance_of(schema));
        }
    }
    const auto farther =
        std::ranges::stable_partition(match.candidates, [&](const EventSchema* schema) {
            return !is_own(schema) || schema->is_of_any_build || distance_of(schema) == *nearest;
        });
    match.other_builds.insert(match.other_builds.end(), farther.begin(), farther.end());
    match.candidates.erase(farther.begin(), farther.end());
}

Match SchemaStore::find(const EventKey& key) const {
    assert(frozen_);
    Match match;
    const auto add = [&](const SchemaStore& store, std::span<const EventSchema* const> found) {
        const auto first = static_cast<std::ptrdiff_t>(match.candidates.size());
        for (const EventSchema* const schema : found) {
            const bool is_other = fit_of(*schema, build_) == BuildFit::other;
            (is_other ? match.other_builds : match.candidates).push_back(schema);
        }
        store.sort_by_fit({match.candidates.begin() + first, match.candidates.end()}, build_);
    };
    for (const SchemaStore* store = this; store != nullptr; store = store->base_.get()) {
        add(*store, store->own(key));
    }
    const auto is_bound = [](const EventSchema* schema) { return schema->builds != 0; };
    match.has_choice = build_ == 0 && std::ranges::count_if(match.candidates, is_bound) > 1;
    if (const auto choice = choices_.find(key); match.has_choice && choice != choices_.end()) {
        std::erase_if(match.candidates, [&](const EventSchema* schema) {
            return is_bound(schema) && schema != choice->second;
        });
        match.is_chosen = true;
    }
    keep_nearest_builds(match);
    std::ranges::stable_sort(match.other_builds, {}, [&](const EventSchema* schema) {
        return distance(nearest_build(*schema, build_), build_);
    });
    if (!match.candidates.empty()) {
        return match;
    }
    for (const SchemaStore* store = this; store != nullptr; store = store->base_.get()) {
        add(*store, store->own_for_any(key));
        store->add_lower(key, match.lower);
    }
    std::ranges::stable_sort(match.lower, {}, [&](const EventSchema* schema) {
        return std::pair(-int{schema->version}, fit_of(*schema, build_));
    });
    return match;
}

std::vector<const EventSchema*> Match::all() const {
    std::vector<const EventSchema*> all = candidates;
    all.insert(all.end(), other_builds.begin(), other_builds.end());
    all.insert(all.end(), lower.begin(), lower.end());
    return all;
}

std::vector<const EventSchema*> SchemaStore::all_versions(const Guid& provider,
                                                          std::uint16_t id) const {
    assert(frozen_);
    std::vector<const EventSchema*> all;
    for (const SchemaStore* store = this; store != nullptr; store = store->base_.get()) {
        if (const auto group = store->groups_.find({provider, id}); group != store->groups_.end()) {
            const auto first = store->sorted_.begin();
            all.insert(all.end(), first + static_cast<std::ptrdiff_t>(group->second.begin),
                       first + static_cast<std::ptrdiff_t>(group->second.end));
        }
    }
    return all;
}

bool SchemaStore::depends_on_build() const noexcept {
    assert(frozen_);
    return depends_on_build_ || (base_ != nullptr && base_->depends_on_build());
}

const SchemaFile* SchemaStore::file_of(const EventSchema& schema) const noexcept {
    assert(frozen_);
    if (const auto found = file_of_.find(&schema); found != file_of_.end()) {
        return found->second;
    }
    return base_ != nullptr ? base_->file_of(schema) : nullptr;
}

const ProviderNames* SchemaStore::provider(const Guid& guid) const noexcept {
    if (const auto found = providers_.find(guid); found != providers_.end()) {
        return found->second.get();
    }
    return base_ != nullptr ? base_->provider(guid) : nullptr;
}

std::shared_ptr<const SchemaStore> for_build(std::shared_ptr<const SchemaStore> base,
                                             std::uint32_t build) {
    auto store = std::make_shared<SchemaStore>(std::move(base));
    store->set_build(build);
    store->freeze();
    return store;
}

bool SchemasByTrace::set(std::uint32_t trace, std::uint16_t merged_input,
                         std::shared_ptr<const SchemaStore> own) {
    if (own_.use_count() != 1) {
        own_ = own_ ? std::make_shared<Own>(*own_) : std::make_shared<Own>();
    }
    auto& stores = own_->stores;
    auto place = std::ranges::find(stores, own);
    if (place == stores.end()) {
        if (stores.size() == max_stores) {
            return false;
        }
        place = stores.insert(stores.end(), std::move(own));
    }
    own_->numbers.set(trace, merged_input, static_cast<std::uint32_t>(place - stores.begin() + 1));
    return true;
}

} // namespace etl::schema
