#include "authoring/number_events.hpp"

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

namespace etl::authoring::number_events_test {
namespace {

using namespace etl::literals;
using schema::EventSchema;
using schema::InType;
using schema::Origin;
using ::testing::ElementsAre;

constexpr Guid one = "11111111-0000-0000-0000-000000000000"_guid;
constexpr Guid two = "22222222-0000-0000-0000-000000000000"_guid;

std::shared_ptr<EventSchema> described(const Guid& guid, std::string name, InType type) {
    auto names = std::make_shared<schema::ProviderNames>();
    names->guid = guid;
    auto event = std::make_shared<EventSchema>();
    event->origin = Origin::tracelogging;
    event->provider = std::move(names);
    event->event_name = std::move(name);
    event->fields.emplace_back().name = "A";
    event->fields.back().in_type = type;
    return event;
}

/// `NAME ID.VERSION` of each event.
std::vector<std::string> numbers_of(const schema::SchemaSet& set) {
    std::vector<std::string> all;
    for (const auto& event : with_tracelogging_ids(set).events) {
        all.push_back(event->event_name + " " + std::to_string(event->id) + "." +
                      std::to_string(event->version));
    }
    return all;
}

TEST(TraceLoggingIds, FollowTheNamesOfEachProvider) {
    schema::SchemaSet set;
    set.events = {described(one, "Pour", InType::uint8), described(two, "Wash", InType::uint8),
                  described(one, "Brew", InType::uint8)};
    EXPECT_THAT(numbers_of(set), ElementsAre("Brew 1.0", "Pour 2.0", "Wash 1.0"));
}

TEST(TraceLoggingIds, GiveLayoutsOfOneNameVersions) {
    schema::SchemaSet set;
    auto later = described(one, "Brew", InType::uint8);
    later->level = 3;
    set.events = {described(one, "Brew", InType::uint8), described(one, "Brew", InType::uint32),
                  later, described(one, "Pour", InType::uint8)};
    EXPECT_THAT(numbers_of(set), ElementsAre("Brew 1.0", "Brew 1.1", "Pour 2.0"));
}

TEST(TraceLoggingIds, AvoidThoseOfOtherEvents) {
    schema::SchemaSet set;
    auto manifest = described(one, "Classic", InType::uint8);
    manifest->origin = Origin::eventsource;
    manifest->id = 1;
    set.events = {described(one, "Brew", InType::uint8), manifest};
    EXPECT_THAT(numbers_of(set), ElementsAre("Classic 1.0", "Brew 2.0"));
}

TEST(TraceLoggingIds, GoOnWithTheNextIdAfterVersion255) {
    schema::SchemaSet set;
    for (unsigned i = 0; i < 258; ++i) {
        auto event = described(one, "Brew", InType::uint8);
        event->fields.front().name = "Field" + std::to_string(i);
        set.events.push_back(std::move(event));
    }
    set.events.push_back(described(one, "Pour", InType::uint8));
    const auto numbers = numbers_of(set);
    ASSERT_EQ(numbers.size(), 259U);
    EXPECT_EQ(numbers[255], "Brew 1.255");
    EXPECT_EQ(numbers[256], "Brew 2.0");
    EXPECT_EQ(numbers[258], "Pour 3.0");
}

TEST(TraceLoggingIds, EndWhereNoneIsFree) {
    schema::SchemaSet set;
    for (unsigned id = 1; id <= 0xFFFF; ++id) {
        auto event = std::make_shared<EventSchema>();
        event->id = static_cast<std::uint16_t>(id);
        set.events.push_back(std::move(event));
    }
    auto event = described(Guid{}, "Brew", InType::uint8);
    set.events.push_back(event);
    EXPECT_EQ(with_tracelogging_ids(set).events.size(), 0xFFFFU);
}

} // namespace
} // namespace etl::authoring::number_events_test
