// Any bytes as TRACE_EVENT_INFO, and as the map information that goes with it. Beyond "does not
// crash": what is accepted is sound, before and after maps are bound, its texts are bounded by the
// blob, and it says the same when it is written and read again.
#include "fuzz/schema_rules.hpp"
#include "schema/event_info.hpp"
#include "tests/support/event_info_difference.hpp"

#include <algorithm>

namespace {

using namespace etl;

void require_written_again(const schema::EmbeddedEvent& event) {
    ByteWriter blob;
    fuzz::require(schema::write_event_info(event, blob).has_value());
    const auto again = schema::parse_event_info(blob.view());
    fuzz::require(again && test::difference(event, *again).empty());
}

void require_written_again(const schema::EmbeddedMap& map) {
    ByteWriter blob;
    schema::write_map_info(map, blob);
    const auto again = schema::parse_map_info(blob.view());
    fuzz::require(again && again->provider == map.provider && again->map->name == map.map->name &&
                  again->map->kind == map.map->kind && again->map->entries == map.map->entries);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Bytes bytes = std::as_bytes(std::span(data, size));
    // The map lies in front of the event; the first byte says where one ends.
    const std::size_t split = size == 0 ? 0 : std::min<std::size_t>(data[0] * std::size_t{4}, size);
    std::vector<schema::EmbeddedMap> maps;
    if (auto map = schema::parse_map_info(clamped(bytes, 1, split))) {
        fuzz::require(map->map->entries.size() <= split / 8);
        require_written_again(*map);
        maps.push_back(std::move(*map));
    }
    auto event = schema::parse_event_info(clamped(bytes, split));
    if (!event) {
        fuzz::require(event.error().code != ErrorCode::none);
        return 0;
    }
    fuzz::require_sound(event->schema);
    require_written_again(*event);
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
