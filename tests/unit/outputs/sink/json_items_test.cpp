// Extended items, types spelled out and the header of the log, as JSON.
#include "format/records.hpp"
#include "sink/json.hpp"
#include "tests/unit/outputs/sink/json_lines.hpp"
#include "tests/unit/outputs/sink/sink_events.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::json_items_test {
namespace {

using namespace test;
using format::ExtendedItem;
using format::ItemType;
using testing::HasSubstr;

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
    EXPECT_THAT(json(*cut), HasSubstr(R"("decode_error":"the log file header is truncated"})"));
}

} // namespace
} // namespace etl::json_items_test
