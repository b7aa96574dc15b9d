#include "authoring/compare.hpp"
#include "tests/unit/meaning/schema/manifest_in.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::authoring::compare_test {
namespace {

using namespace schema;

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> differences(std::string_view before, std::string_view after,
                                     std::string_view strings = {}) {
    std::vector<std::string> lines;
    for (const Difference& d :
         compare(parse_provider(before, strings), parse_provider(after, strings))) {
        lines.push_back(fmt::format("{} {} {}/{} {}:{}:{}:{}", name(d.kind), name(d.thing), d.id,
                                    d.version, d.field, d.property, d.before, d.after));
    }
    return lines;
}

std::vector<std::string> field_differences(std::string_view before, std::string_view after) {
    const auto with = [](std::string_view items) {
        return fmt::format(
            R"xml(<maps><valueMap name="M"/></maps><templates><template tid="T">{}</template></templates>
<events><event value="1" template="T"/></events>)xml",
            items);
    };
    return differences(with(before), with(after));
}

TEST(Compare, FindsNothingInEqualSets) {
    constexpr std::string_view events =
        R"xml(<events><event value="1" symbol="A"/><event value="2" symbol="B"/></events>)xml";
    constexpr std::string_view turned =
        R"xml(<events><event value="2" symbol="B"/><event value="1" symbol="A"/></events>)xml";
    EXPECT_THAT(differences(events, events), IsEmpty());
    EXPECT_THAT(differences(events, turned), IsEmpty()) << "the order does not count";
}

TEST(Compare, FindsProvidersThatCameOrWent) {
    const SchemaSet one = parse_provider("");
    const auto came = compare({}, one);
    ASSERT_EQ(came.size(), 1U);
    EXPECT_EQ(came.front().kind, Difference::Kind::added);
    EXPECT_EQ(came.front().provider_name, "Demo");
    EXPECT_EQ(compare(one, {}).front().kind, Difference::Kind::removed);
}

TEST(Compare, FindsEveryPropertyOfEventsAndProviders) {
    EXPECT_THAT(
        differences(
            R"xml(<keywords><keyword name="K" mask="1"/></keywords><events><event value="1"/></events>)xml",
            R"xml(<keywords><keyword name="K" mask="2"/></keywords><levels><level name="L" value="16"/></levels>
<channels><channel name="C" type="Debug"/></channels><tasks><task name="T" value="3"/></tasks>
<events><event value="1" symbol="S" channel="C" level="L" task="T" opcode="win:Stop" keywords="K" message="Text"/>
<event value="1" version="1"/></events>)xml"),
        ElementsAre("changed provider 0/0 :levels::0x10 L",
                    "changed provider 0/0 :keywords:0x1 K:0x2 K",
                    "changed provider 0/0 :channels::0x10 C", "changed event 1/0 :name::T/Stop",
                    "changed event 1/0 :symbol::S", "changed event 1/0 :channel:0:16",
                    "changed event 1/0 :level:0:16", "changed event 1/0 :task:0 :3 T",
                    "changed event 1/0 :opcode:0 :2 Stop", "changed event 1/0 :keywords:0x0:0x2",
                    "changed event 1/0 :message::Text", "added event 1/1 :::"));
}

TEST(Compare, FindsFieldsByTheirPaths) {
    EXPECT_THAT(
        field_differences(
            R"xml(<data name="A" inType="win:Int8"/><struct name="S"><data name="A" inType="win:Int8"/></struct>)xml",
            R"xml(<data name="A" inType="win:Int8"/><struct name="S"><data name="A" inType="win:UInt8" outType="win:HexInt8"/></struct><data name="A" inType="win:GUID"/>)xml"),
        ElementsAre("changed field 1/0 S.A:type:Int8:UInt8 as HexInt8",
                    "added field 1/0 A#2:::GUID"));
    EXPECT_THAT(
        field_differences(
            R"xml(<data name="A" inType="win:Int8"/><data name="B" inType="win:Int8"/>)xml",
            R"xml(<data name="B" inType="win:Int8"/><data name="A" inType="win:Int8"/>)xml"),
        ElementsAre("changed event 1/0 :field order:A, B:B, A"));
}

