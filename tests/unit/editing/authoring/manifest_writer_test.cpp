#include "authoring/compare.hpp"
#include "authoring/manifest_writer.hpp"
#include "tests/support/manifest_archive.hpp"
#include "tests/unit/meaning/schema/manifest_in.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace etl::authoring::manifest_writer_test {
namespace {

using namespace schema;

std::string describe(const Difference& d) {
    return fmt::format("{} {} {} {}/{} {} {} {}: `{}` -> `{}`", name(d.kind), name(d.thing),
                       d.provider_name, d.id, d.version, d.event_name, d.field, d.property,
                       d.before, d.after);
}

WrittenManifest write(const SchemaSet& set) {
    auto written = write_manifest(set);
    if (!written) {
        ADD_FAILURE() << etl::describe(written.error());
        return {};
    }
    return std::move(*written);
}

/// Writes, reads back, and complains of every difference.
SchemaSet expect_round_trip(const SchemaSet& set) {
    const WrittenManifest written = write(set);
    for (const std::string& note : written.notes) {
        ADD_FAILURE() << note;
    }
    SchemaSet again = parse_text(written.text);
    for (const Difference& difference : compare(set, again)) {
        ADD_FAILURE() << describe(difference) << "\n" << written.text.substr(0, 4000);
    }
    EXPECT_EQ(write(again).text, written.text) << "written twice";
    return again;
}

SchemaSet expect_round_trip(std::string_view inside, std::string_view strings = {}) {
    return expect_round_trip(parse_provider(inside, strings));
}

/// An event of one field, with a name and a provider of its own.
EventSchema made_event(Field field) {
    auto names = std::make_shared<ProviderNames>();
    names->guid = *parse_guid(test_guid);
    names->name = "Demo";
    EventSchema event;
    event.provider = names;
    event.id = 1;
    event.fields.push_back(std::move(field));
    return event;
}

std::vector<std::string> notes_of(EventSchema event) {
    SchemaSet set;
    set.events.push_back(std::make_shared<EventSchema>(std::move(event)));
    return write(set).notes;
}

TEST(ManifestWriter, GivesBackLevelsTasksOpcodesKeywordsAndChannels) {
    const SchemaSet again = expect_round_trip(
        R"xml(<channels><importChannel chid="S" name="System"/><channel name="Demo/Operational" type="Operational"/></channels>
<levels><level name="Loud" value="16"/><level name="L17" value="17" message="$(string.quiet)"/>
<level name="win:Informational" value="4" message="$(string.inf)"/></levels>
<tasks><task name="Brew" value="1"><opcodes><opcode name="Pour" value="10"/></opcodes></task>
<task name="Drink" value="2"><opcodes><opcode name="Pour" value="11"/></opcodes></task></tasks>
<opcodes><opcode name="Spill" value="12"/></opcodes>
<keywords><keyword name="Hot" mask="0x1"/><keyword name="Cold" mask="0x2"/><keyword name="Any" mask="0x3"/></keywords>
<events><event value="1" symbol="A" channel="S" level="Loud" task="Brew" opcode="Pour" keywords="Hot win:AuditFailure"/>
<event value="2" version="3" symbol="B" channel="Demo/Operational" level="L17" task="Drink" opcode="Pour" keywords="Any"/>
<event value="3" level="win:Informational" opcode="Spill" keywords="Hot 0x100"/>
<event value="4" level="win:Error" task="Brew" opcode="win:Start"/>
<event value="5" level="77" task="99" opcode="200" channel="8"/></events>)xml",
        R"xml(<string id="quiet" value="Very quiet "/><string id="inf" value="Information"/>)xml");
    ASSERT_EQ(again.events.size(), 5U);
    EXPECT_EQ(again.events[1]->event_name, "Drink/Pour");
    EXPECT_EQ(again.events[1]->opcode, 11);
    EXPECT_EQ(again.events[1]->keyword, 3U);
    EXPECT_EQ(again.events[1]->provider->level_name(17), "Very quiet");
    EXPECT_EQ(again.events[4]->opcode, 200);
}

TEST(ManifestWriter, GivesBackNamesThatAreNoNames) {
    const SchemaSet again = expect_round_trip(
        R"xml(<tasks><task name="Make &amp; drink &quot;tea&quot;" value="1"><opcodes><opcode name="a b" value="10"/>
<opcode name="a:b" value="11"/></opcodes></task><task name="1st" value="2"/></tasks>
<keywords><keyword name="task_1" mask="0x1"/><keyword name="two words" mask="0x2"/></keywords>
<events><event value="1" task="Make &amp; drink &quot;tea&quot;" opcode="a b" keywords="task_1"/>
<event value="2" task="Make &amp; drink &quot;tea&quot;" opcode="a:b"/><event value="3" task="1st"/></events>)xml");
    EXPECT_EQ(again.events[0]->event_name, "Make & drink \"tea\"/a b");
}

