#include <etl/schema/field_facts.hpp>
#include <etl/schema/schema_store.hpp>

#include <algorithm>
#include <cassert>
#include <numeric>
#include <tuple>

namespace etl::schema {

namespace {

const Guid& provider_of(const EventSchema& schema) noexcept {
    static constexpr Guid nobody{};
    return schema.provider ? schema.provider->guid : nobody;
}

auto order_of(const EventSchema& schema) noexcept {
    return std::tuple(provider_of(schema), schema.id, !schema.any_version, schema.version,
                      schema.origin);
}

} // namespace

void SchemaStore::add(std::shared_ptr<const EventSchema> schema) {
    assert(!frozen_ && schema);
    if (schema->provider) {
        add_provider(schema->provider);
    }
    schemas_.push_back(std::move(schema));
}

void SchemaStore::add_provider(std::shared_ptr<const ProviderNames> provider) {
    assert(!frozen_ && provider);
    const Guid guid = provider->guid;
    providers_.try_emplace(guid, std::move(provider));
}

void SchemaStore::freeze() {
    std::vector<std::size_t> order(schemas_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {},
                      [&](std::size_t i) { return std::tuple(order_of(*schemas_[i]), i); });
    sorted_.clear();
    sorted_.reserve(schemas_.size());
    corrected_.clear();
    for (const std::size_t i : order) {
        auto schema = with_field_facts(schemas_[i]);
        sorted_.push_back(schema.get());
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
    frozen_ = true;
}

Match SchemaStore::find(const EventKey& key) const noexcept {
    assert(frozen_);
    const auto group = groups_.find({key.provider, key.id});
    if (group == groups_.end()) {
        return {};
    }
    const auto at = [&](std::size_t index) {
        return sorted_.begin() + static_cast<std::ptrdiff_t>(index);
    };
    const auto first = at(group->second.versioned);
    const auto last = at(group->second.end);
    const auto version_of = [](const EventSchema* schema) noexcept { return schema->version; };
    const auto above = std::ranges::upper_bound(first, last, key.version, {}, version_of);
    if (above == first && group->second.begin != group->second.versioned) {
        return {std::span(at(group->second.begin), first), true};
    }
    // The version just at or below the one asked for; when there is none, the lowest of all.
    const std::uint8_t version = above == first ? (*first)->version : (*(above - 1))->version;
    const auto range = std::ranges::equal_range(first, last, version, {}, version_of);
    return {std::span(range.begin(), range.end()), version == key.version};
}

const ProviderNames* SchemaStore::provider(const Guid& guid) const noexcept {
    const auto found = providers_.find(guid);
    return found == providers_.end() ? nullptr : found->second.get();
}

} // namespace etl::schema
