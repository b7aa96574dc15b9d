#include "sink/text.hpp"
#include "tests/unit/outputs/sink/sink_events.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::text_test {
namespace {

using namespace test;
using schema::InType;
using schema::OutType;
using testing::EndsWith;
using testing::HasSubstr;

std::string text(const OneEvent& one, sink::Options options = {},
                 sink::TextOptions text_options = {}) {
    sink::Text lines(std::move(options), text_options);
    return encode(lines, one);
}

TEST(Text, WritesOneLineForPeople) {
    const auto payload = brewing_payload(u"mint & honey");
    const auto one = event_of(brewing_record(payload));
    EXPECT_EQ(text(*one, {.schemas = store_with({brewing()}), .message = true}),
              "2024-05-17T06:00:00.1234567Z [0]   4242.17       Tea-House Brewing/Start Cups=3 "
              "Kind=\"mint "
              "& honey\" Temperature=93.5"
              " : \"3 cups of mint & honey\\n\"\n");
}

TEST(Text, NamesTheLevelOnlyWhenItIsBad) {
    auto record = brewing_record({});
    record.descriptor.level = 2;
    EXPECT_THAT(text(*event_of(record)), HasSubstr(" EventID(1) Error payload="));
    record.descriptor.level = 5;
    EXPECT_THAT(text(*event_of(record)), HasSubstr(" EventID(1) payload="));
}

TEST(Text, ColoursByLevelWhenAsked) {
    auto record = brewing_record({});
    record.descriptor.level = 2;
    const std::string line = text(*event_of(record), {}, {.color = true});
    EXPECT_EQ(line.substr(0, 5), "\x1b[31m");
    EXPECT_THAT(line, EndsWith("\x1b[0m\n"));
    record.descriptor.level = 4;
    EXPECT_EQ(text(*event_of(record), {}, {.color = true}).find('\x1b'), std::string::npos);
}

TEST(Text, BeginsWithWhatAllLinesShare) {
    EXPECT_EQ(sink::Text({}, {}).head(), "");
    const sink::TextOptions with_head{.head = true};
    EXPECT_EQ(sink::Text({}, with_head).head(),
              "time (UTC)                  cpu   pid.tid       provider event data\n");
    auto one = event_of(brewing_record({}));
    one->trace.name = "a\x1b.etl";
    one->trace.file = 3;
    const auto origins = std::make_shared<const facts::Origins>(
        std::array{&std::as_const(one->trace)}, facts::OriginCollector());
    const sink::Options options{
        .origins = origins, .show_origins = true, .utc_offset_minutes = 5 * 60 + 45};
    sink::Text lines(options, with_head);
    EXPECT_EQ(lines.head(), "#1 is a\\x1b.etl\n"
                            "time (UTC+05:45)            trace cpu   pid.tid       provider event "
                            "data\n");
    EXPECT_THAT(encode(lines, *one),
                testing::StartsWith("2024-05-17 11:45:00.1234567 #1    [0]   4242.17       {"));
    EXPECT_THAT(text(*one, options),
                testing::StartsWith("2024-05-17T11:45:00.1234567+05:45 #1    [0]   4242.17  "));
}

TEST(Text, IsWholeUnlessATerminalCutsIt) {
    const std::vector<std::byte> bytes(40, std::byte{0xAB});
    const auto raw = event_of(brewing_record(bytes));
    EXPECT_THAT(text(*raw), HasSubstr("} EventID(1) payload=" + []() {
                    std::string all;
                    for (int i = 0; i < 40; ++i) {
                        all += "ab";
                    }
                    return all + "\n";
                }()));
    const auto has_truncated = std::make_shared<std::atomic<bool>>(false);
    const sink::TextOptions narrow{.max_value_bytes = 10, .has_truncated = has_truncated};
    const auto payload = brewing_payload(u"mint");
    const sink::Options options{.schemas = store_with({brewing()})};
    EXPECT_THAT(text(*event_of(brewing_record(payload)), options, narrow),
                EndsWith(" Cups=3 Kind=mint Temperature=93.5\n"));
    EXPECT_FALSE(*has_truncated);
    EXPECT_THAT(text(*raw, {}, narrow), EndsWith(" payload=ababababab\u2026(40 bytes)\n"));
    EXPECT_TRUE(*has_truncated);
    const auto long_payload = brewing_payload(u"mint\u8336\u8336\u8336!");
    EXPECT_THAT(text(*event_of(brewing_record(long_payload)), options, narrow),
                HasSubstr(" Kind=mint\u8336\u8336\u2026 Temperature"));
}

TEST(Text, LetsNoControlCharacterThrough) {
    std::u16string nasty = u"a\x1b[31m\n\x9b";
    const auto payload = brewing_payload(nasty);
    auto schema = brewing();
    schema.fields[0].name = "Cups\n";
    schema.event_name = "Brew\ting";
    const std::string line =
        text(*event_of(brewing_record(payload)), {.schemas = store_with({schema})});
    EXPECT_THAT(line, HasSubstr("\"Brew\\ting\" Cups\\n=3"));
    EXPECT_THAT(line, HasSubstr("Kind=\"a\\x1b[31m\\n\\x9b\""));
    EXPECT_EQ(line.find('\n'), line.size() - 1);
}

TEST(Text, ShowsArraysAndStructures) {
    auto schema = brewing();
    schema.fields = {tea_field("L", InType::structure), tea_field("K", InType::uint8),
                     tea_field("T", InType::ansi_string),
                     tea_field("H", InType::uint8, OutType::no_print),
                     tea_field("X", InType::hex_int32)};
    schema.fields[0].members = 2;
    schema.fields[0].count = {schema::Extent::Kind::fixed, 2};
    ByteWriter payload;
    payload.u8(1).zero_terminated8("a,b").u8(2).zero_terminated8("").u8(9).u32(0xAB).u8(0);
    EXPECT_THAT(text(*event_of(brewing_record(payload.view())), {.schemas = store_with({schema})}),
                EndsWith(" L=[{K=1, T=\"a,b\"}, {K=2, T=\"\"}] X=0xAB (1 more byte)\n"));
}

TEST(Text, TellsWhatIsWrong) {
    auto schema = brewing();
    schema.fields[1] = tea_field("Kind", InType::counted_binary);
    const auto payload = brewing_payload();
    sink::Text lines({.schemas = store_with({schema})}, {});
    EXPECT_THAT(encode(lines, *event_of(brewing_record(payload))),
                EndsWith(" Cups=3 payload=030000006d0069006e00740000000000bb42 "
                         "!\"Kind: length exceeds the payload\"\n"));
    EXPECT_EQ(lines.decode_counts().errors, 1U);
    EXPECT_THAT(text(*event_of(brewing_record(Bytes(payload).first(4))),
                     {.schemas = store_with({brewing()})}),
                EndsWith(" Cups=3 (short)\n"));
}

TEST(Text, TellsWhereTheRecordLiesWithRaw) {
    const auto payload = brewing_payload();
    EXPECT_THAT(
        text(*event_of(brewing_record(payload)), {.schemas = store_with({brewing()}), .raw = true}),
        EndsWith("bb42 EVENT64@0+0\n"));
}

TEST(Text, CopesWithRecordsThatStoreNothing) {
    EXPECT_EQ(text(*event_of(format::MessageRecord{.number = 12})),
              "-                            [0]   -.-           "
              "{00000000-0000-0000-0000-000000000000} Message(12) payload=\n");
}

} // namespace
} // namespace etl::text_test
