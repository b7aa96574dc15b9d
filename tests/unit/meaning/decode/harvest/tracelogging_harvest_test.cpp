#include "decode/tracelogging_harvest.hpp"
#include "tests/support/traces/one_event.hpp"
#include "tests/support/traces/tracelogging_builder.hpp"
#include "tests/unit/meaning/decode/kinds/tea_house.hpp"

#include <gmock/gmock.h>

namespace etl::tracelogging_harvest_test {
namespace {

using namespace test;
using decode::TraceLoggingHarvest;
using format::ExtendedItem;
using format::ItemType;
using ::testing::ElementsAre;

void add_event(TraceLoggingHarvest& harvest, TraceLoggingEvent& event, std::uint8_t level) {
    const auto metadata = event.metadata();
    const auto traits = provider_traits("Tea.House");
    const ExtendedItem items[] = {{ItemType::provider_traits, traits},
                                  {ItemType::event_schema_tl, metadata}};
    const auto one =
        event_of(format::EventRecord{.provider = tea_house,
                                     .descriptor = {.channel = 11, .level = level, .keyword = 5},
                                     .items = items,
                                     .payload = event.payload_bytes()});
    harvest.add(flow::Run{&one->event, 1});
}

std::vector<std::string> names_of(const schema::SchemaSet& set) {
    std::vector<std::string> names;
    for (const auto& event : set.events) {
        names.push_back(event->event_name + "/" + std::to_string(event->level));
    }
    return names;
}

TEST(TraceLoggingHarvest, FindsEachSchemaOnce) {
    TraceLoggingEvent pour("Pour");
    pour.i32("Cups", 3);
    TraceLoggingEvent brew("Brew");
    brew.utf16("Kind", u"mint");
    TraceLoggingHarvest first;
    TraceLoggingHarvest second;
    add_event(first, pour, 4);
    add_event(first, pour, 4);
    add_event(second, brew, 4);
    add_event(second, pour, 4);
    add_event(second, pour, 2);
    first.combine(std::move(second));
    const schema::SchemaSet set = first.take();
    EXPECT_THAT(names_of(set), ElementsAre("Brew/4", "Pour/2", "Pour/4"));
    ASSERT_EQ(set.providers.size(), 1U);
    EXPECT_EQ(set.providers.front()->name, "Tea.House");
    const schema::EventSchema& event = *set.events.front();
    EXPECT_EQ(event.origin, schema::Origin::tracelogging);
    EXPECT_EQ(event.channel, 11U);
    EXPECT_EQ(event.keyword, 5U);
    EXPECT_EQ(event.fields.at(0).name, "Kind");
    EXPECT_FALSE(first.omitted());
}

TEST(TraceLoggingHarvest, IgnoresOtherEventsAndInvalidMetadata) {
    const std::byte metadata[] = {std::byte{9}, std::byte{0}, std::byte{0}};
    const ExtendedItem items[] = {{ItemType::event_schema_tl, metadata}};
    const auto invalid = event_of(format::EventRecord{.provider = tea_house, .items = items});
    const auto other = tea_event(0, ByteWriter().u8(1).view());
    TraceLoggingHarvest harvest;
    harvest.add(flow::Run{&invalid->event, 1});
    harvest.add(flow::Run{&other->event, 1});
    EXPECT_TRUE(harvest.take().events.empty());
}

} // namespace
} // namespace etl::tracelogging_harvest_test
