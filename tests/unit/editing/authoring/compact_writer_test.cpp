#include "authoring/compact_writer.hpp"
#include "authoring/compare.hpp"
#include "schema/compact.hpp"
#include "tests/support/manifest_archive.hpp"
#include "tests/unit/meaning/schema/manifest_in.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace etl::authoring::compact_writer_test {
namespace {

using namespace schema;

/// Without what the compact form leaves out on purpose.
SchemaSet without_messages(const SchemaSet& set) {
    SchemaSet result;
    std::unordered_map<const ProviderNames*, std::shared_ptr<const ProviderNames>> copies;
    const auto copy_of = [&](const std::shared_ptr<const ProviderNames>& names) {
        auto& copy = copies[names.get()];
        if (!copy) {
            auto bare = std::make_shared<ProviderNames>(*names);
            bare->message.clear();
            bare->resource_file.clear();
            bare->message_file.clear();
            bare->parameter_file.clear();
            copy = std::move(bare);
        }
        return copy;
    };
    for (const auto& provider : set.providers) {
        result.providers.push_back(copy_of(provider));
    }
    for (const auto& event : set.events) {
        auto bare = std::make_shared<EventSchema>(*event);
        bare->provider = copy_of(event->provider);
        bare->message.clear();
        result.events.push_back(std::move(bare));
    }
    return result;
}

std::string written_compact(const SchemaSet& set) {
    const auto written = write_compact(set);
    if (!written) {
        ADD_FAILURE() << etl::describe(written.error());
        return {};
    }
    for (const std::string& note : written->notes) {
        ADD_FAILURE() << note;
    }
    return written->text;
}

SchemaSet read_compact(const std::string& text) {
    auto set = parse_compact(std::as_bytes(std::span(text)));
    if (!set) {
        ADD_FAILURE() << set.error().line << ":" << set.error().column << ": "
                      << set.error().reason;
        return {};
    }
    return std::move(*set);
}

/// Writes, reads back, and reports every difference.
std::string expect_same(const SchemaSet& from) {
    const SchemaSet set = without_messages(from);
    const std::string text = written_compact(set);
    const SchemaSet again = read_compact(text);
    for (const Difference& d : compare(set, again)) {
        ADD_FAILURE() << fmt::format("{} {} {}/{} {} {}: `{}` -> `{}`", name(d.kind), name(d.thing),
                                     d.id, d.version, d.field, d.property, d.before, d.after);
    }
    std::multiset<std::tuple<std::uint16_t, std::uint8_t, std::string>> before;
    std::multiset<std::tuple<std::uint16_t, std::uint8_t, std::string>> after;
    const auto insert_all = [](const SchemaSet& events, auto& to) {
        for (const auto& event : events.events) {
            to.emplace(event->id, event->version, to_string(event->task_guid));
        }
    };
    insert_all(set, before);
    insert_all(again, after);
    EXPECT_EQ(before, after) << "GUIDs of tasks";
    EXPECT_EQ(written_compact(again), text) << "written twice";
    return text;
}

constexpr std::string_view of_names =
    R"xml(<channels><importChannel chid="S" name="System"/><channel name="Demo/Operational" type="Operational"/></channels>
<levels><level name="Loud" value="16"/></levels>
<tasks><task name="Brew" value="1" eventGUID="{6d7a2a4c-53b4-4a0b-9e57-0a4f3c1d2b12}"><opcodes><opcode name="Pour" value="10"/></opcodes></task>
<task name="Drink tea" value="2"/><task name="Again" value="2"/></tasks>
<opcodes><opcode name="Spill" value="12"/></opcodes>
<keywords><keyword name="Hot" mask="0x1"/></keywords>
<events><event value="2" symbol="A" channel="S" level="Loud" task="Brew" opcode="Pour" keywords="Hot win:AuditFailure" message="A message"/>
<event value="1" version="3" task="Drink tea" opcode="Spill"/><event value="1" version="2" task="Again"/>
<event value="3" opcode="win:Start" level="win:Error"/><event value="4" opcode="200" task="99"/><event value="5" opcode="win:Info"/></events>)xml";

TEST(CompactWriter, WritesNames) {
    EXPECT_EQ(expect_same(parse_provider(of_names)),
              R"(provider Demo 6d7a2a4c-53b4-4a0b-9e57-0a4f3c1d2b11
channel 8 System
channel 16 Demo/Operational
level 16 Loud
keyword 0x1 Hot
task 1 Brew 6d7a2a4c-53b4-4a0b-9e57-0a4f3c1d2b12
opcode 10 Pour
task 2 Again
opcode 12 Spill
event 1 2 task 2
event 1 3 task 2="Drink tea" opcode 12
event 2 0 level 16 channel 8 task 1 opcode 10 keywords 0x10000000000001 symbol A
event 3 0 level 2 opcode 1
event 4 0 task 99 opcode 200
event 5 0 opcode 0
)");
}

