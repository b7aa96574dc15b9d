// The schemas that the seeds of the sinks have.
#pragma once

#include "schema/schema_store.hpp"

#include <memory>

namespace etl::fuzz {

// The provider of the seeds: every in type there is, each alone and behind a count.
inline std::shared_ptr<const schema::SchemaStore> every_type() {
    constexpr Guid provider = *parse_guid("7e57ab1e-0000-4000-8000-00000000cafe");
    auto names = std::make_shared<schema::ProviderNames>();
    names->guid = provider;
    names->name = "Every \"type\"";
    names->keywords = {{1, "One"}, {2, "Two\n"}};
    auto map = std::make_shared<schema::ValueMap>();
    map->kind = schema::ValueMap::Kind::bits;
    map->entries = {{1, "a"}, {6, "\"b\""}};
    auto store = std::make_shared<schema::SchemaStore>();
    for (std::uint16_t id = 0; id < 64; ++id) {
        auto event = std::make_shared<schema::EventSchema>();
        event->provider = names;
        event->id = id;
        event->message = "%1!20s! %2%n%3 %%";
        for (std::uint16_t i = 0; i < 3; ++i) {
            schema::Field& field = event->fields.emplace_back();
            field.name = i == 0 ? "n" : "value\t";
            const auto code = static_cast<std::uint16_t>(id % 32 + (id / 32) * 300);
            field.in_type = i == 0 ? schema::InType::uint8 : static_cast<schema::InType>(code);
            field.out_type = static_cast<schema::OutType>((id + i) % 39);
            field.map = i == 0 ? 0 : schema::Field::no_map;
            field.referenced = i == 0;
            field.members = field.in_type == schema::InType::structure ? 2 - i : 0;
        }
        event->fields[1].count = {schema::Extent::Kind::field, 0};
        event->maps = {map};
        // JSON and text do not look at it.
        if (id % 4 == 1) {
            event->user_data = "<Data a='%1'><B>%2</B>%3</Data>";
        }
        store->add(std::move(event));
    }
    store->freeze();
    return store;
}

} // namespace etl::fuzz
