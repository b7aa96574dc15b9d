// Schemas of one provider, events of it, and what becomes of them.
#pragma once

#include "decode/decoder.hpp"
#include "format/records.hpp"
#include "tests/support/traces/one_event.hpp"
#include "tests/support/traces/tracelogging_builder.hpp"
#include "tests/unit/meaning/decode/schemas.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace etl::test {

using namespace literals;

inline constexpr Guid tea_house = "7e57ab1e-0000-4000-8000-00000000cafe"_guid;
inline constexpr Guid other_house = "7e57ab1e-0000-4000-8000-00000000beef"_guid;

/// One event of the store: `fields` of provider `names`.
struct Told {
    schema::Origin origin = schema::Origin::manifest;
    std::uint16_t id = 1;
    std::uint8_t version = 0, channel = 0, level = 0;
    std::string name = "Brewing";
};

inline std::shared_ptr<const schema::ProviderNames> house_names(const Guid& guid = tea_house) {
    auto names = std::make_shared<schema::ProviderNames>();
    names->guid = guid;
    names->name = "Tea-House";
    names->keywords = {{1, "Hot"}, {4, "Cold"}};
    names->channels = {{16, "Tea-House/Operational"}};
    return names;
}

inline std::shared_ptr<const EventSchema>
told(const Told& what, std::initializer_list<schema::Field> fields, const Guid& guid = tea_house) {
    auto schema = std::make_shared<EventSchema>(schema_of(fields));
    schema->origin = what.origin;
    schema->provider = house_names(guid);
    schema->id = what.id;
    schema->version = what.version;
    schema->channel = what.channel;
    schema->level = what.level;
    schema->event_name = what.name;
    schema->task_name = what.name;
    return schema;
}

inline std::shared_ptr<const schema::SchemaStore>
store_of(std::vector<std::shared_ptr<const EventSchema>> schemas) {
    auto store = std::make_shared<schema::SchemaStore>();
    for (auto& schema : schemas) {
        store->add(std::move(schema));
    }
    store->freeze();
    return store;
}

inline std::string walked(const decode::DecodedEvent& event) {
    return event.kind->schema == nullptr
               ? "raw"
               : walk(*event.kind->schema, event.body, event.header.pointer_size);
}

/// An event of the tea house with this version and payload.
inline auto tea_event(std::uint8_t version, Bytes payload) {
    return event_of(format::EventRecord{
        .provider = tea_house, .descriptor = {.id = 1, .version = version}, .payload = payload});
}

} // namespace etl::test