TEST(ManifestWriter, GivesBackEveryTypeWithItsLengthsAndCounts) {
    std::string items = R"xml(<data name="N" inType="win:UInt16"/>)xml";
    for (const char* type : {"UnicodeString",
                             "AnsiString",
                             "Int8",
                             "UInt8",
                             "Int16",
                             "UInt16",
                             "Int32",
                             "UInt32",
                             "Int64",
                             "UInt64",
                             "Float",
                             "Double",
                             "Boolean",
                             "Binary",
                             "GUID",
                             "Pointer",
                             "FILETIME",
                             "SYSTEMTIME",
                             "SID",
                             "HexInt32",
                             "HexInt64",
                             "CountedUnicodeString",
                             "CountedAnsiString",
                             "CountedBinary"}) {
        items +=
            fmt::format(R"xml(<data name="{0}" inType="win:{0}" count="N" tags="0x12"/>)xml", type);
    }
    for (const char* type : {"xs:string",
                             "xs:dateTime",
                             "xs:byte",
                             "xs:unsignedByte",
                             "xs:unsignedInt",
                             "xs:GUID",
                             "xs:hexBinary",
                             "win:HexInt8",
                             "win:PID",
                             "win:Port",
                             "win:IPv4",
                             "win:IPv6",
                             "win:SocketAddress",
                             "win:ETWTIME",
                             "win:Xml",
                             "win:NTSTATUS",
                             "win:Json",
                             "win:Utf8",
                             "win:Pkcs7WithTypeInfo",
                             "win:CodePointer",
                             "win:DateTimeUtc"}) {
        items += fmt::format(
            R"xml(<data name="{0}" inType="win:Binary" outType="{0}" length="20"/>)xml", type);
    }
    items +=
        R"xml(<data name="1" inType="win:UInt8"/><data name="fixed" inType="win:UnicodeString" length="16" count="0x1"/>
<data name="named" inType="win:AnsiString" length="1" count="3"/><data name="lost" inType="win:Binary" length="nowhere"/>
<data name="trap" inType="win:31"/><data name="class" inType="trace:WBEMSid"/>)xml";
    const SchemaSet again =
        expect_round_trip(fmt::format(R"xml(<templates><template tid="T">{}</template></templates>
<events><event value="1" template="T"/></events>)xml",
                                      items));
    const std::vector<Field>& fields = again.events.front()->fields;
    EXPECT_EQ(fields.size(), 52U);
    EXPECT_EQ(fields[fields.size() - 5].length.value, 16U);
    EXPECT_EQ(fields[fields.size() - 4].length.kind, Extent::Kind::field) << "a field called 1";
}

TEST(ManifestWriter, GivesBackStructuresMapsAndUserData) {
    const SchemaSet again = expect_round_trip(
        R"xml(<maps><valueMap name="Sort"><map value="1" message="$(string.one)"/><map value="0x2" symbol="TWO"/></valueMap>
<bitMap name="Bits"><map value="0x1" message="$(string.one)"/></bitMap></maps>
<templates><template tid="T"><data name="N" inType="win:UInt32" map="Sort"/><struct name="S" count="N">
<data name="N" inType="win:UInt8" map="Bits"/><data name="Text" inType="win:UnicodeString" length="N"/></struct>
<data name="After" inType="win:UInt32" map="Sort" count="N"/>
<UserData><Tea xmlns="urn:tea" kind="a &lt; b"><Pot>%1</Pot></Tea></UserData></template></templates>
<events><event value="1" template="T"/><event value="2" template="T"/></events>)xml",
        R"xml(<string id="one" value="One&#13;&#10;"/>)xml");
    const EventSchema& event = *again.events.front();
    EXPECT_EQ(event.fields[1].members, 2);
    EXPECT_EQ(event.fields[3].length.value, 2U) << "the N of the structure";
    EXPECT_EQ(event.fields[4].count.value, 0U) << "the outer N";
    EXPECT_NE(event.user_data.find("a &lt; b"), std::string::npos);
}

TEST(ManifestWriter, GivesBackTextsToTheLastBlank) {
    expect_round_trip(
        R"xml(<events><event value="1" message="$(string.a)"/><event value="2" message="$(string.b)"/>
<event value="3" message="$(string.c)"/><event value="4" message="&lt;plain&gt; &amp; literal"/></events>)xml",
        "<string id=\"a\" value=\"Ends in a blank  \"/><string id=\"b\" "
        "value=\"Two&#10;lines&#13;&#10;&#13;&#10;\"/>"
        "<string id=\"c\" value=\"Tab&#9;quote&quot; \xC3\xA4\"/>");
}

TEST(ManifestWriter, WritesEqualTemplatesMapsAndTextsOnce) {
    const std::string text =
        write(
            parse_provider(
                R"xml(<maps><valueMap name="M"><map value="1" message="$(string.a)"/></valueMap></maps>
<templates><template tid="A"><data name="X" inType="win:UInt32" map="M"/></template>
<template tid="B"><data name="X" inType="win:UInt32" map="M"/></template></templates>
<events><event value="1" template="A" message="$(string.a)"/><event value="2" template="B" message="$(string.b)"/></events>)xml",
                R"xml(<string id="a" value="Same"/><string id="b" value="Same"/>)xml"))
            .text;
    const auto count = [&](std::string_view what) {
        std::size_t found = 0;
        for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) {
            ++found;
        }
        return found;
    };
    EXPECT_EQ(count("<template "), 1U);
    EXPECT_EQ(count("<valueMap "), 1U);
    EXPECT_EQ(count("<string "), 2U) << "one for events, one for maps";
}

