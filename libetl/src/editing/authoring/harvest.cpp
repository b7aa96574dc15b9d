#include "authoring/harvest.hpp"

#include "authoring/merge.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace etl::authoring {

namespace {

using schema::EventSchema;
using schema::Extent;
using schema::Field;
using schema::Origin;
using schema::ProviderNames;
using SharedEvent = std::shared_ptr<const EventSchema>;

const schema::ValueMap* value_map_of(const EventSchema& event, const Field& field) noexcept {
    return field.map < event.maps.size() ? event.maps[field.map].get() : nullptr;
}

/// The events of one set get one build.
class Binding {
public:
    explicit Binding(std::uint32_t build) : build_(build) {}

    SharedEvent bound(const EventSchema& event) {
        auto to = std::make_shared<EventSchema>(event);
        const bool is_of_build = build_ != 0 && event.origin != Origin::tracelogging;
        to->is_of_any_build = !is_of_build || event.origin == Origin::eventsource;
        to->builds = is_of_build ? 1 : 0;
        if (is_of_build) {
            to->provider = dumped(event.provider);
        }
        return to;
    }

private:
    /// The provider with the one build.
    const std::shared_ptr<const ProviderNames>&
    dumped(const std::shared_ptr<const ProviderNames>& names) {
        auto& known = providers_[names.get()];
        if (!known) {
            auto to = std::make_shared<ProviderNames>(*names);
            to->builds = {build_};
            known = std::move(to);
        }
        return known;
    }

    std::uint32_t build_;
    std::unordered_map<const ProviderNames*, std::shared_ptr<const ProviderNames>> providers_;
};

} // namespace

schema::SchemaSet bound_to_build(const schema::SchemaSet& set, std::uint32_t build) {
    schema::SchemaSet result;
    result.providers = set.providers;
    Binding binding(build);
    for (const SharedEvent& event : set.events) {
        if (event->provider) {
            result.events.push_back(event->provider->builds.empty() ? binding.bound(*event)
                                                                    : event);
        }
    }
    return result;
}

// Layouts that are known.

namespace {

bool is_same(const Extent& a, const Extent& b) noexcept {
    const bool has_value = a.kind == Extent::Kind::fixed || a.kind == Extent::Kind::field;
    return a.kind == b.kind && (!has_value || a.value == b.value);
}

bool has_all_entries(const schema::ValueMap* known, const schema::ValueMap* map) {
    return map == nullptr || map->entries.empty() ||
           (known != nullptr && known->kind == map->kind &&
            std::ranges::all_of(map->entries, [&](const auto& entry) {
                return std::ranges::find(known->entries, entry) != known->entries.end();
            }));
}

/// Whether the known field has all that the other one has, beside its map.
bool has_all(const Field& known, const Field& field) noexcept {
    const schema::OutType by_default = schema::default_out_type(field.in_type);
    const bool lacks_out_type = field.out_type != schema::OutType::none &&
                                field.out_type != by_default &&
                                known.out_type == schema::OutType::none;
    return known.name == field.name && known.in_type == field.in_type &&
           known.members == field.members && is_same(known.count, field.count) &&
           is_same(known.length, field.length) && !lacks_out_type;
}

bool has_all_fields(const EventSchema& known, const EventSchema& event) {
    const auto has_map = [&](const Field& a, const Field& b) {
        return has_all_entries(value_map_of(known, a), value_map_of(event, b));
    };
    return std::ranges::equal(known.fields, event.fields, has_all) &&
           std::ranges::equal(known.fields, event.fields, has_map);
}

bool has_names(const EventSchema& known, const EventSchema& event) {
    return std::ranges::equal(known.fields, event.fields, {}, &Field::name, &Field::name);
}

/// The layouts of a set by their events.
class KnownLayouts {
public:
    KnownLayouts(const schema::SchemaSet& set, Known how) : how_(how) {
        for (const SharedEvent& event : set.events) {
            if (event->provider) {
                layouts_[key_of(*event)].push_back(event.get());
            }
        }
    }

    bool has(const EventSchema& event) const {
        const auto found = event.provider ? layouts_.find(key_of(event)) : layouts_.end();
        if (found == layouts_.end()) {
            return false;
        }
        std::vector<const EventSchema*> same = found->second;
        std::erase_if(same, [&](const EventSchema* known) {
            return how_ == Known::by_names ? !has_names(*known, event)
                                           : !has_all_fields(*known, event);
        });
        return !same.empty() && (how_ == Known::by_names || has_builds(same, event));
    }

private:
    using Key = std::tuple<Guid, std::uint16_t, std::uint8_t>;

    struct Hash {
        std::size_t operator()(const Key& key) const noexcept {
            const auto& [guid, id, version] = key;
            return std::hash<Guid>{}(guid) ^ ((std::size_t{id} << 8U | version) * 0x9E3779B1U);
        }
    };

    /// Whether one of `same` is known for each build of the layout, and for any if it is.
    bool has_builds(const std::vector<const EventSchema*>& same, const EventSchema& event) const {
        const bool is_stated = how_ == Known::as_stated;
        const auto is_of = [&](std::uint32_t build) {
            return std::ranges::any_of(same, [&](const EventSchema* known) {
                return is_stated ? std::ranges::binary_search(schema::builds_of(*known), build)
                                 : schema::fit_of(*known, build) != schema::BuildFit::other;
            });
        };
        return std::ranges::all_of(schema::builds_of(event), is_of) &&
               (!is_stated || !event.is_of_any_build ||
                std::ranges::any_of(same, &EventSchema::is_of_any_build));
    }

    static Key key_of(const EventSchema& event) noexcept {
        return {event.provider->guid, event.id, event.version};
    }

    Known how_;
    std::unordered_map<Key, std::vector<const EventSchema*>, Hash> layouts_;
};

} // namespace

// Texts of maps that are sentences are no facts, and the built-in schemas have none.
std::size_t remove_known(schema::SchemaSet& set, const schema::SchemaSet& known, Known how) {
    const KnownLayouts layouts(known, how);
    std::erase_if(set.events, [](const SharedEvent& event) { return !event->provider; });
    const std::vector<SharedEvent> facts = facts_of(set).events; // in the same order
    std::vector<SharedEvent> left;
    for (std::size_t i = 0; i < facts.size(); ++i) {
        if (!layouts.has(*facts[i])) {
            left.push_back(std::move(set.events[i]));
        }
    }
    set.events = std::move(left);
    return facts.size() - set.events.size();
}

} // namespace etl::authoring
