// The hot path asks for no memory once it has seen the kinds of events there are.
#include "sink/csv.hpp"
#include "sink/event_kinds.hpp"
#include "sink/event_xml.hpp"
#include "sink/json.hpp"
#include "sink/text.hpp"
#include "sink/tracerpt_csv.hpp"
#include "sink/wpp.hpp"
#include "tests/support/counting_new.hpp"
#include "tests/unit/outputs/sink/sink_events.hpp"

#include <gtest/gtest.h>

namespace etl::allocation_test {
namespace {

using namespace test;
using format::ExtendedItem;
using format::ItemType;

/// Events of every way of decoding.
std::vector<std::unique_ptr<OneEvent>> all_sorts() {
    std::vector<std::unique_ptr<OneEvent>> events;
    const auto payload =
        brewing_payload(u"a text long enough not to fit into a small string \u8336");
    auto record = brewing_record(payload);
    record.activity = some_activity;
    events.push_back(event_of(record));
    events.push_back(event_of(brewing_record(Bytes(payload).first(7))));
    TraceLoggingEvent logged("Pouring");
    logged.u32("Cups", 3)
        .ansi("Kind", "th\xE9 \"vert\" of some length")
        .guid("Id", some_activity)
        .filetime("When", tea_time)
        .f64("T", 0.25);
    logged.variable_array({.name = "L", .in = tl_in::u16}).payload().u16(3).u16(1).u16(2).u16(3);
    const auto metadata = logged.metadata();
    const auto traits = provider_traits("Tea.House");
    ByteWriter stack;
    stack.u64(0).u64(0x7FF612345678).u64(0xFFFFF80012345678);
    const ExtendedItem items[] = {{ItemType::provider_traits, traits},
                                  {ItemType::event_schema_tl, metadata},
                                  {ItemType::stack_trace64, stack.view()}};
    auto self_describing = brewing_record(logged.payload_bytes());
    self_describing.items = items;
    events.push_back(event_of(self_describing));
    events.push_back(
        event_of(format::PerfinfoRecord{.hook_id = 0x0F2E, .time = tea_time, .payload = payload}));
    events.push_back(
        event_of(format::MessageRecord{.number = 12, .time = tea_time, .payload = payload}));
    const auto kettle = kettle_payload();
    events.push_back(event_of(format::MessageRecord{.number = 9,
                                                    .guid = tea_house,
                                                    .time = tea_time,
                                                    .system_info = format::ThreadAndProcess{1, 2},
                                                    .payload = kettle}));
    return events;
}

void expect_no_allocations(flow::Encoder& encoder) {
    const auto events = all_sorts();
    std::string text;
    const auto encode_all = [&] {
        text.clear();
        for (int i = 0; i < 10'000; ++i) {
            encoder.encode(events[static_cast<std::size_t>(i) % events.size()]->event, text);
        }
    };
    encode_all();
    const std::size_t size = text.size();
    const std::size_t before = allocations().count;
    encode_all();
    EXPECT_EQ(allocations().count, before);
    EXPECT_EQ(text.size(), size);
}

TEST(EventXml, AllocatesNothingForKindsSeenBefore) {
    for (const auto layout :
         {sink::XmlOptions::Layout::windows, sink::XmlOptions::Layout::tracerpt}) {
        sink::EventXml xml({.schemas = store_with({brewing(), kettle_message()}), .message = true},
                           {.layout = layout, .rendering = true});
        expect_no_allocations(xml);
    }
}

TEST(TracerptCsv, AllocatesNothingForKindsSeenBefore) {
    sink::TracerptCsv csv({.schemas = store_with({brewing(), kettle_message()})}, {});
    expect_no_allocations(csv);
}

TEST(JsonLines, AllocatesNothingForKindsSeenBefore) {
    sink::JsonLines lines(
        {.schemas = store_with({brewing(), kettle_message()}), .raw = true, .message = true});
    expect_no_allocations(lines);
}

TEST(Csv, AllocatesNothingForKindsSeenBefore) {
    sink::Csv rows({.schemas = store_with({brewing(), kettle_message()}), .raw = true}, {});
    expect_no_allocations(rows);
    const std::vector<std::string> fields{"time", "Cups", "Kind", "L", "id", "When", "data"};
    sink::Csv columns({.schemas = store_with({brewing(), kettle_message()}), .fields = fields}, {});
    expect_no_allocations(columns);
}

TEST(EventKinds, AllocateNothingForKindsSeenBefore) {
    const sink::EventKinds kinds({.schemas = store_with({brewing(), kettle_message()})});
    const auto encoder = kinds.encoder().clone();
    expect_no_allocations(*encoder);
}

TEST(Text, AllocatesNothingForKindsSeenBefore) {
    sink::Text lines({.schemas = store_with({brewing(), kettle_message()}), .message = true}, {});
    expect_no_allocations(lines);
}

TEST(CodePages, OfOneOrTwoBytesAllocateNothing) {
    for (const unsigned number : {1251U, 932U}) {
        const auto page = *CodePage::open(number);
        sink::JsonLines lines({.schemas = store_with({brewing()}), .code_page = page});
        expect_no_allocations(lines);
        sink::Text text({.schemas = store_with({brewing()}), .code_page = page}, {});
        expect_no_allocations(text);
    }
}

TEST(WppLines, AllocatesNothingForKindsSeenBefore) {
    sink::WppLines lines({.schemas = store_with({brewing(), kettle_message()})});
    expect_no_allocations(lines);
}

} // namespace
} // namespace etl::allocation_test
