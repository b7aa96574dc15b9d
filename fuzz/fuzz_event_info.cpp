// Any bytes as TRACE_EVENT_INFO, and as the map information that goes with it. Beyond "does not
// crash": what is accepted is sound, before and after maps are bound, and its texts are bounded by
// the blob.
#include <etl/schema/event_info.hpp>

#include "fuzz/schema_rules.hpp"

#include <algorithm>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace etl;
    const Bytes bytes = std::as_bytes(std::span(data, size));
    // The map lies in front of the event; the first byte says where one ends.
    const std::size_t split = size == 0 ? 0 : std::min<std::size_t>(data[0] * std::size_t{4}, size);
    std::vector<schema::EmbeddedMap> maps;
    if (auto map = schema::parse_map_info(clamped(bytes, 1, split))) {
        fuzz::require(map->map->entries.size() <= split / 8);
        maps.push_back(std::move(*map));
    }
    auto event = schema::parse_event_info(clamped(bytes, split));
    if (!event) {
        fuzz::require(event.error().code != ErrorCode::none);
        return 0;
    }
    fuzz::require_sound(event->schema);
    for (const auto& [field, name] : event->map_of_field) {
        fuzz::require(field < event->schema.fields.size());
        auto map = std::make_shared<schema::ValueMap>();
        map->name = name;
        maps.push_back({event->schema.provider->guid, std::move(map)});
    }
    const std::size_t fields = event->schema.fields.size();
    std::vector<schema::EmbeddedEvent> events;
    events.push_back(std::move(*event));
    const auto bound = schema::bind_maps(std::move(events), maps);
    fuzz::require(bound.size() == 1 && bound.front()->fields.size() == fields);
    fuzz::require_sound(*bound.front());
    return 0;
}
