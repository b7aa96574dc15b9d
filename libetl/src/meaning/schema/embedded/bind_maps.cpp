#include "schema/event_info.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace etl::schema {

namespace {

template <typename List>
void merge(List& into, const List& from) {
    for (const auto& entry : from) {
        const auto same = [&](const auto& known) { return known.first == entry.first; };
        if (std::ranges::none_of(into, same)) {
            into.push_back(entry);
        }
    }
}

using Providers = std::unordered_map<Guid, std::shared_ptr<ProviderNames>>;

// Each event knows only the names that it uses itself; together they are what is known of the
// provider.
Providers united(const std::vector<EmbeddedEvent>& events) {
    Providers providers;
    for (const EmbeddedEvent& event : events) {
        const ProviderNames& names = *event.schema.provider;
        auto& known = providers[names.guid];
        if (!known) {
            known = std::make_shared<ProviderNames>(names);
            continue;
        }
        merge(known->levels, names.levels);
        merge(known->keywords, names.keywords);
        merge(known->channels, names.channels);
    }
    return providers;
}

} // namespace

std::vector<std::shared_ptr<const EventSchema>> bind_maps(std::vector<EmbeddedEvent> events,
                                                          const std::vector<EmbeddedMap>& maps) {
    std::map<std::pair<Guid, std::string_view>, std::shared_ptr<const ValueMap>> map_of;
    for (const EmbeddedMap& map : maps) {
        map_of.try_emplace({map.provider, map.map->name}, map.map);
    }
    const Providers providers = united(events);
    std::vector<std::shared_ptr<const EventSchema>> schemas;
    schemas.reserve(events.size());
    for (EmbeddedEvent& event : events) {
        auto schema = std::make_shared<EventSchema>(std::move(event.schema));
        schema->provider = providers.at(schema->provider->guid);
        for (const auto& [field, name] : event.map_of_field) {
            const auto found = map_of.find({schema->provider->guid, name});
            if (found == map_of.end()) {
                continue;
            }
            const auto known = std::ranges::find(schema->maps, found->second);
            schema->fields[field].map = static_cast<std::uint16_t>(known - schema->maps.begin());
            if (known == schema->maps.end()) {
                schema->maps.push_back(found->second);
            }
        }
        schemas.push_back(std::move(schema));
    }
    return schemas;
}

} // namespace etl::schema
