#include "tests/unit/meaning/schema/manifest_in.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::schema::manifest_names_test {

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST(ManifestNames, OpcodesOfTheTaskHideThoseOfTheProvider) {
    const SchemaSet manifest = parse_provider(R"(
        <opcodes><opcode name="Go" value="10"/></opcodes>
        <tasks><task name="A" value="1"><opcodes><opcode name="Go" value="11"/></opcodes></task>
               <task name="B" value="2"/></tasks>
        <events><event value="1" task="A" opcode="Go"/><event value="2" task="B" opcode="Go"/></events>)");
    EXPECT_EQ(manifest.events.at(0)->opcode, 11);
    EXPECT_EQ(manifest.events.at(1)->opcode, 10);
    EXPECT_EQ(manifest.events.at(1)->event_name, "B/Go");
}

TEST(ManifestNames, LeavesOutOpcodeInfo) {
    EXPECT_EQ(event_of("<tasks><task name='T' value='1'/></tasks>"
                       "<events><event value='1' task='T' opcode='win:Info'/></events>")
                  .event_name,
              "T");
}

TEST(ManifestNames, WithoutTaskTheSymbolNamesTheEvent) {
    const EventSchema event = event_of(
        "<events><event value='1' symbol='Sym' task='win:None' opcode='win:Stop'/></events>");
    EXPECT_EQ(event.event_name, "Sym");
    EXPECT_EQ(event.task_name, "");
    EXPECT_EQ(event.opcode_name, "Stop");
    EXPECT_EQ(event_of("<events><event value='1' opcode='win:Stop'/></events>").event_name, "Stop");
}

TEST(ManifestNames, UndeclaredNamesGiveZero) {
    const EventSchema event = event_of("<events><event value='1' task='task_0' opcode='x' "
                                       "level='y' keywords='z' channel='c'/></events>");
    EXPECT_EQ(event.task, 0);
    EXPECT_EQ(event.opcode, 0);
    EXPECT_EQ(event.level, 0);
    EXPECT_EQ(event.keyword, 0U);
    EXPECT_EQ(event.channel, 0);
}

TEST(ManifestNames, NumbersStandForThemselves) {
    const EventSchema event = event_of("<events><event value='1' task='300' opcode='0x20' "
                                       "level='17' keywords='0x4 0x8' channel='18'/></events>");
    EXPECT_EQ(event.task, 300);
    EXPECT_EQ(event.opcode, 0x20);
    EXPECT_EQ(event.level, 17);
    EXPECT_EQ(event.keyword, 0xCU);
    EXPECT_EQ(event.channel, 18);
}

TEST(ManifestNames, NumbersChannelsFrom16InOrder) {
    const SchemaSet manifest = parse_provider(R"(<channels>
        <importChannel chid="sys" name="System"/>
        <channel chid="a" name="D/A" type="Admin"/>
        <channel chid="b" name="D/B" type="Debug" value="18"/>
        <importChannel chid="c" name="Other/Channel"/>
        <channel name="D/D" type="Debug"/>
        <channel chid="e" name="D/E" type="Debug"/></channels>
        <events><event value="1" channel="sys"/><event value="2" channel="c"/>
                <event value="3" channel="D/D"/></events>)");
    EXPECT_THAT(manifest.providers.at(0)->channels,
                ElementsAre(Pair(8, "System"), Pair(16, "D/A"), Pair(18, "D/B"),
                            Pair(17, "Other/Channel"), Pair(19, "D/D"), Pair(20, "D/E")));
    EXPECT_EQ(manifest.events.at(0)->channel, 8);
    EXPECT_EQ(manifest.events.at(1)->channel, 17);
    EXPECT_EQ(manifest.events.at(2)->channel, 19);
}

