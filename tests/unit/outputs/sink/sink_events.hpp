// Events with schemas of our own invention, for all sinks.
#pragma once

#include "schema/schema_store.hpp"
#include "tests/support/traces/one_event.hpp"
#include "tests/support/traces/tracelogging_builder.hpp"

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

/// WPP message 9 of the tea house: a text, a number, a time.
inline schema::EventSchema kettle_message() {
    schema::EventSchema schema;
    schema.origin = schema::Origin::wpp;
    schema.id = 9;
    schema.symbol = schema.event_name = "Kettle_c12";
    schema.message = "%0%!FUNC!: %10!-8s! at %11!5.2s! \xC2\xB0"
                     "C, %12!s! (%8!x!)";
    auto site = std::make_shared<schema::TraceSite>();
    site->component = "kettle";
    site->file = "Kettle.c";
    site->line = "12";
    site->function = "Boil";
    site->level = "TRACE_LEVEL_ERROR";
    schema.site = std::move(site);
    schema.fields = {tea_field("Kind", schema::InType::unicode_string),
                     tea_field("Heat", schema::InType::float64),
                     tea_field("When", schema::InType::filetime)};
    return schema;
}

inline std::vector<std::byte> kettle_payload() {
    ByteWriter payload;
    payload.zero_terminated16(u"a kind of tea with a name that is long \u8336");
    payload.value(98.76).u64(static_cast<std::uint64_t>(tea_time));
    return payload.take();
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
            .descriptor = {.id = 1, .level = 4, .opcode = 1, .task = 7, .keyword = 5},
            .payload = payload};
}

template <typename Encoder>
std::string encode(Encoder& encoder, const OneEvent& one) {
    std::string text;
    encoder.encode(one.event, text);
    return text;
}

} // namespace etl::test
