#include "sink/tracerpt_csv.hpp"
#include "tests/unit/outputs/sink/sink_events.hpp"

#include <gtest/gtest.h>

namespace etl::tracerpt_csv_test {
namespace {

using namespace test;

/// Without the blanks that pad the cells.
std::string trimmed(std::string_view row) {
    std::string text;
    for (const char c : row) {
        if (c != ' ' || (!text.empty() && text.back() != ' ' && text.back() != ',')) {
            text.push_back(c);
        }
    }
    return text;
}

std::string row_of(const OneEvent& event, std::shared_ptr<const schema::SchemaStore> store,
                   sink::TracerptCsvOptions csv = {}) {
    sink::TracerptCsv encoder({.schemas = std::move(store)}, csv);
    return trimmed(encode(encoder, event));
}

TEST(TracerptCsv, HasTheColumnsOfTracerpt) {
    const sink::TracerptCsv encoder({}, {});
    EXPECT_EQ(trimmed(encoder.head()),
              "Event Name,Type,Event ID,Version,Channel,Level,Opcode,Task,Keyword,PID,TID,"
              "Processor Number,Instance ID,Parent Instance ID,Activity ID,Related Activity ID,"
              "Clock-Time,Kernel(ms),User(ms),User Data\r\n");
}

TEST(TracerptCsv, WritesHeaderAndValues) {
    const auto payload = brewing_payload(u"green \"tea\"");
    const auto event = event_of(brewing_record(payload));
    EXPECT_EQ(row_of(*event, store_with({brewing()})),
              "Tea-House,Start,1,0,0,4,1,7,0x0000000000000005,0x00001092,0x00000011,0,,,"
              "{00000000-0000-0000-0000-000000000000},,"
              "133603992001234567,0,0,3,\"green \"\"tea\"\"\",93.5\r\n");
}

TEST(TracerptCsv, WritesHexadecimalDigitsOfPayloadsThatAreNotDecoded) {
    const auto payload = brewing_payload();
    const auto event = event_of(brewing_record(Bytes(payload).first(6)));
    EXPECT_TRUE(row_of(*event, nullptr).ends_with(",0,0,0x030000006D00\r\n"));
    EXPECT_TRUE(row_of(*event, store_with({brewing()}), {.accept_short_payloads = true})
                    .ends_with(",0,0,3,\"m\"\r\n"));
}

TEST(TracerptCsv, WritesMessages) {
    const auto payload = kettle_payload();
    const auto event = event_of(format::MessageRecord{
        .number = 9, .guid = tea_house, .time = tea_time, .payload = payload});
    const std::string row = row_of(*event, store_with({kettle_message()}));
    EXPECT_TRUE(row.starts_with("kettle,Kettle_c12,9,")) << row;
    EXPECT_NE(row.find(",\"Boil: a kind of tea"), row.npos) << row;
}

TEST(TracerptCsv, ConvertsTicksOfTheTimer) {
    flow::TraceInfo trace;
    EXPECT_EQ(sink::milliseconds_of(trace, 3), 3U);
    trace.header.timer_resolution = 156'250;
    EXPECT_EQ(sink::milliseconds_of(trace, 3), 46U);
}

} // namespace
} // namespace etl::tracerpt_csv_test