TEST(ManifestNames, LevelsShowTheirMessageKeywordsTheirName) {
    const SchemaSet manifest = parse_provider(
        R"(<levels><level name="Loud" value="16" message='$(string.loud)'/><level name="Mute" value="17" message='$(string.none)'/></levels>
           <keywords><keyword name="Io" mask="0x1" message='$(string.io)'/></keywords>)",
        R"(<string id="loud" value="Very loud"/><string id="io" value="Input and output"/>)");
    EXPECT_THAT(manifest.providers.at(0)->levels,
                ElementsAre(Pair(16, "Very loud"), Pair(17, "Mute")));
    EXPECT_THAT(manifest.providers.at(0)->keywords, ElementsAre(Pair(1U, "Io")));
}

TEST(ManifestNames, MessagesStandInForMadeUpNames) {
    const SchemaSet manifest = parse_provider(
        R"(<keywords><keyword name="keyword14" mask="0x1" message='$(string.k)'/></keywords>
           <tasks><task name="task0" value="12" message='$(string.t)'/><task name="task1" value="13"/></tasks>
           <opcodes><opcode name="opcode_98" value="98" message='$(string.o)'/></opcodes>
           <events><event value="1" task="task0" opcode="opcode_98"/><event value="2" task="task1"/></events>)",
        R"(<string id="k" value="Pool"/><string id="t" value="Thread Pool"/><string id="o" value="Gone"/>)");
    EXPECT_EQ(manifest.events.at(0)->event_name, "Thread Pool/Gone");
    EXPECT_EQ(manifest.events.at(0)->task, 12);
    EXPECT_EQ(manifest.events.at(1)->event_name, "task1") << "no message to take";
    EXPECT_THAT(manifest.providers.at(0)->keywords, ElementsAre(Pair(1U, "Pool")));
}

TEST(ManifestNames, TheTaskThatDumpsMakeUpForZeroIsNone) {
    EXPECT_EQ(event_of("<tasks><task name='task_0' value='0'/></tasks>"
                       "<events><event value='1' task='task_0' symbol='S'/></events>")
                  .event_name,
              "S");
}

TEST(ManifestNames, ReadsMapsWithTheirTexts) {
    const auto result = template_of(
        R"(<data name="a" inType="win:UInt32" map="V"/><data name="b" inType="win:UInt32" map="B"/>
           <data name="c" inType="win:UInt8" map="V"/><data name="d" inType="win:UInt8" map="Gone"/>)",
        R"(<maps><valueMap name="V"><map value="0x2" message="Two "/><map value="3" symbol="THREE"/>
             <map value="0x1FFFFFFFF" message="too large"/></valueMap>
           <bitMap name="B"><map value="0x1" message='$(string.lost)'/></bitMap>
           <patternMap name="P" format="f"><map name="x" value="y"/></patternMap></maps>)");
    ASSERT_EQ(result.maps.size(), 2U);
    EXPECT_EQ(result.maps[0]->kind, ValueMap::Kind::value);
    EXPECT_THAT(result.maps[0]->entries, ElementsAre(Pair(2U, "Two"), Pair(3U, "THREE")));
    EXPECT_EQ(result.maps[1]->kind, ValueMap::Kind::bits);
    EXPECT_THAT(result.maps[1]->entries, ElementsAre(Pair(1U, "lost")))
        << "the id stands for a lost string";
    ASSERT_EQ(result.fields.size(), 4U);
    EXPECT_EQ(result.fields[0].map, 0);
    EXPECT_EQ(result.fields[1].map, 1);
    EXPECT_EQ(result.fields[2].map, 0);
    EXPECT_EQ(result.fields[3].map, Field::no_map);
    EXPECT_EQ(result.notes.size(), 2U) << "the value that does not fit, and the map that is gone";
}

std::string message_in(std::string_view culture, std::string_view resources) {
    const std::string text = fmt::format(
        R"(<instrumentationManifest><instrumentation><events><provider name="P" guid="{}"><events>
           <event value="1" message='$(string.m)'/></events></provider></events></instrumentation>
           <localization>{}</localization></instrumentationManifest>)",
        test_guid, resources);
    return parse_text(text, {.culture = std::string(culture)}).events.at(0)->message;
}