TEST(ManifestWriter, PutsTogetherWhatSeveralSourcesSayOfOneProvider) {
    SchemaSet set = parse_provider(
        R"xml(<keywords><keyword name="Hot" mask="0x1"/></keywords><events><event value="1" keywords="Hot"/></events>)xml");
    const SchemaSet more = parse_provider(
        R"xml(<keywords><keyword name="Cold" mask="0x2"/></keywords><events><event value="2" keywords="Cold"/></events>)xml");
    set.providers.insert(set.providers.end(), more.providers.begin(), more.providers.end());
    set.events.insert(set.events.end(), more.events.begin(), more.events.end());
    const SchemaSet again = expect_round_trip(set);
    ASSERT_EQ(again.providers.size(), 1U);
    EXPECT_EQ(again.providers.front()->keywords.size(), 2U);
    EXPECT_EQ(again.events.size(), 2U);
}

TEST(ManifestWriter, SaysWhatManifestsCannot) {
    EXPECT_EQ(notes_of(made_event({.name = "Plain", .in_type = InType::uint8})).size(), 0U);
    EXPECT_EQ(
        notes_of(made_event(
                     {.name = "A", .in_type = InType::uint8, .count = {Extent::Kind::prefixed, 0}}))
            .size(),
        1U);
    EXPECT_EQ(
        notes_of(
            made_event({.name = "B", .in_type = InType::uint8, .count = {Extent::Kind::rest, 0}}))
            .size(),
        1U);
    EXPECT_EQ(notes_of(made_event({.name = "C", .in_type = InType::null})).size(), 1U);
    EXPECT_EQ(notes_of(made_event({.name = "D\x01", .in_type = InType::uint8})).size(), 1U);
    EXPECT_EQ(
        notes_of(
            made_event({.name = "E", .in_type = InType::uint8, .length = {Extent::Kind::fixed, 4}}))
            .size(),
        1U);
    EventSchema nobody = made_event({.name = "Plain", .in_type = InType::uint8});
    nobody.provider = nullptr;
    EXPECT_EQ(notes_of(nobody).size(), 1U);
    EventSchema broken = made_event({.name = "Plain", .in_type = InType::uint8});
    broken.user_data = "<Two/><Elements/>";
    EXPECT_EQ(notes_of(broken).size(), 1U);
}

TEST(ManifestWriter, EndsDecodingAtAReferenceThatNamesCannotSay) {
    EventSchema event = made_event({.name = "N", .in_type = InType::uint8});
    event.fields.push_back({.name = "N", .in_type = InType::uint16});
    event.fields.push_back(
        {.name = "Items", .in_type = InType::uint8, .count = {Extent::Kind::field, 0}});
    SchemaSet set;
    set.events.push_back(std::make_shared<EventSchema>(event));
    const WrittenManifest written = write(set);
    EXPECT_EQ(written.notes.size(), 1U);
    const SchemaSet again = parse_text(written.text);
    EXPECT_EQ(again.events.front()->fields[2].count.kind, Extent::Kind::unknown);
}

TEST(ManifestWriter, KeepsTheNameOfAnEventThatHasNothingElse) {
    EventSchema event = made_event({.name = "N", .in_type = InType::uint8});
    event.event_name = "Lonely";
    SchemaSet set;
    set.events.push_back(std::make_shared<EventSchema>(event));
    EXPECT_EQ(parse_text(write(set).text).events.front()->event_name, "Lonely");
}

TEST(ManifestWriter, GivesBackEveryManifestOfAWindows) {
    const auto archive = test::manifest_archive("win10-18990");
    if (!std::filesystem::exists(archive)) {
        GTEST_SKIP() << "no " << archive;
    }
    const std::size_t files =
        test::for_each_manifest(archive, [](const std::string&, const std::string& text) {
            expect_round_trip(parse_text(text));
        });
    EXPECT_EQ(files, 607U);
}

TEST(ManifestWriter, GivesUpOnANumberThatManyFieldsAreCalled) {
    const auto with = [](std::size_t spellings) {
        EventSchema event = made_event({.name = "5", .in_type = InType::uint8});
        for (std::size_t digits = 1; digits < spellings; ++digits) {
            event.fields.push_back(
                {.name = fmt::format("0x{:0{}X}", 5, digits), .in_type = InType::uint8});
        }
        event.fields.push_back(
            {.name = "list", .in_type = InType::uint8, .count = {Extent::Kind::fixed, 5}});
        return event;
    };
    EXPECT_TRUE(notes_of(with(16)).empty());
    EXPECT_EQ(notes_of(with(1000)),
              std::vector<std::string>{"event 1 version 0 of Demo: field `list` has a count of 5, "
                                       "which is also a field name; decoding stops there"});
}

} // namespace
} // namespace etl::authoring::manifest_writer_test
