#include <etl/eventlog/convert.hpp>
#include <etl/flow/context.hpp>
#include <etl/sink/event_log.hpp>
#include <etl/sink/json.hpp>
#include <etl/trace/reader.hpp>

#include "tests/support/eventlogs/event_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace etl;
using namespace etl::test;
using evtx::ValueType;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

namespace {

std::shared_ptr<const io::InputFile> in_memory_log(std::vector<std::byte> bytes) {
    return io::InputFile::from_memory(std::move(bytes), "sample.evtx");
}

std::vector<std::byte> log_of(std::vector<SampleEvent> samples) {
    SampleLog log;
    for (SampleEvent& sample : samples) {
        if (!log.add(sample.event())) {
            throw std::logic_error("sample log");
        }
    }
    return log.finish();
}

/// The events of a trace as JSON with these keys, without the log file header.
std::vector<std::string> json_of(const io::InputFile& log, std::vector<std::string> keys) {
    const auto converted = eventlog::convert(log);
    if (!converted) {
        throw std::logic_error(describe(converted.error()));
    }
    auto reader = trace::Reader::open(converted->trace);
    if (!reader) {
        throw std::logic_error(describe(reader.error()));
    }
    sink::JsonLines lines({.fields = std::move(keys)});
    std::vector<std::string> texts;
    flow::EventCursor events(**reader);
    while (const flow::Event* event = events.next()) {
        if (!flow::is_logfile_header(*event)) {
            lines.encode(*event, texts.emplace_back());
        }
    }
    return texts;
}

SampleEvent sample_event() {
    SampleEvent sample;
    sample.text("Text", u"\u00e4").number("Number", ValueType::uint32, std::uint32_t{7});
    return sample;
}

} // namespace

TEST(EventLogAsATrace, KeepsTheHeader) {
    std::vector<SampleEvent> samples(1, sample_event());
    evtx::Event& event = samples[0].event();
    event.opcode = 3;
    event.task = 9;
    event.keywords = 0x12;
    event.processor = 2;
    event.activity = parse_guid("11111111-2222-3333-4444-555555555555");
    event.payload_name = "Named";
    const auto log = in_memory_log(log_of(std::move(samples)));
    EXPECT_THAT(
        json_of(*log, {"time", "cpu", "pid", "tid", "provider", "provider_guid", "id", "version",
                       "level", "opcode", "task", "keyword", "event", "activity_id"}),
        ElementsAre(R"({"time":"2022-06-18T04:26:40.0000000Z","cpu":2,"pid":4,"tid":8,)"
                    R"("provider":"Made-Up-Provider",)"
                    R"("provider_guid":"5a1b0a11-0b0c-4d0e-8f10-112233445566","id":7,)"
                    R"("version":1,"level":4,"opcode":3,"task":9,"keyword":"0x12",)"
                    R"("event":"Named",)"
                    R"("activity_id":"11111111-2222-3333-4444-555555555555"})"
                    "\n"));
}

TEST(EventLogAsATrace, KeepsFieldsAndOrigin) {
    SampleEvent sample = sample_event();
    sample.array("Numbers", ValueType::uint16, ByteWriter().u16(1).u16(2));
    sample.array("Texts", ValueType::string, ByteWriter().text16(u"a").u16(0).text16(u"b").u16(0));
    sample.bytes("Blob", ValueType::binary, ByteWriter().u8(0xAB));
    sample.text("", u"unnamed").text("", u"again");
    std::vector<SampleEvent> samples;
    samples.push_back(std::move(sample));
    const auto log = in_memory_log(log_of(std::move(samples)));
    EXPECT_THAT(json_of(*log, {"data"}),
                ElementsAre(R"({"data":{"Text":")"
                            "\u00e4"
                            R"(","Number":7,"Numbers":[1,2],"Texts":["a","b"],"Blob":"ab",)"
                            R"("param1":"unnamed","param2":"again",)"
                            R"("System":{"EventRecordID":1,"Channel":"Made-Up/Operational",)"
                            R"("Computer":"machine.example","UserID":""}}})"
                            "\n"));
}

TEST(EventLogAsATrace, ReportsDamagedRecords) {
    std::vector<SampleEvent> samples;
    samples.push_back(sample_event());
    samples.push_back(sample_event());
    auto bytes = log_of(std::move(samples));
    bytes[evtx::block_size + evtx::chunk_header_size + evtx::record_header_size] =
        std::byte{0x04}; // the end of an element that was not opened
    DiagnosticList findings;
    const auto converted =
        eventlog::convert(*in_memory_log(std::move(bytes)), {.diagnostics = &findings});
    ASSERT_TRUE(converted);
    EXPECT_EQ(converted->counts.records, 2U);
    EXPECT_EQ(converted->undecodable, 1U);
    ASSERT_THAT(findings.list(), SizeIs(2)); // the checksum, and the record
    EXPECT_STREQ(findings.list()[1].what, "a record with damaged XML");
}

TEST(EventLogAsATrace, AcceptsALogWithoutRecords) {
    const auto log = in_memory_log(SampleLog().finish());
    EXPECT_THAT(json_of(*log, {"data"}), IsEmpty());
}

TEST(EventLogAsATrace, RefusesOtherFiles) {
    const auto converted = eventlog::convert(*in_memory_log({std::byte{1}}));
    ASSERT_FALSE(converted);
    EXPECT_EQ(converted.error().code, ErrorCode::not_a_trace);
}

// A log that is read as a trace and written again has the same values.
TEST(EventLogAsATrace, CanBeWrittenAgain) {
    std::vector<SampleEvent> samples;
    samples.push_back(sample_event());
    const auto log = in_memory_log(log_of(std::move(samples)));
    const auto converted = eventlog::convert(*log);
    ASSERT_TRUE(converted);
    auto reader = trace::Reader::open(converted->trace);
    ASSERT_TRUE(reader);
    sink::EventLog encoder({}, {.computer = "other.example"});
    StringOutput file;
    evtx::PackedEvents packed(file);
    flow::EventCursor events(**reader);
    std::string text;
    while (const flow::Event* event = events.next()) {
        if (!flow::is_logfile_header(*event)) {
            encoder.encode(*event, text);
        }
    }
    for (const char c : text) { // divided anywhere
        ASSERT_TRUE(packed.write({&c, 1}));
    }
    const auto head = packed.finish();
    ASSERT_TRUE(head);
    EXPECT_EQ(packed.counts().records, 1U);
    const ReadLog read = read_log(std::as_bytes(std::span(file.text())));
    ASSERT_THAT(read.fields, SizeIs(1));
    EXPECT_THAT(read.fields[0],
                ElementsAre("Text=\u00e4", "Number=7", "EventRecordID=1",
                            "Channel=Made-Up/Operational", "Computer=machine.example", "UserID="));
}