TEST(Compare, WritesTypesAsPeopleDo) {
    EXPECT_THAT(
        field_differences(
            "",
            R"xml(<data name="N" inType="win:UInt16" map="M" tags="2"/><data name="T" inType="win:UnicodeString" length="N" count="3"/>
<data name="B" inType="win:Binary" length="nowhere"/><data name="X" inType="win:31"/>)xml"),
        ElementsAre("added field 1/0 N:::UInt16 by map M tags 0x2",
                    "added field 1/0 T:::UnicodeString(N)[3]", "added field 1/0 B:::Binary(?)",
                    "added field 1/0 X:::type 31[?]"));
}

TEST(Compare, TellsFieldsOfOneNameApartAsCounts) {
    SchemaSet before = parse_provider(
        R"xml(<templates><template tid="T"><data name="N" inType="win:UInt8"/><data name="N" inType="win:UInt8"/>
<data name="A" inType="win:Int8" count="N"/></template></templates><events><event value="1" template="T"/></events>)xml");
    SchemaSet after = before;
    auto event = std::make_shared<EventSchema>(*before.events.front());
    EXPECT_EQ(event->fields[2].count.value, 1U);
    event->fields[2].count.value = 0;
    after.events = {event};
    const auto found = compare(before, after);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found.front().property, "count field");
}

TEST(Compare, ComparesMapsByContent) {
    const auto with = [](ValueMap::Kind kind, const char* text) {
        auto names = std::make_shared<ProviderNames>();
        names->guid = *parse_guid(test_guid);
        auto event = std::make_shared<EventSchema>();
        event->provider = names;
        event->maps.push_back(std::make_shared<ValueMap>(ValueMap{"M", kind, {{1, text}}}));
        for (const char* const name : {"a", "b"}) {
            event->fields.push_back({.name = name, .in_type = InType::uint8, .map = 0});
        }
        SchemaSet set;
        set.events.push_back(std::move(event));
        return set;
    };
    const SchemaSet one = with(ValueMap::Kind::value, "One");
    EXPECT_THAT(compare(one, one), IsEmpty());
    EXPECT_THAT(compare(one, with(ValueMap::Kind::value, "One")), IsEmpty());
    EXPECT_EQ(compare(one, with(ValueMap::Kind::bits, "One")).size(), 2U);
    const auto changed = compare(one, with(ValueMap::Kind::value, "Two"));
    ASSERT_EQ(changed.size(), 2U);
    EXPECT_EQ(changed[1].before, "values: 0x1 One");
    EXPECT_EQ(changed[1].after, "values: 0x1 Two");
}

TEST(Compare, DescribesALargeMapOnceAndOnlyWhatDiffers) {
    constexpr std::size_t fields = 50;
    constexpr std::uint32_t entries = 20'000;
    const auto with = [](const std::string& prefix, std::uint32_t changed) {
        auto names = std::make_shared<ProviderNames>();
        names->guid = *parse_guid(test_guid);
        auto map = std::make_shared<ValueMap>(ValueMap{"M", ValueMap::Kind::value, {}});
        for (std::uint32_t i = 0; i < entries; ++i) {
            map->entries.emplace_back(i, (i < changed ? prefix : "Name") + std::to_string(i));
        }
        auto event = std::make_shared<EventSchema>();
        event->id = 7;
        event->provider = names;
        event->maps.push_back(std::move(map));
        for (std::size_t i = 0; i < fields; ++i) {
            event->fields.push_back(
                {.name = "F" + std::to_string(i), .in_type = InType::uint32, .map = 0});
        }
        SchemaSet set;
        set.events.push_back(std::move(event));
        return set;
    };
    const auto found = compare(with("Old", 2), with("New", 20));
    ASSERT_EQ(found.size(), fields);
    EXPECT_EQ(found[0].before.substr(0, 57),
              "values: 20000 entries, only here: 0x0 Old0, 0x1 Old1, 0x2");
    EXPECT_TRUE(found[0].before.ends_with(", 0xf Name15, and 4 more"));
    EXPECT_EQ(found[1].before, "values: 20000 entries, same as for 7/0 F0");
    EXPECT_EQ(found[1].after, "values: 20000 entries, same as for 7/0 F0");
    std::size_t bytes = 0;
    for (const Difference& difference : found) {
        bytes += difference.before.size() + difference.after.size();
    }
    EXPECT_LT(bytes, 10'000U);
}

} // namespace
} // namespace etl::authoring::compare_test