TEST(ManifestStrings, PreferTheCultureThenItsLanguageThenEnglishThenTheFirst) {
    const std::string_view all =
        R"(<resources culture="fr-FR"><stringTable><string id="m" value="bonjour"/></stringTable></resources>
           <resources culture="en-US"><stringTable><string id="m" value="hello"/></stringTable></resources>
           <resources culture="de-AT"><stringTable><string id="m" value="servus"/></stringTable></resources>
           <resources culture="de-DE"><stringTable><string id="m" value="hallo"/></stringTable></resources>)";
    EXPECT_EQ(message_in("de-de", all), "hallo");
    EXPECT_EQ(message_in("de-CH", all), "servus");
    EXPECT_EQ(message_in("ja-JP", all), "hello");
    EXPECT_EQ(message_in("ja-JP",
                         R"(<resources culture="fr-FR"><stringTable><string id="m" value="bonjour"/>
        </stringTable></resources>)"),
              "bonjour");
}

TEST(ManifestStrings, EachStringIsLookedUpOnItsOwn) {
    EXPECT_EQ(
        message_in(
            "de-DE",
            R"(<resources culture="de-DE"><stringTable><string id="x" value="nichts"/></stringTable></resources>
           <resources culture="en-US"><stringTable><string id="m" value="hello"/></stringTable></resources>)"),
        "hello");
}

std::string resolved(std::string_view value, std::string_view strings) {
    return event_of(fmt::format(R"(<events><event value="1" message="{}"/></events>)", value),
                    strings)
        .message;
}

TEST(ManifestStrings, IdsMayHoldParentheses) {
    EXPECT_EQ(resolved("$(string.list(server))", "<string id='list(server)' value='found'/>"),
              "found");
    EXPECT_EQ(resolved("$(string.list(server)", "<string id='list(server' value='found'/>"),
              "found");
}

TEST(ManifestStrings, WhatLeadsNowhereStandsForItself) {
    EXPECT_EQ(resolved("$(string.gone)", ""), "gone");
    EXPECT_EQ(resolved("$(mc.MSG)", ""), "mc.MSG");
    EXPECT_EQ(resolved("a literal %1", ""), "a literal %1");
}

TEST(ManifestStrings, TheFirstOfTwoEqualIdsCounts) {
    EXPECT_EQ(
        resolved("$(string.a)", R"(<string id="a" value="one"/><string id="a" value="two"/>)"),
        "one");
}

using testing::ElementsAre;
using testing::IsEmpty;

CodeNames code_names_of(std::string_view inside) {
    SchemaSet set = parse_text(manifest_with(inside), {.code_names = true});
    EXPECT_EQ(set.code_names.size(), 1U);
    return set.code_names.empty() ? CodeNames() : set.code_names.front();
}

std::vector<std::string> shown(const std::vector<CodeNames::Constant>& constants) {
    std::vector<std::string> list;
    for (const CodeNames::Constant& constant : constants) {
        list.push_back(fmt::format("{} {} {}", constant.name, constant.symbol, constant.value));
    }
    return list;
}

std::vector<std::string> shown(const std::vector<CodeNames::Message>& messages) {
    std::vector<std::string> list;
    for (const CodeNames::Message& message : messages) {
        list.push_back(fmt::format("{} {:08x}", message.string_id, message.number));
    }
    return list;
}

TEST(CodeNames, AreReadOnRequest) {
    EXPECT_THAT(parse_provider("").code_names, IsEmpty());
    const CodeNames code = code_names_of("");
    EXPECT_EQ(code.symbol, "DEMO");
    EXPECT_EQ(to_string(code.provider), test_guid.substr(1, 36));
    EXPECT_TRUE(code.control_guid.is_zero());
}

