// Keys and values of an event, as JSON.
#include "format/records.hpp"
#include "sink/json.hpp"
#include "tests/unit/outputs/sink/json_lines.hpp"
#include "tests/unit/outputs/sink/sink_events.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::json_test {
namespace {

using namespace test;
using format::ExtendedItem;
using format::ItemType;
using schema::InType;
using testing::HasSubstr;
using testing::Not;

TEST(JsonLines, WritesTheKeysInTheOrderOfTheContract) {
    const auto payload = brewing_payload();
    auto record = brewing_record(payload);
    record.activity = some_activity;
    const auto one = event_of(record);
    EXPECT_EQ(
        json(*one, {.schemas = store_with({brewing()}), .message = true}),
        R"({"time":"2024-05-17T06:00:00.1234567Z","cpu":0,"pid":4242,"tid":17,"provider":"Tea-House",)"
        R"("provider_guid":"7e57ab1e-0000-4000-8000-00000000cafe","id":1,"version":0,"channel":0,"level":4,"opcode":1,"task":7,)"
        R"("keyword":"0x5","event":"Brewing/Start","task_name":"Brewing","opcode_name":"Start","level_name":"Information",)"
        R"("keywords":["Hot","Cold"],"activity_id":"7e57ab1e-0000-4000-8000-0000000000aa","source":"manifest",)"
        R"("data":{"Cups":3,"Kind":"mint","Temperature":93.5},"message":"3 cups of mint\n"})"
        "\n");
}

TEST(JsonLines, KeepsEventsWithoutSchemaRaw) {
    const std::byte payload[] = {std::byte{0xAB}, std::byte{0}};
    const auto one = event_of(brewing_record(payload));
    const std::string line = json(*one);
    EXPECT_THAT(line, HasSubstr(R"("provider":null,"provider_guid":"7e57)"));
    EXPECT_THAT(line, HasSubstr(R"("event":null,"source":"none","payload":"ab00"})"));
    EXPECT_THAT(line, Not(HasSubstr("data")));
}

TEST(JsonLines, AddsHowTheRecordIsStoredWithRaw) {
    const auto payload = brewing_payload();
    auto record = brewing_record(payload);
    record.kernel_time = 5;
    record.user_time = 6;
    const auto one = event_of(record);
    EXPECT_THAT(
        json(*one, {.schemas = store_with({brewing()}), .raw = true}),
        HasSubstr(
            R"("payload":"030000006d0069006e00740000000000bb42","raw_time":133603992001234567,"header":"EVENT64",)"
            R"("buffer":0,"offset":0,"flags":64,"kernel_time":5,"user_time":6})"));
    record.flags = format::event_flag::private_session;
    EXPECT_THAT(json(*event_of(record), {.raw = true}),
                HasSubstr(R"("flags":66,"cpu_time":25769803781})"));
    EXPECT_THAT(json(*event_of(format::PerfinfoRecord{.hook_id = 0x0F2E}), {.raw = true}),
                HasSubstr(R"("header":"PERFINFO64","buffer":0,"offset":0,"flags":336})"));
}

TEST(JsonLines, WritesNullWhereTheRecordStoresNothing) {
    const auto one = event_of(format::MessageRecord{.number = 12, .payload = {}});
    EXPECT_THAT(json(*one, {.raw = true}),
                HasSubstr(R"({"time":null,"cpu":0,"pid":null,"tid":null,"provider":null,)"));
    EXPECT_THAT(json(*one, {.raw = true}), HasSubstr(R"("id":12,)"));
    EXPECT_THAT(json(*one, {.raw = true}), HasSubstr(R"("raw_time":null,"header":"MESSAGE")"));
}

TEST(JsonLines, TellsTrailingBytesAndMissingFields) {
    ByteWriter longer;
    longer.bytes(brewing_payload()).u16(0xBBAA);
    const auto store = store_with({brewing()});
    EXPECT_THAT(
        json(*event_of(brewing_record(longer.view())), {.schemas = store}),
        HasSubstr(R"("data":{"Cups":3,"Kind":"mint","Temperature":93.5},"trailing":"aabb"})"));
    const Bytes shorter = longer.view().first(6);
    EXPECT_THAT(json(*event_of(brewing_record(shorter)), {.schemas = store}),
                HasSubstr(R"("data":{"Cups":3,"Kind":"m"},"short":true})"));
}

TEST(JsonLines, TellsWhyDecodingStopped) {
    auto schema = brewing();
    schema.fields[1] = tea_field("Kind \"x\"", InType::counted_binary);
    sink::JsonLines lines({.schemas = store_with({schema})});
    const auto payload = brewing_payload();
    const auto one = event_of(brewing_record(payload));
    EXPECT_THAT(encode(lines, *one),
                HasSubstr(R"("data":{"Cups":3},"payload":"030000006d0069006e00740000000000bb42",)"
                          R"("decode_error":"Kind \"x\": length exceeds the payload"})"));
    EXPECT_EQ(lines.decode_counts().errors, 1U);
}

TEST(JsonLines, ShowsAnInvalidSidInHexAndTheFieldsAfterIt) {
    auto schema = brewing();
    schema.fields = {tea_field("User", InType::sid), tea_field("Cups", InType::uint8)};
    const auto payload = ByteWriter().fill(8).u8(3).take();
    EXPECT_THAT(json(*event_of(brewing_record(payload)), {.schemas = store_with({schema})}),
                HasSubstr(R"("data":{"User":"0000000000000000","Cups":3},)"
                          R"("decode_note":"User: not a SID"})"));
}

TEST(JsonLines, TellsWhenABuiltInSchemaDoesNotMatch) {
    const auto store = std::make_shared<schema::SchemaStore>();
    const auto file = std::make_shared<schema::SchemaFile>(
        schema::SchemaFile{.name = "tea.txt", .built_in = true});
    auto names = std::make_shared<schema::ProviderNames>();
    names->guid = tea_house;
    auto known = std::make_shared<schema::EventSchema>(brewing());
    known->provider = std::move(names);
    store->add(std::move(known), file);
    store->freeze();
    ByteWriter longer;
    longer.bytes(brewing_payload()).u16(0xBBAA);
    EXPECT_THAT(json(*event_of(brewing_record(longer.view())), {.schemas = store}),
                HasSubstr(R"("trailing":"aabb","decode_note":"built-in schema does not match"})"));
    const Bytes shorter = longer.view().first(6);
    EXPECT_THAT(json(*event_of(brewing_record(shorter)), {.schemas = store}),
                HasSubstr(R"("short":true,"decode_note":"built-in schema does not match"})"));
    const auto exact = brewing_payload();
    EXPECT_THAT(json(*event_of(brewing_record(exact)), {.schemas = store}),
                Not(HasSubstr("decode_note")));
}

TEST(JsonLines, TellsWhenTraceLoggingMetadataIsBroken) {
    const std::byte metadata[] = {std::byte{9}, std::byte{0}};
    const ExtendedItem items[] = {{ItemType::event_schema_tl, metadata}};
    auto record = brewing_record({});
    record.items = items;
    sink::JsonLines lines({});
    EXPECT_THAT(
        encode(lines, *event_of(record)),
        HasSubstr(
            R"("source":"none","payload":"","decode_error":"TraceLogging metadata: truncated)"));
    EXPECT_EQ(lines.decode_counts().errors, 1U);
}

TEST(JsonLines, TellsWhatWasAssumed) {
    const auto payload = brewing_payload();
    format::EventRecord newer = brewing_record(payload);
    newer.descriptor.version = 3;
    EXPECT_THAT(json(*event_of(newer), {.schemas = store_with({brewing()})}),
                HasSubstr(R"("decode_note":"layout of version 0"})"));
}

TEST(JsonLines, NumbersNamesThatOccurAgain) {
    const std::byte payload[] = {std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4},
                                 std::byte{5}, std::byte{6}, std::byte{7}};
    auto inner = tea_field("S", InType::structure);
    inner.members = 2;
    EXPECT_EQ(data_of({tea_field("a", InType::uint8), tea_field("a#2", InType::uint8),
                       tea_field("a", InType::uint8), tea_field("a", InType::uint8), inner,
                       tea_field("a", InType::uint8), tea_field("a", InType::uint8),
                       tea_field("", InType::uint8)},
                      payload),
              R"({"a":1,"a#2":2,"a#3":3,"a#4":4,"S":{"a":5,"a#2":6},"":7})");
}

TEST(JsonLines, WritesArraysAndStructures) {
    auto list = tea_field("L", InType::structure);
    list.members = 2;
    list.count = {schema::Extent::Kind::prefixed, 0};
    auto numbers = tea_field("N", InType::int16);
    numbers.count = {schema::Extent::Kind::prefixed, 0};
    auto empty = tea_field("E", InType::structure);
    ByteWriter payload;
    payload.u16(2).u8(1).u16(2).u16(10).u16(11).u8(2).u16(0);
    EXPECT_EQ(data_of({list, tea_field("K", InType::uint8), numbers, empty}, payload.view()),
              R"({"L":[{"K":1,"N":[10,11]},{"K":2,"N":[]}],"E":{}})");
    EXPECT_EQ(data_of({}, {}), "{}");
}

TEST(JsonLines, WritesMapsErrorCodesAndPlainNumbersAsAsked) {
    auto schema = brewing();
    schema.maps = {std::make_shared<schema::ValueMap>(schema::ValueMap{
        .name = "", .kind = schema::ValueMap::Kind::value, .entries = {{3, "three"}}})};
    schema.fields = {tea_field("Cups", InType::uint32),
                     tea_field("Status", InType::uint32, schema::OutType::win32_error)};
    schema.fields[0].map = 0;
    ByteWriter payload;
    payload.u32(3).u32(5);
    const auto one = event_of(brewing_record(payload.view()));
    const auto store = store_with({schema});
    EXPECT_THAT(json(*one, {.schemas = store}), HasSubstr(R"("data":{"Cups":"three","Status":5})"));
    EXPECT_THAT(
        json(*one, {.schemas = store, .names = true}),
        HasSubstr("\"data\":{\"Cups\":\"three\",\"Status\":\"ERROR_ACCESS_DENIED (0x5)\"}"));
    EXPECT_THAT(json(*one, {.schemas = store, .enumerations = false}),
                HasSubstr(R"("data":{"Cups":3,"Status":5})"));
    EXPECT_THAT(json(*one, {.schemas = store, .decode = false}),
                HasSubstr(R"("source":"none","payload":"0300000005000000"})"));
}

TEST(JsonLines, WritesOnlyTheKeysAndFieldsAskedFor) {
    const auto payload = brewing_payload();
    const auto one = event_of(brewing_record(payload));
    const auto store = store_with({brewing()});
    const auto chosen = [&](std::vector<std::string> fields) {
        return json(*one, {.schemas = store, .fields = std::move(fields)});
    };
    EXPECT_EQ(chosen({"tid", "event"}), "{\"tid\":17,\"event\":\"Brewing/Start\"}\n");
    EXPECT_EQ(chosen({"time", "Kind"}),
              "{\"time\":\"2024-05-17T06:00:00.1234567Z\",\"data\":{\"Kind\":\"mint\"}}\n");
    EXPECT_EQ(chosen({"data.Kind"}), "{\"data\":{\"Kind\":\"mint\"}}\n");
    EXPECT_EQ(chosen({"data", "data.Kind"}),
              "{\"data\":{\"Cups\":3,\"Kind\":\"mint\",\"Temperature\":93.5}}\n");
    EXPECT_EQ(chosen({"stack"}), "{}\n");
    EXPECT_EQ(chosen({"none of them"}), "{\"data\":{}}\n");
}

TEST(JsonLines, SkipsUnwantedStructuresWhole) {
    auto schema = brewing();
    schema.fields = {tea_field("L", InType::structure), tea_field("Cups", InType::uint8),
                     tea_field("Cups", InType::uint8)};
    schema.fields[0].members = 1;
    schema.fields[0].count = {schema::Extent::Kind::fixed, 2};
    const std::byte payload[] = {std::byte{1}, std::byte{2}, std::byte{3}};
    EXPECT_EQ(json(*event_of(brewing_record(payload)),
                   {.schemas = store_with({schema}), .fields = {"Cups"}}),
              "{\"data\":{\"Cups\":3}}\n");
}

TEST(JsonLines, ShowsLocalTimeWithItsZone) {
    const auto one = event_of(brewing_record({}));
    const auto time_at = [&](int minutes) {
        return json(*one, {.fields = {"time"}, .utc_offset_minutes = minutes});
    };
    EXPECT_EQ(time_at(120), "{\"time\":\"2024-05-17T08:00:00.1234567+02:00\"}\n");
    EXPECT_EQ(time_at(-570), "{\"time\":\"2024-05-16T20:30:00.1234567-09:30\"}\n");
    EXPECT_EQ(time_at(0), "{\"time\":\"2024-05-17T06:00:00.1234567+00:00\"}\n");
}

TEST(JsonLines, ShowsTimesBeforeAndBehindTheUsual) {
    sink::JsonLines lines({.fields = {"time"}});
    const auto time_of = [&](std::int64_t ticks) {
        auto record = brewing_record({});
        record.time = ticks;
        return encode(lines, *event_of(record));
    };
    for (int round = 0; round < 2; ++round) {
        EXPECT_EQ(time_of(Filetime::unix_epoch), "{\"time\":\"1970-01-01T00:00:00.0000000Z\"}\n");
        EXPECT_EQ(time_of(Filetime::unix_epoch + 10'000'000),
                  "{\"time\":\"1970-01-01T00:00:01.0000000Z\"}\n");
        EXPECT_EQ(time_of(std::numeric_limits<std::int64_t>::max()),
                  "{\"time\":\"+30828-09-14T02:48:05.4775807Z\"}\n");
    }
}

TEST(JsonLines, GivesTheSameBytesWhateverCameBefore) {
    const auto payload = brewing_payload();
    const auto one = event_of(brewing_record(payload));
    const auto other = event_of(format::PerfinfoRecord{.hook_id = 0x0F2E, .time = tea_time - 1});
    sink::JsonLines lines({.schemas = store_with({brewing()})});
    const std::string first = encode(lines, *one);
    encode(lines, *other);
    EXPECT_EQ(encode(lines, *one), first);
    const auto copy = lines.clone();
    EXPECT_EQ(encode(*copy, *one), first);
    std::string text = "before";
    lines.encode(one->event, text);
    EXPECT_EQ(text, "before" + first);
}

TEST(JsonArray, PutsTheObjectsIntoOneArray) {
    sink::JsonArray array({.fields = {"id"}});
    const auto one = event_of(brewing_record({}));
    std::string text(array.head());
    array.encode(one->event, text);
    text.append(array.separator());
    array.clone()->encode(one->event, text);
    text.append(array.tail());
    EXPECT_EQ(text, "[\n{\"id\":1},\n{\"id\":1}\n]\n");
}

} // namespace
} // namespace etl::json_test
