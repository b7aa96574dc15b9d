#include "sink/json.hpp"
#include "sink/text.hpp"
#include "sink/wpp.hpp"
#include "tests/unit/outputs/sink/sink_events.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::wpp_test {
namespace {

using namespace test;
using testing::HasSubstr;

std::unique_ptr<OneEvent> kettle_event(std::uint16_t number, Bytes payload) {
    return event_of(format::MessageRecord{.number = number,
                                          .guid = tea_house,
                                          .time = tea_time,
                                          .system_info = format::ThreadAndProcess{0x1F, 0xA},
                                          .payload = payload});
}

constexpr std::string_view boiling =
    "Boil: a kind of tea with a name that is long \u8336 at 98.76 \u00B0"
    "C, 05/17/2024-06:00:00.1234567 (a)";

TEST(WppLines, PutThePrefixBeforeTheMessage) {
    sink::WppLines lines({.schemas = store_with({kettle_message()})});
    const auto payload = kettle_payload();
    EXPECT_EQ(encode(lines, *kettle_event(9, payload)),
              "[0]000A.001F::05/17/2024-06:00:00.1234567 [kettle]" + std::string(boiling) + "\n");
    EXPECT_EQ(encode(lines, *kettle_event(8, payload)),
              "Unknown( 8): GUID=7e57ab1e-0000-4000-8000-00000000cafe (No Format Information "
              "found).\n");
    EXPECT_EQ(lines.decode_counts().errors, 0U);
}

TEST(WppLines, TakeAnyPrefixAndZone) {
    sink::WppLines lines({.schemas = store_with({kettle_message()}), .utc_offset_minutes = 345},
                         "%4!s!\t%!FUNC!%n");
    EXPECT_THAT(encode(lines, *kettle_event(9, kettle_payload())),
                HasSubstr("05/17/2024-11:45:00.1234567\\tBoil\\nBoil: "));
    const auto copy = lines.clone();
    EXPECT_THAT(encode(*copy, *kettle_event(9, kettle_payload())), HasSubstr("\\tBoil\\nBoil: "));
}

TEST(WppLines, ShowOtherEventsByMessageOrFields) {
    sink::WppLines lines({.schemas = store_with({brewing()})}, "");
    EXPECT_EQ(encode(lines, *event_of(brewing_record(brewing_payload()))), "3 cups of mint\n");
    schema::EventSchema silent = brewing();
    silent.message.clear();
    sink::WppLines fields({.schemas = store_with({silent})}, "");
    EXPECT_EQ(encode(fields, *event_of(brewing_record(brewing_payload()))),
              "Brewing/Start Cups=3 Kind=mint Temperature=93.5\n");
    sink::WppLines raw({}, "");
    EXPECT_EQ(encode(raw, *event_of(brewing_record(Bytes{}))), "EventID(1) payload=\n");
}

TEST(WppLines, CountWhatContradictsItsFormat) {
    schema::EventSchema counted = kettle_message();
    counted.fields = {tea_field("Kind", schema::InType::counted_ansi_string)};
    counted.message = "%10!s!";
    sink::WppLines lines({.schemas = store_with({counted})}, "");
    EXPECT_EQ(encode(lines, *kettle_event(9, ByteWriter().u16(99).view())),
              "%10!s! !\"Kind: length exceeds the payload\"\n");
    EXPECT_EQ(lines.decode_counts().errors, 1U);
}

TEST(Text, ShowsWppMessagesWithTheirPlace) {
    sink::Text lines({.schemas = store_with({kettle_message()})}, {});
    const std::string expected =
        "2024-05-17T06:00:00.1234567Z [0]   10.31         Tea-House Kettle.c:12 Boil "
        "TRACE_LEVEL_ERROR: " +
        std::string(boiling) + "\n";
    EXPECT_EQ(encode(lines, *kettle_event(9, kettle_payload())), expected);
    sink::Text fields({.schemas = store_with({kettle_message()}), .fields = {"data"}}, {});
    EXPECT_THAT(encode(fields, *kettle_event(9, kettle_payload())), HasSubstr(" Heat=98.76"));
    EXPECT_THAT(encode(lines, *event_of(format::MessageRecord{.number = 4, .component_id = 3})),
                HasSubstr(" Component(3) Message(4) payload="));
}

TEST(JsonLines, ShowsThePlaceOfWppMessages) {
    sink::JsonLines lines({.schemas = store_with({kettle_message()}), .message = true});
    const std::string object = encode(lines, *kettle_event(9, kettle_payload()));
    EXPECT_THAT(object,
                HasSubstr(R"("source":"wpp","wpp":{"component":"kettle","file":"Kettle.c",)"
                          R"("line":12,"function":"Boil","level":"TRACE_LEVEL_ERROR"},"data")"));
    EXPECT_THAT(object, HasSubstr("\"message\":\"" + std::string(boiling) + "\""));
    sink::JsonLines chosen({.schemas = store_with({kettle_message()}), .fields = {"wpp"}});
    EXPECT_THAT(encode(chosen, *kettle_event(9, kettle_payload())),
                testing::StartsWith(R"({"wpp":{"component")"));
}

} // namespace
} // namespace etl::wpp_test
