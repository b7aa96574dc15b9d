#include <etl/sink/csv.hpp>

#include "tests/unit/sink/sink_events.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl {
namespace {

using namespace test;
using schema::InType;
using testing::EndsWith;
using testing::HasSubstr;

constexpr sink::CsvOptions csv_style{};
constexpr sink::CsvOptions tsv_style{.style = sink::CsvOptions::Style::tsv};
constexpr sink::CsvOptions wide_style{.wide = true};

std::string row(const OneEvent& one, sink::Options options, sink::CsvOptions style) {
    sink::Csv rows(std::move(options), style);
    return encode(rows, one);
}

TEST(Csv, BeginsWithTheNamesOfTheColumns) {
    EXPECT_EQ(sink::Csv({}, csv_style).head(),
              "time,cpu,pid,tid,provider,provider_guid,id,version,channel,level,opcode,task,"
              "keyword,event,task_name,opcode_name,"
              "level_name,channel_name,keywords,activity_id,related_activity_id,source,data,"
              "trailing,short,stack,ext,payload,"
              "decode_error,decode_note\r\n");
    EXPECT_THAT(std::string(sink::Csv({.raw = true, .message = true}, csv_style).head()),
                HasSubstr(",short,message,stack,ext,payload,decode_error,decode_note,raw_time,"
                          "header,buffer,offset,flags,"));
    EXPECT_EQ(sink::Csv({.fields = {"id", "Kind"}}, tsv_style).head(), "id\tdata\n");
    EXPECT_EQ(sink::Csv({.fields = {"data", "id"}}, wide_style).head(), "id,data\r\n");
}

TEST(Csv, WritesOneRowPerEventWithDataAsJson) {
    const auto payload = brewing_payload(u"mint, \"fresh\"");
    EXPECT_EQ(
        row(*event_of(brewing_record(payload)), {.schemas = store_with({brewing()})}, csv_style),
        "2024-05-17T06:00:00.1234567Z,0,4242,17,Tea-House,7e57ab1e-0000-4000-8000-00000000cafe,1,0,"
        "0,4,1,7,0x5,Brewing/Start,"
        "Brewing,Start,Information,,Hot;Cold,,,manifest,"
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

TEST(Csv, EscapesTabsAndLineEndsInTsv) {
    const auto payload = brewing_payload(u"a\tb\n\\");
    EXPECT_EQ(
        row(*event_of(brewing_record(payload)),
            {.schemas = store_with({brewing()}), .message = true, .fields = {"message", "id"}},
            tsv_style),
        "1\t3 cups of a\\tb\\n\\\\\\n\n");
}

TEST(Csv, PutsFieldsInColumnsOfTheirOwnWhenWide) {
    const auto payload = brewing_payload(u"mint, fresh");
    EXPECT_EQ(row(*event_of(brewing_record(payload)),
                  {.schemas = store_with({brewing()}), .fields = {"id", "data"}}, wide_style),
              "1,Cups=3,\"Kind=\"\"mint, fresh\"\"\",Temperature=93.5\r\n");
}

TEST(Csv, BeginsWithAFieldWhenNothingElseIsAskedFor) {
    const auto payload = brewing_payload();
    EXPECT_EQ(row(*event_of(brewing_record(payload)),
                  {.schemas = store_with({brewing()}), .fields = {"Cups", "Kind"}}, wide_style),
              "Cups=3,Kind=mint\r\n");
}

TEST(Csv, TellsWhatIsWrong) {
    auto schema = brewing();
    schema.fields[1] = tea_field("Kind", InType::sid);
    const std::byte payload[] = {std::byte{1}, std::byte{0}, std::byte{0}, std::byte{0},
                                 std::byte{9}, std::byte{9}, std::byte{9}, std::byte{9},
                                 std::byte{9}, std::byte{9}, std::byte{9}, std::byte{9}};
    sink::Csv rows({.schemas = store_with({schema}),
                    .fields = {"trailing", "short", "payload", "decode_error"}},
                   csv_style);
    EXPECT_EQ(encode(rows, *event_of(brewing_record(payload))),
              ",,010000000909090909090909,Kind: not a SID\r\n");
    EXPECT_EQ(rows.decode_counts().errors, 1U);
    const auto short_one = event_of(brewing_record(Bytes(payload).first(5)));
    EXPECT_EQ(encode(rows, *short_one), "09,true,,\r\n");
}

} // namespace
} // namespace etl
