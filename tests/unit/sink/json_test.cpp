#include <etl/format/records.hpp>
#include <etl/sink/json.hpp>

#include "tests/unit/sink/sink_events.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl {
namespace {

using namespace test;
using format::ExtendedItem;
using format::ItemType;
using schema::InType;
using testing::HasSubstr;
using testing::Not;

std::string json(const OneEvent& one, sink::Options options = {}) {
    sink::JsonLines lines(std::move(options));
    return encode(lines, one);
}

/// What stands in `data`.
std::string data_of(std::vector<schema::Field> fields, Bytes payload,
                    std::vector<std::shared_ptr<const schema::ValueMap>> maps = {}) {
    schema::EventSchema schema;
    schema.id = 1;
    schema.fields = std::move(fields);
    schema.maps = std::move(maps);
    const auto one = event_of(brewing_record(payload));
    const std::string line = json(*one, {.schemas = store_with({schema}), .fields = {"data"}});
    EXPECT_EQ(line.substr(0, 8), R"({"data":)");
    return line.substr(8, line.size() - 10);
}

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
    schema.fields[1] = tea_field("Kind \"x\"", InType::sid);
    sink::JsonLines lines({.schemas = store_with({schema})});
    const auto payload = brewing_payload();
    const auto one = event_of(brewing_record(payload));
    EXPECT_THAT(encode(lines, *one),
                HasSubstr(R"("data":{"Cups":3},"payload":"030000006d0069006e00740000000000bb42",)"
                          R"("decode_error":"Kind \"x\": not a SID"})"));
    EXPECT_EQ(lines.decode_counts().errors, 1U);
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
        EXPECT_EQ(time_of(-1), "{\"time\":\"1600-12-31T23:59:59.9999999Z\"}\n");
        EXPECT_EQ(time_of(0), "{\"time\":\"1601-01-01T00:00:00.0000000Z\"}\n");
        EXPECT_EQ(time_of(10'000'000), "{\"time\":\"1601-01-01T00:00:01.0000000Z\"}\n");
        EXPECT_EQ(time_of(std::numeric_limits<std::int64_t>::max()),
                  "{\"time\":\"+30828-09-14T02:48:05.4775807Z\"}\n");
        EXPECT_EQ(time_of(std::numeric_limits<std::int64_t>::min()),
                  "{\"time\":\"-27627-04-19T21:11:54.5224192Z\"}\n");
    }
}

std::string ext_of(std::vector<ExtendedItem> items) {
    auto record = brewing_record({});
    record.items = items;
    return json(*event_of(record),
                {.fields = {"related_activity_id", "stack", "ext", "decode_note"}});
}

TEST(JsonLines, ShowsExtendedItemsByName) {
    ByteWriter guid, sid, number, words, short_number;
    guid.guid(some_activity);
    sid.u8(1).u8(1).fill(5).u8(5).u32(18);
    number.u64(77);
    words.u64(0).u64(0x10).u64(0x20);
    short_number.u32(3);
    EXPECT_EQ(ext_of({{ItemType::related_activity_id, guid.view()},
                      {ItemType::stack_trace64, words.view()}}),
              "{\"related_activity_id\":\"7e57ab1e-0000-4000-8000-0000000000aa\",\"stack\":["
              "\"0x10\",\"0x20\"]}\n");
    EXPECT_EQ(ext_of({{ItemType::stack_trace32, words.view().first(12)},
                      {ItemType::stack_trace64, words.view()}}),
              "{\"stack\":[\"0x10\",\"0x10\",\"0x20\"]}\n");
    EXPECT_EQ(
        ext_of({{ItemType::sid, sid.view()},
                {ItemType::terminal_session_id, short_number.view()},
                {ItemType::process_start_key, number.view()},
                {ItemType::event_key, number.view()},
                {ItemType::qpc_delta, number.view()},
                {ItemType::pmc_counters, words.view()},
                {ItemType::pebs_index, number.view()},
                {ItemType::psm_key, number.view()},
                {ItemType::control_guid, guid.view()},
                {ItemType::container_id, guid.view()}}),
        R"({"ext":{"sid":"S-1-5-18","session_id":3,"process_start_key":77,"event_key":77,"qpc_delta":77,"pmc":[0,16,32],)"
        R"("pebs_index":77,"psm_key":77,"control_guid":"7e57ab1e-0000-4000-8000-0000000000aa",)"
        R"("container_id":"7e57ab1e-0000-4000-8000-0000000000aa"}})"
        "\n");
    EXPECT_EQ(ext_of({{ItemType::stack_key64, words.view().first(16)}}),
              "{\"ext\":{\"stack_match_id\":\"0x0\",\"stack_key\":\"0x10\"}}\n");
    ByteWriter instance;
    instance.u32(1).u32(2).guid(some_activity);
    EXPECT_EQ(
        ext_of({{ItemType::instance_info, instance.view()}}),
        R"({"ext":{"instance_info":{"instance_id":1,"parent_instance_id":2,"parent_guid":"7e57ab1e-0000-4000-8000-0000000000aa"}}})"
        "\n");
}

