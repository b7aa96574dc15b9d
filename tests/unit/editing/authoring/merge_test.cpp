#include "authoring/compact_writer.hpp"
#include "authoring/merge.hpp"
#include "schema/compact.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace etl::authoring::merge_test {
namespace {

using schema::SchemaSet;

constexpr std::string_view tea_line = "provider Tea 6d7a2a4c-53b4-4a0b-9e57-0a4f3c1d2b11\n";

SchemaSet source(std::string_view lines) {
    const std::string text = std::string(tea_line) + std::string(lines);
    auto set = schema::parse_compact(std::as_bytes(std::span(text)));
    if (!set) {
        ADD_FAILURE() << set.error().line << ": " << set.error().reason;
        return {};
    }
    return std::move(*set);
}

/// The lines after `provider`.
std::string lines_of(const SchemaSet& set) {
    const auto written = write_compact(set);
    return written ? written->text.substr(tea_line.size()) : "not written";
}

std::string merged(std::string_view first, std::string_view second) {
    const std::vector<SchemaSet> sources{source(first), source(second)};
    return lines_of(merge(sources));
}

std::string facts(std::string_view lines) {
    return lines_of(facts_of(source(lines)));
}

TEST(Merge, KeepsTheFirstNameOfEachValue) {
    EXPECT_EQ(merged("keyword 0x1 Hot\n", "keyword 0x1 Warm\nkeyword 0x2 Cold\nlevel 16 Loud\n"),
              "level 16 Loud\nkeyword 0x1 Hot\nkeyword 0x2 Cold\n");
}

TEST(Merge, KeepsTheFirstEventOfEachVersion) {
    EXPECT_EQ(
        merged("event 1 0 symbol First\n", "event 1 0 symbol Second\nevent 1 1 symbol Other\n"),
        "event 1 0 symbol First\nevent 1 1 symbol Other\n");
}

TEST(Merge, RestoresMapsAndOutTypesOfFields) {
    EXPECT_EQ(merged("fields 1\n  A UInt32\n  B UInt16\n  C UInt32\nevent 1 0 fields 1\n",
                     "map Sort 1=Green\nfields 1\n  A UInt32 by map Sort\n  B UInt16 as Port\n"
                     "  D UInt32 by map Sort\nevent 1 0 fields 1\n"),
              "map Sort 1=Green\nfields 1\n  A UInt32 by map Sort\n  B UInt16 as Port\n"
              "  C UInt32\nevent 1 0 fields 1\n");
    EXPECT_EQ(
        merged("map One 1=A\nfields 1\n  A UInt32 as HexInt32 by map One\nevent 1 0 fields 1\n",
               "map Two 1=B\nfields 1\n  A UInt32 by map Two\nevent 1 0 fields 1\n"),
        "map One 1=A\nfields 1\n  A UInt32 as HexInt32 by map One\nevent 1 0 fields 1\n")
        << "what the first source has stays";
}

TEST(Merge, KeepsDifferentLayoutsOfOneVersion) {
    EXPECT_EQ(merged("fields 1\n  A UInt32\nevent 1 0 fields 1\n",
                     "fields 1\n  B HexInt32\nfields 2\n  A UInt64\nevent 1 0 fields 1\n"
                     "event 1 0 fields 2\n"),
              "fields 1\n  A UInt32\nevent 1 0 fields 1\nfields 2\n  A UInt64\n"
              "event 1 0 fields 2\n")
        << "one of the same bytes is no other layout";
    EXPECT_EQ(merged("fields 1\n  A UnicodeString\nevent 1 0 fields 1\n",
                     "fields 1\n  A AnsiString\nevent 1 0 fields 1\n"),
              "fields 1\n  A UnicodeString\nevent 1 0 fields 1\nfields 2\n  A AnsiString\n"
              "event 1 0 fields 2\n");
    EXPECT_EQ(merged("fields 1\n  A UInt8\n  B UInt8\n  C UInt8[A]\nevent 1 0 fields 1\n",
                     "fields 1\n  A UInt8\n  B UInt8\n  C UInt8[B]\nevent 1 0 fields 1\n"),
              "fields 1\n  A UInt8\n  B UInt8\n  C UInt8[A]\nevent 1 0 fields 1\n"
              "fields 2\n  A UInt8\n  B UInt8\n  C UInt8[B]\nevent 1 0 fields 2\n");
}

TEST(Merge, KeepsFieldsOfOtherNamesThatABuildHas) {
    EXPECT_EQ(merged("fields 1\n  A UInt32\nevent 1 0 fields 1\n",
                     "builds 22621\nfields 1\n  B UInt32\nevent 1 0 fields 1\n"),
              "builds 22621\nfields 1\n  A UInt32\nevent 1 0 fields 1 builds *\nfields 2\n"
              "  B UInt32\nevent 1 0 fields 2\n");
    EXPECT_EQ(merged("fields 1\n  A UInt32\nevent 1 0 fields 1\n",
                     "builds 22621\nfields 1\n  A UInt32\nevent 1 0 fields 1\n"),
              "builds 22621\nfields 1\n  A UInt32\nevent 1 0 fields 1 builds * -\n");
}

TEST(Merge, KeepsMapsThatABuildHas) {
    constexpr std::string_view with_map = "\nfields 1\n  A UInt32 by map M\nevent 1 0 fields 1\n";
    const auto of = [&](std::string_view lines) {
        return std::string(lines) + std::string(with_map);
    };
    EXPECT_EQ(merged(of("builds 19041\nmap M 1=One"), of("builds 22621\nmap M 1=One 2=Two")),
              "builds 19041 22621\nmap M 1=One\nfields 1\n  A UInt32 by map M\n"
              "event 1 0 fields 1 builds 19041\nmap M 1=One 2=Two\nfields 2\n"
              "  A UInt32 by map M\nevent 1 0 fields 2 builds 22621-\n");
    EXPECT_EQ(merged(of("builds 19041\nmap M 1=One"), of("builds 22621\nmap N 1=One\nmap M 1=One")),
              of("builds 19041 22621\nmap M 1=One"));
    EXPECT_EQ(merged(of("builds 19041\nmap M"), of("builds 22621\nmap M 1=One")),
              of("builds 19041 22621\nmap M 1=One"))
        << "of an executable without its texts";
}

TEST(Merge, DropsALayoutThatIsNotKnownInFullForOneThatIs) {
    EXPECT_EQ(merged("fields 1\n  A UInt32[?]\nevent 1 0 fields 1\n",
                     "fields 1\n  A UInt32[3]\nevent 1 0 fields 1\n"),
              "fields 1\n  A UInt32[3]\nevent 1 0 fields 1\n");
    EXPECT_EQ(merged("fields 1\n  A UInt32[?]\nevent 1 0 fields 1\n", ""),
              "fields 1\n  A UInt32[?]\nevent 1 0 fields 1\n");
}

TEST(Merge, ReplacesMadeUpNames) {
    EXPECT_EQ(merged("task 3 task_3\nopcode 10 opcode_10\nevent 1 0 task 3 opcode 10\n",
                     "task 3 Brew\nopcode 10 Pour\nevent 2 0 task 3 opcode 10\n"),
              "task 3 Brew\nopcode 10 Pour\nevent 1 0 task 3 opcode 10\n"
              "event 2 0 task 3 opcode 10\n");
}

TEST(FactsOf, LeavesOutMadeUpNamesAndSentences) {
    EXPECT_EQ(facts("level 4 Information\nlevel 16 Loud\nlevel 17 \"It is very quiet\"\n"
                    "keyword 0x1 keyword_1\nkeyword 0x2 Hot\nkeyword 0x4 \"The tea is hot.\"\n"
                    "task 1 task_1\nopcode 10 \"The tea was poured into the cup by somebody\"\n"
                    "task 2 Drink\nmap M 0=\"Known Green / Known Black\" 1=Green 2=\"The water was "
                    "too cold\"\n"
                    "map N 1=\"No tea.\"\nfields 1\n  A UInt8 by map M\n  B UInt8 by map N\n"
                    "event 1 0 task 1 opcode 10 symbol A fields 1\nevent 2 0 task 2 symbol B\n"),
              "level 16 Loud\nkeyword 0x2 Hot\ntask 2 Drink\nmap M 0=\"Known Green / Known Black\" "
              "1=Green\nfields 1\n"
              "  A UInt8 by map M\n  B UInt8\nevent 1 0 task 1 opcode 10 symbol A fields 1\n"
              "event 2 0 task 2\n");
}

} // namespace
} // namespace etl::authoring::merge_test

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

TEST(TraceLoggingIds, ReplaceThoseOfStoredEvents) {
    schema::SchemaSet set;
    auto stored = described(one, "Brew", InType::uint8);
    stored->origin = Origin::manifest;
    stored->channel = 11;
    stored->id = 1;
    set.events = {stored, described(one, "Brew", InType::uint8),
                  described(one, "Arrive", InType::uint8)};
    EXPECT_THAT(numbers_of(set), ElementsAre("Arrive 1.0", "Brew 2.0"));
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
