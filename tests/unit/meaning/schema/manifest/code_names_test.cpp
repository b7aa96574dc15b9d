#include "tests/unit/meaning/schema/manifest/manifest_in.hpp"

#include <gmock/gmock.h>

namespace etl::schema::code_names_test {
namespace {

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
} // namespace etl::schema::code_names_test