TEST(JsonLines, ShowsUnknownAndMisshapenItemsAsBytes) {
    const std::byte bytes[] = {std::byte{1}, std::byte{0xFF}, std::byte{3}};
    EXPECT_EQ(ext_of({{static_cast<ItemType>(99), bytes}}), "{\"ext\":{\"type_99\":\"01ff03\"}}\n");
    for (const ItemType type :
         {ItemType::related_activity_id, ItemType::sid, ItemType::terminal_session_id,
          ItemType::instance_info, ItemType::pebs_index, ItemType::pmc_counters, ItemType::psm_key,
          ItemType::event_key, ItemType::process_start_key, ItemType::control_guid,
          ItemType::qpc_delta, ItemType::stack_key32}) {
        EXPECT_EQ(ext_of({{type, bytes}}), "{\"ext\":{\"type_" +
                                               std::to_string(static_cast<int>(type)) +
                                               "\":\"01ff03\"}}\n");
    }
    EXPECT_EQ(ext_of({{ItemType::container_id, bytes}}),
              "{\"ext\":{\"container_id\":\"01ff03\"}}\n");
    EXPECT_EQ(ext_of({{ItemType::stack_trace64, bytes}}), "{\"stack\":[]}\n");
}

TEST(JsonLines, ShowsCountersAndInstances) {
    const std::uint64_t values[] = {5, 6};
    const auto counted = event_of(
        format::PerfinfoRecord{.hook_id = 0x0F2E, .counters = {.pebs_index = 4, .values = values}});
    EXPECT_EQ(json(*counted, {.fields = {"ext"}}), "{\"ext\":{\"pebs_index\":4,\"pmc\":[5,6]}}\n");
    const auto instance = event_of(format::InstanceRecord{
        .instance_id = 7, .parent_instance_id = 8, .parent_class = some_activity});
    EXPECT_THAT(json(*instance, {.fields = {"ext"}}),
                HasSubstr(R"("instance_info":{"instance_id":7,"parent_instance_id":8,)"));
    const auto message = event_of(format::MessageRecord{.number = 1, .sequence = 9});
    EXPECT_EQ(json(*message, {.fields = {"ext"}}), "{\"ext\":{\"sequence\":9}}\n");
}

TEST(JsonLines, SpellsOutTraceLoggingFieldsForThoseWhoWriteThemAgain) {
    TraceLoggingEvent event("Brewing");
    event.u16("Cups", 3);
    event.field({.name = "Letter", .in = tl_in::u16, .out = tl_out::string}).payload().u16('x');
    event.fixed_array({.name = "F", .in = tl_in::u8, .tag = 5}, 2).payload().u8(1).u8(2);
    event.variable_array({.name = "V", .in = tl_in::u8}).payload().u16(0);
    event.structure("S", 1).boolean("B", true);
    const auto metadata = event.metadata();
    const ExtendedItem items[] = {{ItemType::event_schema_tl, metadata}};
    auto record = brewing_record(event.payload_bytes());
    record.items = items;
    EXPECT_EQ(
        json(*event_of(record), {.raw = true, .fields = {"data", "fields"}}),
        R"({"data":{"Cups":3,"Letter":"x","F":[1,2],"V":[],"S":{"B":true}},"fields":[["Cups",6,0,"one"],["Letter",6,2,"one"],)"
        R"(["F",4,0,2,5],["V",4,0,"variable"],["S",24,1,"one"],["B",13,0,"one"]]})"
        "\n");
}

TEST(JsonLines, SpellsOutTagsAndDescriptionsOfTypes) {
    TraceLoggingEvent event("Brewing", 1U << 21U);
    event.custom({.name = "C", .in = tl_in::u8}, std::vector(2, std::byte{0xAB})).payload().u16(0);
    event.custom({.name = "D", .in = tl_in::u8, .tag = 7}, {}).payload().u16(0);
    const auto metadata = event.metadata();
    const ExtendedItem items[] = {{ItemType::event_schema_tl, metadata}};
    auto record = brewing_record(event.payload_bytes());
    record.items = items;
    EXPECT_EQ(
        json(*event_of(record), {.raw = true, .fields = {"event_tags", "fields"}}),
        R"({"event_tags":2097152,"fields":[["C",4,0,"custom",0,"abab"],["D",4,0,"custom",7]]})"
        "\n");
}

TEST(JsonLines, WritesTheLogFileHeader) {
    format::LogfileHeader header;
    header.buffer_size = 65536;
    header.log_file_mode = 0x10001;
    header.start_time = tea_time;
    header.session_name = u"Signal Box";
    header.log_file_name = u"C:\\a.etl";
    header.time_zone.bias = -60;
    header.time_zone.standard_name = u"Tea Time";
    const auto payload = format::encode_logfile_header(header, 8);
    const auto one =
        event_of(format::SystemRecord{.version = 2, .time = tea_time, .payload = payload});
    const std::string line = json(*one);
    EXPECT_THAT(
        line,
        HasSubstr(
            R"("provider":"MSNT_SystemTrace","provider_guid":"68fdd900-4a3e-11d1-84f4-0000f80464e3")"));
    EXPECT_THAT(
        line,
        HasSubstr(R"("event":"EventTrace/Header","source":"mof","data":{"BufferSize":65536,)"));
    EXPECT_THAT(line, HasSubstr(R"("LogFileMode":"0x10001")"));
    EXPECT_THAT(line, HasSubstr(R"("StartTime":"2024-05-17T06:00:00.1234567Z")"));
    EXPECT_THAT(
        line,
        HasSubstr(
            R"("SessionName":"Signal Box","LogFileName":"C:\\a.etl","TimeZone":{"Bias":-60,)"
            R"("StandardName":"Tea Time","StandardBias":0,"DaylightName":"","DaylightBias":0}}})"));
    const auto cut = event_of(
        format::SystemRecord{.version = 2, .time = tea_time, .payload = Bytes(payload).first(20)});
    EXPECT_THAT(json(*cut), HasSubstr(R"("decode_error":"the log file header is cut short"})"));
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
} // namespace etl