TEST(CodeNames, HaveSymbolsAndValuesInDocumentOrder) {
    const CodeNames code = code_names_of(R"xml(
<channels><importChannel name="System"/><channel name="Demo/Op" chid="OP" symbol="OP_SYMBOL" type="Operational"/></channels>
<levels><level name="Low" value="20" symbol="LOW"/></levels>
<tasks><task name="T" value="3" symbol="TASK" eventGUID="{00000001-0000-0000-0000-000000000000}"><opcodes><opcode name="Local" value="12"/></opcodes></task></tasks>
<opcodes><opcode name="Global" value="11" symbol="GLOBAL"/></opcodes>
<keywords><keyword name="K" mask="0x10" symbol="KEY"/></keywords>
<maps><bitMap name="B" symbol="BITS"><map value="0x80000000" symbol="TOP" message="$(string.x)"/></bitMap><valueMap name="V"><map value="1" message="$(string.y)"/></valueMap></maps>)xml");
    EXPECT_THAT(shown(code.channels), ElementsAre("System  8", "OP OP_SYMBOL 16"));
    EXPECT_THAT(shown(code.levels), ElementsAre("Low LOW 20"));
    EXPECT_THAT(shown(code.tasks), ElementsAre("T TASK 3"));
    EXPECT_FALSE(code.tasks[0].guid.is_zero());
    EXPECT_THAT(shown(code.opcodes), ElementsAre("Global GLOBAL 11", "Local  12"));
    EXPECT_THAT(shown(code.keywords), ElementsAre("K KEY 16"));
    ASSERT_EQ(code.maps.size(), 2U);
    EXPECT_EQ(code.maps[0].symbol, ""); // value maps come first
    EXPECT_TRUE(code.maps[1].is_bits);
    EXPECT_THAT(code.maps[1].entries, ElementsAre(std::pair(0x80000000U, std::string("TOP"))));
}

TEST(CodeNames, NumberEachStringOnceByItsFirstElement) {
    const CodeNames code = code_names_of(R"xml(
<channels><channel name="Demo/Op" chid="OP" type="Operational" message="$(string.channel)"/><importChannel name="Application" chid="A"/></channels>
<levels><level name="Low" value="20" message="$(string.level)"/></levels>
<keywords><keyword name="K" mask="0x100000000" message="$(string.key)"/></keywords>
<tasks><task name="T" value="7" message="$(string.task)"><opcodes><opcode name="O" value="12" message="$(string.op(code))"/></opcodes></task></tasks>
<maps><valueMap name="V"><map value="1" message="$(string.task)"/><map value="2" message="$(string.two)"/></valueMap></maps>
<events><event value="258" version="3" message="$(string.event)"/><event value="2" channel="A" message="$(string.classic)"/><event value="3" message="literal"/></events>)xml");
    EXPECT_THAT(shown(code.messages),
                ElementsAre("channel 90000001", "level 50000014", "task 70000007",
                            "op(code) 3007000c", "key 10000021", "event b0030102",
                            "classic 00000002", "two d0000002"));
}

TEST(CodeNames, ReadTraits) {
    const SchemaSet set = parse_text(R"xml(<instrumentationManifest><instrumentation><events>
<provider name="One" guid="{00000001-0000-0000-0000-000000000000}"/>
<provider name="Two" guid="{00000002-0000-0000-0000-000000000000}" message="$(string.two)" controlGuid="{00000003-0000-0000-0000-000000000000}" groupGuid="{00000004-0000-0000-0000-000000000000}" includeNameInTraits="true"/>
</events></instrumentation></instrumentationManifest>)xml",
                                     {.code_names = true});
    ASSERT_EQ(set.code_names.size(), 2U);
    EXPECT_FALSE(set.code_names[0].traits_have_name);
    const CodeNames& two = set.code_names[1];
    EXPECT_EQ(to_string(two.control_guid)[7], '3');
    EXPECT_EQ(to_string(two.group_guid)[7], '4');
    EXPECT_TRUE(two.traits_have_name);
    EXPECT_THAT(shown(two.messages), ElementsAre("two 91000001")); // of the second provider
}

} // namespace

} // namespace etl::schema::manifest_names_test
