#include "eventlog/convert.hpp"
#include "flow/context.hpp"
#include "sink/event_log.hpp"
#include "sink/event_xml.hpp"
#include "sink/json.hpp"
#include "tests/support/eventlogs/event_samples.hpp"
#include "trace/reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

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
    std::vector<SampleEvent> samples;
    samples.push_back(sample_event());
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

TEST(EventLogAsATrace, KeepsFields) {
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
                            R"("param1":"unnamed","param2":"again"}})"
                            "\n"));
}

// Channel, computer, user, and number of the record are keys, not fields.
TEST(EventLogAsATrace, HasKeysForItsOrigin) {
    constexpr std::array local_system{std::byte{1},  std::byte{1}, std::byte{0}, std::byte{0},
                                      std::byte{0},  std::byte{0}, std::byte{0}, std::byte{5},
                                      std::byte{18}, std::byte{0}, std::byte{0}, std::byte{0}};
    std::vector<SampleEvent> samples;
    samples.push_back(sample_event());
    samples[0].event().user_sid = local_system;
    samples[0].event().qualifiers = 0x8000;
    samples[0].event().record_id = 4711;
    samples[0].event().session = 1;
    const auto log = in_memory_log(log_of(std::move(samples)));
    EXPECT_THAT(json_of(*log, {"channel", "channel_name", "qualifiers", "computer", "user",
                               "record_id", "ext"}),
                ElementsAre(R"({"channel":0,"channel_name":"Made-Up/Operational",)"
                            R"("qualifiers":32768,"computer":"machine.example",)"
                            R"("user":"S-1-5-18","record_id":4711,"ext":{"session_id":1}})"
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

namespace {
/// A log that was read as a trace and written again.
std::vector<std::byte> written_again(const io::InputFile& log, sink::EventLogOptions options = {}) {
    const auto converted = eventlog::convert(log);
    if (!converted) {
        throw std::logic_error(describe(converted.error()));
    }
    auto reader = trace::Reader::open(converted->trace);
    if (!reader) {
        throw std::logic_error(describe(reader.error()));
    }
    sink::EventLog encoder({}, std::move(options));
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
        if (!packed.write({&c, 1})) {
            throw std::logic_error("packed events");
        }
    }
    const auto head = packed.finish();
    if (!head) {
        throw std::logic_error(describe(head.error()));
    }
    const Bytes bytes = std::as_bytes(std::span(file.text()));
    std::vector<std::byte> result(bytes.begin(), bytes.end());
    std::ranges::copy(*head, result.begin());
    return result;
}

/// The events of a log as XML.
std::string xml_of(const io::InputFile& log) {
    const auto converted = eventlog::convert(log);
    if (!converted) {
        throw std::logic_error(describe(converted.error()));
    }
    auto reader = trace::Reader::open(converted->trace);
    if (!reader) {
        throw std::logic_error(describe(reader.error()));
    }
    sink::EventXml xml({}, {.root = ""});
    flow::EventCursor events(**reader);
    std::string text;
    while (const flow::Event* event = events.next()) {
        if (!flow::is_logfile_header(*event)) {
            xml.encode(*event, text);
        }
    }
    return text;
}

/// The only event of a log. `use` reads it.
template <typename Use>
void with_event(const std::vector<std::byte>& log, Use use) {
    auto reader = evtx::Reader::open(log);
    evtx::Record record;
    evtx::EventReader events;
    ASSERT_TRUE(reader && reader->next(record));
    const auto event = events.read(record);
    ASSERT_TRUE(event);
    use(**event, record);
}

} // namespace

TEST(EventLogAsATrace, CanBeWrittenAgain) {
    SampleEvent sample = sample_event();
    sample.text("", u"unnamed");
    std::vector<SampleEvent> samples;
    samples.push_back(std::move(sample));
    samples[0].event().qualifiers = 7;
    samples[0].event().event_source = "Source";
    samples[0].event().record_id = 4711;
    const auto log = in_memory_log(log_of(std::move(samples)));
    with_event(written_again(*log), [](const evtx::Event& event, const evtx::Record& record) {
        EXPECT_THAT(lines_of(event), ElementsAre("Text=\u00e4", "Number=7", "=unnamed"));
        EXPECT_EQ(event.channel, "Made-Up/Operational");
        EXPECT_EQ(event.computer, "machine.example");
        EXPECT_EQ(event.event_source, "Source");
        EXPECT_EQ(event.qualifiers, 7);
        EXPECT_EQ(event.record_id, 4711U);
        EXPECT_EQ(record.id, 4711U);
    });
    with_event(written_again(*log, {.computer = "other.example"}),
               [](const evtx::Event& event, const evtx::Record&) {
                   EXPECT_EQ(event.computer, "other.example");
               });
}

// <UserData><Root xmlns='urn:made-up' Kind='k'><Block Id='7'>text<Inner>i</Inner></Block></Root>
TEST(EventLogAsATrace, KeepsTheElementsOfUserData) {
    SampleEvent sample;
    sample.text("xmlns", u"urn:made-up").text("Kind", u"k").structure("Block");
    sample.text("Id", u"7", 1).text("", u"text", 1).text("Inner", u"i", 1);
    sample.text("Last", u"l");
    for (const std::size_t attribute : {0U, 1U, 3U}) {
        sample.field(attribute).is_attribute = true;
    }
    std::vector<SampleEvent> samples;
    samples.push_back(std::move(sample));
    samples[0].event().payload = evtx::PayloadKind::user_data;
    samples[0].event().payload_name = "Root";
    const auto log = in_memory_log(log_of(std::move(samples)));
    EXPECT_THAT(json_of(*log, {"event", "data"}),
                ElementsAre(R"({"event":"Root","data":{"Kind":"k",)"
                            R"("Block":{"Id":"7","param1":"text","Inner":"i"},"Last":"l"}})"
                            "\n"));
    with_event(written_again(*log), [](const evtx::Event& event, const evtx::Record&) {
        EXPECT_EQ(event.payload, evtx::PayloadKind::user_data);
        EXPECT_EQ(event.payload_name, "Root");
        EXPECT_THAT(lines_of(event), ElementsAre("xmlns=urn:made-up", "Kind=k", "Block{", " Id=7",
                                                 " =text", " Inner=i", "Last=l"));
        EXPECT_TRUE(event.fields[0].is_attribute && event.fields[3].is_attribute);
        EXPECT_FALSE(event.fields[4].is_attribute);
    });
}

TEST(EventLogAsATrace, KeepsTheElementsOfUserDataAsXml) {
    SampleEvent sample;
    sample.text("xmlns", u"urn:made-up").structure("Block").text("Id", u"'<", 1);
    sample.text("Inner", u"i", 1);
    sample.field(0).is_attribute = sample.field(2).is_attribute = true;
    std::vector<SampleEvent> samples;
    samples.push_back(std::move(sample));
    samples[0].event().payload = evtx::PayloadKind::user_data;
    samples[0].event().payload_name = "Root";
    const auto log = in_memory_log(log_of(std::move(samples)));
    const std::string text = xml_of(*log);
    EXPECT_THAT(text, testing::HasSubstr("<UserData><Root xmlns='urn:made-up'>"
                                         "<Block Id='&apos;&lt;'><Inner>i</Inner></Block>"
                                         "</Root></UserData></Event>"));
    EXPECT_THAT(text, testing::HasSubstr("<EventRecordID>1</EventRecordID>"));
    EXPECT_THAT(text, testing::HasSubstr("<Channel>Made-Up/Operational</Channel>"
                                         "<Computer>machine.example</Computer>"));
}

// <UserData><t:Root xmlns:t='urn:t' xmlns='urn:r'><Cup xmlns='urn:c'>mug</Cup><t:Pot k='v'
// xmlns='urn:p'> <Lid/><Empty xmlns=''/></t:Pot><Last>l</Last></t:Root></UserData>
TEST(EventLogAsATrace, KeepsNamespaces) {
    SampleEvent sample;
    sample.text("xmlns:t", u"urn:t").text("xmlns", u"urn:r");
    sample.structure("Cup").text("xmlns", u"urn:c", 1).text("", u"mug", 1);
    sample.structure("t:Pot").text("k", u"v", 1).text("xmlns", u"urn:p", 1).text("Lid", u"", 1);
    sample.structure("Empty", 1).text("xmlns", u"", 2).text("Last", u"l");
    for (const std::size_t attribute : {0U, 1U, 3U, 6U, 7U, 10U}) {
        sample.field(attribute).is_attribute = true;
    }
    std::vector<SampleEvent> samples;
    samples.push_back(std::move(sample));
    samples[0].event().payload = evtx::PayloadKind::user_data;
    samples[0].event().payload_name = "t:Root";
    const auto log = in_memory_log(log_of(std::move(samples)));
    EXPECT_THAT(json_of(*log, {"event", "data"}),
                ElementsAre(R"({"event":"t:Root","data":{"Cup":"mug",)"
                            R"("t:Pot":{"k":"v","Lid":"","Empty":""},"Last":"l"}})"
                            "\n"));
    EXPECT_THAT(xml_of(*log),
                testing::HasSubstr("<UserData><t:Root xmlns:t='urn:t' xmlns='urn:r'>"
                                   "<Cup xmlns='urn:c'>mug</Cup><t:Pot xmlns='urn:p' k='v'>"
                                   "<Lid></Lid><Empty xmlns=''></Empty></t:Pot><Last>l</Last>"
                                   "</t:Root></UserData></Event>"));
    with_event(written_again(*log), [](const evtx::Event& event, const evtx::Record&) {
        EXPECT_EQ(event.payload_name, "t:Root");
        EXPECT_THAT(lines_of(event),
                    ElementsAre("xmlns:t=urn:t", "xmlns=urn:r", "Cup{", " xmlns=urn:c", " =mug",
                                "t:Pot{", " xmlns=urn:p", " k=v", " Lid=", " Empty=", "Last=l"));
    });
}

// Metadata cannot express structures of more than 127 members, nor deeper than eight.
TEST(EventLogAsATrace, DissolvesStructuresThatMetadataCannotExpress) {
    SampleEvent sample;
    sample.structure("Outer").structure("Wide", 1);
    for (int i = 0; i < 200; ++i) {
        sample.text("Member", u"m", 2);
    }
    sample.text("After", u"a", 1);
    for (unsigned depth = 0; depth < 12; ++depth) {
        sample.structure("Deep", depth);
    }
    sample.text("Leaf", u"l", 12);
    std::vector<SampleEvent> samples;
    samples.push_back(std::move(sample));
    const auto log = in_memory_log(log_of(std::move(samples)));
    const auto json = json_of(*log, {"data", "decode_error"});
    ASSERT_THAT(json, SizeIs(1));
    EXPECT_THAT(json[0], testing::HasSubstr(R"("After":"a")"));
    EXPECT_THAT(json[0], testing::HasSubstr(R"({"Leaf":"l"})"));
    EXPECT_THAT(json[0], testing::Not(testing::HasSubstr("decode_error")));
}
