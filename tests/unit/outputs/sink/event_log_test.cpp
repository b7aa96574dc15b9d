#include "sink/event_log.hpp"
#include "tests/support/eventlogs/event_samples.hpp"
#include "tests/unit/outputs/sink/sink_events.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::event_log_test {
namespace {

using namespace test;
using testing::ElementsAre;

/// What a reader sees of an event that was written to a log: its payload, and lines_of().
std::vector<std::string> logged(const OneEvent& event, const schema::EventSchema& schema) {
    sink::EventLog encoder({.schemas = store_with({schema})}, {});
    StringOutput file;
    evtx::PackedEvents log(file);
    EXPECT_TRUE(log.write(encode(encoder, event)));
    const auto head = log.finish();
    const Bytes written = std::as_bytes(std::span(file.text()));
    std::vector<std::byte> bytes(written.begin(), written.end());
    std::ranges::copy(head.value(), bytes.begin());
    auto reader = evtx::Reader::open(bytes);
    evtx::Record record;
    evtx::EventReader events;
    if (!reader || !reader->next(record)) {
        return {"no record"};
    }
    const auto read = events.read(record);
    if (!read) {
        return {describe(read.error())};
    }
    std::vector<std::string> lines = lines_of(**read);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        lines[i] += (*read)->fields[i].is_attribute ? " (attribute)" : "";
    }
    lines.insert(lines.begin(), (*read)->payload == evtx::PayloadKind::user_data
                                    ? "UserData " + (*read)->payload_name
                                    : "EventData");
    return lines;
}

TEST(EventLog, WritesUserDataAsTheTemplateNests) {
    schema::EventSchema schema = brewing();
    schema.user_data = "<Tea xmlns=\"urn:tea\" cups=\"%1\"><Drink><Kind> %2 </Kind>"
                       "<Note place='here'>a &amp; b</Note><Empty/></Drink>"
                       "<Hot>%3</Hot><Again>%1</Again></Tea>";
    const auto payload = brewing_payload(u"<mint>");
    EXPECT_THAT(logged(*event_of(brewing_record(payload)), schema),
                ElementsAre("UserData Tea", "xmlns=urn:tea (attribute)", "cups=3 (attribute)",
                            "Drink{", " Kind=<mint>", " Note{", "  place=here (attribute)",
                            "  =a & b", " Empty=", "Hot=93.5", "Again=3"));
}

TEST(EventLog, WritesEventDataIfTheTemplateIsNotWellFormed) {
    schema::EventSchema schema = brewing();
    schema.user_data = "<Tea>";
    const auto payload = brewing_payload();
    EXPECT_THAT(
        logged(*event_of(brewing_record(payload)), schema),
        ElementsAre("EventData", "Cups=3", testing::StartsWith("Kind="), "Temperature=93.5"));
}

TEST(EventLog, WritesPayloadsThatContradictTheTemplateAsErrors) {
    schema::EventSchema schema = brewing();
    schema.user_data = "<Tea><Cups>%1</Cups></Tea>";
    const auto payload = brewing_payload();
    EXPECT_THAT(logged(*event_of(brewing_record(Bytes(payload).first(4))), schema),
                ElementsAre("EventData", "ErrorCode=15005", testing::StartsWith("DataItemName="),
                            "EventPayload=03000000"));
}

} // namespace
} // namespace etl::event_log_test
