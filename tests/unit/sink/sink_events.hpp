// Events with schemas of our own invention, for all sinks.
#pragma once

#include <etl/schema/schema_store.hpp>

#include "tests/support/one_event.hpp"
#include "tests/support/tracelogging_builder.hpp"

#include <memory>
#include <string>
#include <vector>

namespace etl::test {

inline constexpr Guid tea_house = *parse_guid("7e57ab1e-0000-4000-8000-00000000cafe");
inline constexpr Guid some_activity = *parse_guid("7e57ab1e-0000-4000-8000-0000000000aa");

/// 2024-05-17T06:00:00.1234567Z
inline constexpr std::int64_t tea_time = 133'603'992'001'234'567;

inline schema::Field tea_field(std::string name, schema::InType in,
                               schema::OutType out = schema::OutType::none) {
    schema::Field result;
    result.name = std::move(name);
    result.in_type = in;
    result.out_type = out;
    return result;
}

inline std::shared_ptr<const schema::SchemaStore>
store_with(std::vector<schema::EventSchema> schemas) {
    auto names = std::make_shared<schema::ProviderNames>();
    names->guid = tea_house;
    names->name = "Tea-House";
    names->keywords = {{1, "Hot"}, {4, "Cold"}};
    auto store = std::make_shared<schema::SchemaStore>();
    for (schema::EventSchema& schema : schemas) {
        schema.provider = names;
        store->add(std::make_shared<schema::EventSchema>(std::move(schema)));
    }
    store->freeze();
    return store;
}

/// Event 1: Cups (u32), Kind (text), Temperature (float).
inline schema::EventSchema brewing() {
    schema::EventSchema schema;
    schema.id = 1;
    schema.event_name = "Brewing/Start";
    schema.task_name = "Brewing";
    schema.opcode_name = "Start";
    schema.message = "%1 cups of %2%n";
    schema.fields = {tea_field("Cups", schema::InType::uint32),
                     tea_field("Kind", schema::InType::unicode_string),
                     tea_field("Temperature", schema::InType::float32)};
    return schema;
}

inline std::vector<std::byte> brewing_payload(std::u16string_view kind = u"mint") {
    ByteWriter payload;
    payload.u32(3).zero_terminated16(kind).value(93.5F);
    return payload.take();
}

inline format::EventRecord brewing_record(Bytes payload) {
    return {.process_id = 4242,
            .thread_id = 17,
            .time = tea_time,
            .provider = tea_house,
            .id = 1,
            .level = 4,
            .opcode = 1,
            .task = 7,
            .keyword = 5,
            .payload = payload};
}

template <typename Encoder>
std::string encode(Encoder& encoder, const OneEvent& one) {
    std::string text;
    encoder.encode(one.event, text);
    return text;
}

} // namespace etl::test