TEST(CompactWriter, WritesTemplatesOnce) {
    EXPECT_EQ(expect_same(parse_provider(
                  R"xml(<maps><valueMap name="Sort"><map value="1" message="One way"/></valueMap>
<bitMap name="Bits"><map value="0x1" symbol="A"/></bitMap></maps>
<templates><template tid="T"><data name="N" inType="win:UInt32" map="Sort"/><struct name="S" count="N">
<data name="N" inType="win:UInt8" map="Bits"/><data name="Text" inType="win:UnicodeString" length="N"/></struct>
<data name="1" inType="win:UInt8"/><data name="After" inType="win:UInt32" outType="win:HexInt32" count="1"/></template>
<template tid="U"><data name="a b" inType="win:AnsiString" length="5"/><UserData><Tea a="1"/></UserData></template></templates>
<events><event value="1" template="T"/><event value="2" template="T"/><event value="3" template="U"/></events>)xml")),
              R"(provider Demo 6d7a2a4c-53b4-4a0b-9e57-0a4f3c1d2b11
bits Bits 0x1=A
map Sort 1="One way"
fields 1
  N UInt32 by map Sort
  S Struct[N]
    N UInt8 by map Bits
    Text UnicodeString(N)
  1 UInt8
  After UInt32["1"] as HexInt32
event 1 0 fields 1
event 2 0 fields 1
fields 2 userdata "<Tea a=\"1\"/>"
  "a b" AnsiString(5)
event 3 0 fields 2
)");
}

TEST(CompactWriter, TellsMapsOfOneNameApart) {
    const auto map = [](const char* text) {
        auto made = std::make_shared<ValueMap>();
        made->name = "M";
        made->entries.emplace_back(1, text);
        return made;
    };
    SchemaSet set =
        parse_provider(R"xml(<events><event value="1"/><event value="2"/></events>)xml");
    for (auto& event : set.events) {
        auto changed = std::make_shared<EventSchema>(*event);
        changed->fields.push_back({.name = "X", .in_type = InType::uint8, .map = 0});
        changed->fields.push_back({.name = "Y", .in_type = InType::uint8, .map = 1});
        changed->maps = {map(event->id == 1 ? "A" : "B"), map("C")};
        event = std::move(changed);
    }
    const SchemaSet again = read_compact(written_compact(set));
    const auto text = [&](std::size_t event, std::size_t field) {
        const EventSchema& of = *again.events.at(event);
        return of.maps.at(of.fields.at(field).map)->entries.at(0).second;
    };
    EXPECT_EQ(text(0, 0) + text(0, 1) + text(1, 0) + text(1, 1), "ACBC");
}

TEST(CompactWriter, NotesWhatItLeavesOut) {
    SchemaSet set =
        parse_provider(R"xml(<events><event value="1"/><event value="2"/></events>)xml");
    auto any = std::make_shared<EventSchema>(*set.events[0]);
    any->any_version = true;
    set.events[0] = std::move(any);
    auto lost = std::make_shared<EventSchema>(*set.events[1]);
    lost->provider = nullptr;
    set.events[1] = std::move(lost);
    const auto written = write_compact(set);
    ASSERT_TRUE(written.has_value());
    EXPECT_EQ(written->notes.size(), 2U);
    EXPECT_EQ(written->text.find("event"), std::string::npos);
}

class CompactWriterOfManifests : public testing::TestWithParam<const char*> {};

TEST_P(CompactWriterOfManifests, GivesBackEveryManifest) {
    const auto archive = test::manifest_archive(GetParam());
    if (!std::filesystem::exists(archive)) {
        GTEST_SKIP() << "no " << archive;
    }
    std::size_t parsed = 0;
    test::for_each_manifest(archive, [&](const std::string&, const std::string& text) {
        if (const auto set = parse_manifest(as_bytes_of(text))) {
            ++parsed;
            expect_same(*set);
        }
    });
    EXPECT_GT(parsed, 5U);
}

INSTANTIATE_TEST_SUITE_P(Corpus, CompactWriterOfManifests,
                         testing::Values("apps", "win7-7600", "win10-10240", "win10-17134",
                                         "win10-18990"));

} // namespace
} // namespace etl::authoring::compact_writer_test
