#include "sink/csv.hpp"
#include "tests/unit/outputs/sink/sink_events.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::csv_test {
namespace {

using namespace test;
using schema::InType;
using testing::EndsWith;
using testing::HasSubstr;

constexpr sink::CsvOptions csv_style{};
constexpr sink::CsvOptions tsv_style{.style = sink::CsvOptions::Style::tsv};
constexpr sink::CsvOptions excel_style{.byte_order_mark = true};

std::string row(const OneEvent& one, sink::Options options, sink::CsvOptions style) {
    sink::Csv rows(std::move(options), style);
    return encode(rows, one);
}

TEST(Csv, BeginsWithTheNamesOfTheColumns) {
    EXPECT_EQ(
        sink::Csv({}, csv_style).head(),
        "time,cpu,pid,tid,provider,provider_guid,id,version,channel,level,opcode,task,"
        "keyword,event,task_name,opcode_name,"
        "level_name,channel_name,keywords,activity_id,related_activity_id,source,schema_from,data,"
        "trailing,short,stack,ext,payload,"
        "decode_error,decode_note\r\n");
    EXPECT_THAT(std::string(sink::Csv({.raw = true, .message = true}, csv_style).head()),
                HasSubstr(",short,message,stack,ext,payload,decode_error,decode_note,raw_time,"
                          "header,buffer,offset,flags,"));
    EXPECT_EQ(sink::Csv({.fields = {"Kind", "id", "data", "id"}}, tsv_style).head(),
              "Kind\tid\tdata\n");
    EXPECT_EQ(sink::Csv({.fields = {"a,b", "data.id"}}, excel_style).head(),
              "\xEF\xBB\xBF\"a,b\",data.id\r\n");
}

TEST(Csv, WritesOneRowPerEventWithDataAsJson) {
    const auto payload = brewing_payload(u"mint, \"fresh\"");
    EXPECT_EQ(
        row(*event_of(brewing_record(payload)), {.schemas = store_with({brewing()})}, csv_style),
        "2024-05-17T06:00:00.1234567Z,0,4242,17,Tea-House,7e57ab1e-0000-4000-8000-00000000cafe,1,0,"
        "0,4,1,7,0x5,Brewing/Start,"
        "Brewing,Start,Information,,Hot;Cold,,,manifest,,"
        R"("{""Cups"":3,""Kind"":""mint, \""fresh\"""",""Temperature"":93.5}")"
        ",,,,,,,\r\n");
}

TEST(Csv, HasAsManyCellsAsColumns) {
    const auto payload = brewing_payload();
    for (const bool raw : {false, true}) {
        sink::Csv rows({.schemas = store_with({brewing()}), .raw = raw, .message = true},
                       tsv_style);
        const auto tabs = [](std::string_view line) { return std::ranges::count(line, '\t'); };
        EXPECT_EQ(tabs(encode(rows, *event_of(brewing_record(payload)))), tabs(rows.head()));
        EXPECT_EQ(tabs(encode(rows, *event_of(format::PerfinfoRecord{.hook_id = 1}))),
                  tabs(rows.head()));
    }
}

TEST(Csv, RowsDoNotDependOnThoseBefore) {
    const auto plain = brewing_payload();
    auto longer = plain;
    longer.push_back(std::byte{0xAB});
    auto shorter = plain;
    shorter.resize(6);
    const sink::Options options{.schemas = store_with({brewing()})};
    sink::Csv rows(options, csv_style);
    for (const auto& payload : {plain, longer, plain, shorter, plain}) {
        const auto event = event_of(brewing_record(payload));
        EXPECT_EQ(encode(rows, *event), row(*event, options, csv_style));
    }
    EXPECT_THAT(encode(rows, *event_of(brewing_record(longer))), HasSubstr(",ab,"));
    EXPECT_THAT(encode(rows, *event_of(brewing_record(shorter))), HasSubstr(",true,"));
}

TEST(Csv, EscapesTabsAndLineEndsInTsv) {
    const auto payload = brewing_payload(u"a\tb\n\\");
    EXPECT_EQ(
        row(*event_of(brewing_record(payload)),
            {.schemas = store_with({brewing()}), .message = true, .fields = {"message", "id"}},
            tsv_style),
        "3 cups of a\\tb\\n\\\\\\n\t1\n");
}

TEST(Csv, GivesNamedFieldsColumnsInTheOrderAsked) {
    const auto payload = brewing_payload(u"mint, \"fresh\"");
    EXPECT_EQ(row(*event_of(brewing_record(payload)),
                  {.schemas = store_with({brewing()}),
                   .fields = {"Kind", "id", "data.Cups", "Nothing", "provider", "Temperature"}},
                  csv_style),
              "\"mint, \"\"fresh\"\"\",1,3,,Tea-House,93.5\r\n");
    // The whole beside a part; an event that nothing describes.
    EXPECT_EQ(row(*event_of(brewing_record(payload)),
                  {.schemas = store_with({brewing()}), .fields = {"data", "Cups"}}, tsv_style),
              R"({"Cups":3,"Kind":"mint, \\"fresh\\"","Temperature":93.5})"
              "\t3\n");
    EXPECT_EQ(row(*event_of(brewing_record(payload)), {.fields = {"Cups", "id"}}, csv_style),
              ",1\r\n");
}

TEST(Csv, TakesAKeyForTheKeyAndDataDotNameForTheField) {
    auto schema = brewing();
    schema.fields[0].name = "id";
    schema.fields[1].name = "Odd,name";
    const auto payload = brewing_payload(u"line\nend\\\x1");
    EXPECT_EQ(row(*event_of(brewing_record(payload)),
                  {.schemas = store_with({schema}), .fields = {"id", "data.id", "Odd,name"}},
                  csv_style),
              "1,3,\"line\nend\\\x01\"\r\n");
}

/// L: two structures of K and T; A: two numbers; S: a structure of M.
schema::EventSchema nested() {
    auto schema = brewing();
    schema.fields = {tea_field("L", InType::structure),   tea_field("K", InType::uint8),
                     tea_field("T", InType::ansi_string), tea_field("A", InType::uint8),
                     tea_field("S", InType::structure),   tea_field("M", InType::ansi_string)};
    schema.fields[0].members = 2;
    schema.fields[0].count = {schema::Extent::Kind::fixed, 2};
    schema.fields[3].count = {schema::Extent::Kind::fixed, 2};
    schema.fields[4].members = 1;
    return schema;
}

TEST(Csv, WritesArraysAndStructuresAsJson) {
    ByteWriter payload;
    payload.u8(1).zero_terminated8("a,b").u8(2).zero_terminated8("\"").u8(8).u8(9);
    payload.zero_terminated8("in");
    const sink::Options options{.schemas = store_with({nested()}),
                                .fields = {"L", "L.K", "A", "S", "S.M", "L.T", "M"}};
    EXPECT_EQ(row(*event_of(brewing_record(payload.view())), options, tsv_style),
              R"([{"K":1,"T":"a,b"},{"K":2,"T":"\\""}])"
              "\t[1,2]\t[8,9]\t"
              R"({"M":"in"})"
              "\tin\t"
              R"(["a,b","\\""])"
              "\t\n");
}

TEST(Csv, NamesTakeWhatTheyNeed) {
    const auto payload = brewing_payload();
    EXPECT_EQ(row(*event_of(brewing_record(payload)),
                  {.schemas = store_with({brewing()}), .fields = {"message", "header", "process"}},
                  csv_style),
              "\"3 cups of mint\n\",EVENT64,\r\n");
}

TEST(CsvTables, HasATableForEachKindOfEvent) {
    auto other = brewing();
    other.id = 2;
    other.event_name = "Pouring";
    const sink::Options options{.schemas = store_with({brewing(), other})};
    const auto payload = brewing_payload();
    auto record = brewing_record(payload);
    const auto first = event_of(record);
    record.descriptor.id = 2;
    const auto second = event_of(record);
    record.descriptor.id = 3;
    const auto third = event_of(record);
    const std::string guid = to_string(tea_house);
    sink::CsvTables tables(
        options, csv_style,
        {{guid + "|2|0|Pouring", {"id", "Kind"}}, {guid + "|1|0|Brewing/Start", {"Cups"}}});
    EXPECT_EQ(tables.head_of(0), "id,Kind\r\n");
    EXPECT_EQ(tables.head_of(1), "Cups\r\n");
    std::string text = encode(tables, *first) + encode(tables, *third) + encode(tables, *second);
    std::string rows;
    sink::CsvTables::for_each_row(text, [&](std::size_t table, std::string_view row) {
        rows.append(std::to_string(table)).append(": ").append(row);
    });
    EXPECT_EQ(rows, "1: 3\r\n0: 2,mint\r\n");
    EXPECT_FALSE(tables.encode(third->event, text));
}

TEST(Csv, TellsWhatIsWrong) {
    auto schema = brewing();
    schema.fields[1] = tea_field("Kind", InType::counted_binary);
    const std::byte payload[] = {std::byte{1}, std::byte{0}, std::byte{0}, std::byte{0},
                                 std::byte{9}, std::byte{9}, std::byte{9}, std::byte{9},
                                 std::byte{9}, std::byte{9}, std::byte{9}, std::byte{9}};
    sink::Csv rows({.schemas = store_with({schema}),
                    .fields = {"trailing", "short", "payload", "decode_error"}},
                   csv_style);
    EXPECT_EQ(encode(rows, *event_of(brewing_record(payload))),
              ",,010000000909090909090909,Kind: length exceeds the payload\r\n");
    EXPECT_EQ(rows.decode_counts().errors, 1U);
    const auto short_one = event_of(brewing_record(Bytes(payload).first(5)));
    EXPECT_EQ(encode(rows, *short_one), "09,true,,\r\n");
}

} // namespace
} // namespace etl::csv_test
