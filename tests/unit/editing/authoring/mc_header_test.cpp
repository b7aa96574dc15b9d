#include "authoring/mc_header.hpp"
#include "tests/unit/meaning/schema/manifest_in.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::authoring::mc_header_test {
namespace {

using namespace schema;

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

CppHeader header_of(std::string_view inside, const McHeaderOptions& options = {}) {
    auto header = write_mc_header(parse_text(manifest_with(inside), {.code_names = true}), options);
    if (!header) {
        ADD_FAILURE() << describe(header.error());
        return {};
    }
    return std::move(*header);
}

CppHeader header_of_template(std::string_view items, const McHeaderOptions& options = {}) {
    return header_of(
        fmt::format(
            R"(<templates><template tid="T">{}</template></templates><events><event value="1" symbol="One" template="T"/></events>)",
            items),
        options);
}

/// Whether a template with these fields has this suffix.
testing::Matcher<std::string> has_template(std::string_view suffix) {
    return HasSubstr(fmt::format(
        "ETW_INLINE ULONG _mcgen_PASTE2(McTemplateU0{}_, MCGEN_EVENTWRITETRANSFER)(\n", suffix));
}

std::string data(std::string_view name, std::string_view type, std::string_view more = {}) {
    return fmt::format(R"(<data name="{}" inType="win:{}" {}/>)", name, type, more);
}

TEST(McHeader, HasMacrosForAnEvent) {
    const CppHeader header =
        header_of_template(data("Drink", "UnicodeString") + data("Cups", "UInt16"));
    EXPECT_THAT(header.notes, IsEmpty());
    EXPECT_THAT(header.text, HasSubstr("#define EventWriteOne(Drink, Cups) \\\n"
                                       "    (MCGEN_EVENT_ENABLED(One) ? _mcgen_TEMPLATE_FOR_One("
                                       "&DEMO_Context, &One, Drink, Cups) : 0)\n"));
    EXPECT_THAT(header.text,
                AllOf(HasSubstr("#define EventEnabledOne() MCGEN_EVENT_BIT_SET(DemoEnableBits, 0)"),
                      HasSubstr("#define EventWriteOne_AssumeEnabled(Drink, Cups) \\\n"),
                      HasSubstr("#define EventWriteOne_ForContext(pContext, Drink, Cups) \\\n"),
                      HasSubstr("#define EventWriteOne_ForContextAssumeEnabled(pContext, Drink, "
                                "Cups) \\\n")));
    EXPECT_THAT(header.text, HasSubstr("#define EventRegisterDemo() \\\n"
                                       "    McGenEventRegister(&DEMO, McGenControlCallbackV2, "
                                       "&DEMO_Context, &DemoHandle)\n"));
    EXPECT_THAT(header.text, HasSubstr("    _In_opt_ PCWSTR _Arg0,\n"
                                       "    _In_ const unsigned short _Arg1)\n"
                                       "{\n"
                                       "    EVENT_DATA_DESCRIPTOR EventData[3];\n"
                                       "    _mcgen_DescribeWide(&EventData[1], _Arg0);\n"));
}

TEST(McHeader, NamesTemplatesByTypes) {
    std::string all;
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
        all += data(type, type);
    }
    EXPECT_THAT(header_of_template(all).text, has_template("zsculhdqixfgtjpmykdiwae"));
    EXPECT_THAT(header_of_template("").text, has_template(""));
}

TEST(McHeader, NamesTemplatesByCountsAndLengths) {
    const std::string number = data("N", "UInt32") + data("M", "UInt8");
    const auto text_of = [&](std::string_view type, std::string_view more) {
        return header_of_template(number + data("D", type, more)).text;
    };
    EXPECT_THAT(text_of("UInt32", R"(count="3")"), has_template("quQ3"));
    EXPECT_THAT(text_of("UInt32", R"(count="1")"), has_template("quq"));
    EXPECT_THAT(text_of("Pointer", R"(count="M")"), has_template("quPR1"));
    EXPECT_THAT(text_of("UnicodeString", R"(length="6")"), has_template("quz6"));
    EXPECT_THAT(text_of("AnsiString", R"(length="N")"), has_template("qusr0"));
    EXPECT_THAT(text_of("AnsiString", R"(count="2")"), has_template("quSR"));
    EXPECT_THAT(text_of("AnsiString", R"(count="2" length="3")"), has_template("quS6"));
    EXPECT_THAT(text_of("UnicodeString", R"(count="M" length="N")"), has_template("quZr0R1"));
    EXPECT_THAT(text_of("UnicodeString", R"(count="M" length="5")"), has_template("quZ5r1"));
    EXPECT_THAT(text_of("UnicodeString", R"(count="5" length="N")"), has_template("quZ5r0"));
    EXPECT_THAT(text_of("Binary", R"(length="N")"), has_template("qubr0"));
    EXPECT_THAT(text_of("Binary", R"(count="2" length="3")"), has_template("quB6"));
    EXPECT_THAT(text_of("SID", R"(count="N")"), has_template("quKR0"));
    EXPECT_THAT(text_of("CountedAnsiString", R"(count="2")"), has_template("quA2"));
    EXPECT_THAT(
        header_of_template(
            number + R"(<struct name="S" count="N"><data name="A" inType="win:Int8"/></struct>)")
            .text,
        has_template("quNR0"));
}

TEST(McHeader, WritesEqualTemplatesOnce) {
    const CppHeader header = header_of(
        R"(<templates><template tid="A"><data name="X" inType="win:Int32"/></template><template tid="B"><data name="Y" inType="win:HexInt32"/></template></templates>
<events><event value="1" symbol="One" template="A"/><event value="2" symbol="Two" template="B"/></events>)");
    const std::size_t first = header.text.find("#define McTemplateU0d_def");
    ASSERT_NE(first, std::string::npos);
    EXPECT_EQ(header.text.find("#define McTemplateU0d_def", first + 1), std::string::npos);
}

TEST(McHeader, SharesABitBetweenEventsOfOneKeywordAndLevel) {
    const CppHeader header = header_of(
        R"(<keywords><keyword name="K" mask="1"/></keywords>
<events><event value="1" symbol="A" level="win:Error"/><event value="2" symbol="B" level="win:Error" keywords="K"/><event value="3" symbol="C" level="win:Error"/></events>)");
    EXPECT_THAT(header.text,
                AllOf(HasSubstr("ULONG DemoEnableBits[1] = {0};"),
                      HasSubstr("ULONGLONG DemoKeywords[2] = {0x0, 0x1};"),
                      HasSubstr("unsigned char DemoLevels[2] = {2, 2};"),
                      HasSubstr("EventEnabledC() MCGEN_EVENT_BIT_SET(DemoEnableBits, 0)"),
                      HasSubstr("EventEnabledB() MCGEN_EVENT_BIT_SET(DemoEnableBits, 1)")));
}

TEST(McHeader, TakesTheSizeOfWhatHasNone) {
    const CppHeader header = header_of_template(data("Rest", "Binary") + data("Odd", "Mystery"));
    EXPECT_THAT(header.text, has_template("nn"));
    EXPECT_THAT(header.text,
                HasSubstr("#define EventWriteOne(Rest_Len_, Rest, Odd_Len_, Odd) \\\n"));
    EXPECT_THAT(header.notes,
                ElementsAre("event 1 version 0 of Demo: field `Rest` has no known size; its macro "
                            "takes data and a size",
                            "event 1 version 0 of Demo: field `Odd` has no known size; its macro "
                            "takes data and a size"));
}

TEST(McHeader, GivesArgumentsNamesThatTheMacrosDoNotUse) {
    EXPECT_THAT(header_of_template(data("Context", "Int8") + data("One", "Int8") +
                                   data("1st name", "Int8") + data("pContext", "Int8") +
                                   data("Gr\u00F6\u00DFe", "Int8"))
                    .text,
                HasSubstr("#define EventWriteOne(Context_2, One_2, _st_name, pContext_2, "
                          "Gr__e) \\\n"));
}

TEST(McHeader, ChangesSymbolsThatCannotBeNames) {
    const CppHeader header = header_of(
        R"(<events><event value="1" symbol="Two words"/><event value="2" symbol="int"/><event value="3" symbol="Twin"/><event value="4" symbol="Twin"/><event value="5" symbol="Transfer"/></events>)");
    EXPECT_THAT(header.notes,
                ElementsAre("symbol `Two words` is called Two_words", "symbol `int` is called int_",
                            "symbol `Twin` is called Twin_2",
                            "macros of event Transfer end with Transfer_2 instead of Transfer"));
    EXPECT_THAT(header.text, AllOf(HasSubstr("#define EventWriteTwo_words() \\\n"),
                                   HasSubstr("#define EventWriteTransfer_2() \\\n"),
                                   HasSubstr("#define Transfer_value 0x5\n")));
}

TEST(McHeader, DerivesSymbolsThatAreMissing) {
    const CppHeader header = header_of(
        R"(<channels><channel name="Demo/Op" chid="OP" type="Operational"/></channels><levels><level name="Low" value="20"/></levels>
<tasks><task name="A b" value="3"/></tasks><opcodes><opcode name="O" value="12"/></opcodes><keywords><keyword name="K" mask="0x4"/></keywords>
<events><event value="10" version="1" channel="OP" level="Low" task="A b" opcode="O" keywords="K"/></events>)");
    EXPECT_THAT(header.notes, IsEmpty());
    EXPECT_THAT(
        header.text,
        AllOf(HasSubstr("#define DEMO_CHANNEL_OP 0x10\n"),
              HasSubstr("#define DEMO_LEVEL_Low 0x14\n"), HasSubstr("#define DEMO_TASK_A_b 0x3\n"),
              HasSubstr("#define DEMO_OPCODE_O 0xc\n"), HasSubstr("#define DEMO_KEYWORD_K 0x4\n"),
              HasSubstr("EVENT_DESCRIPTOR DEMO_EVENT_0xa_1_10_14_c_3_8000000000000004 = {0xa, 0x1, "
                        "0x10, 0x14, 0xc, 0x3, 0x8000000000000004};\n")));
}

TEST(McHeader, FollowsTheSwitchesOfTheMessageCompiler) {
    const McHeaderOptions options{
        .write_prefix = "Log", .cut_prefix = "O", .kernel = true, .callout = true};
    EXPECT_THAT(
        header_of_template(data("A", "Int8"), options).text,
        AllOf(HasSubstr("#define Logne(Activity, A) \\\n    (MCGEN_EVENT_ENABLED(ne) ? "
                        "_mcgen_TEMPLATE_FOR_One(&DEMO_Context, &One, Activity, A) : 0)\n"),
              HasSubstr("McTemplateK0c_"), HasSubstr("#define DEMO_EventWriteActivity 1\n"),
              HasSubstr("    MCGEN_CALLOUT(Context->RegistrationHandle, Descriptor, 1, EventData + "
                        "1);\n"),
              HasSubstr("    _In_opt_ LPCGUID Activity,\n")));
    const auto refused = write_mc_header(parse_provider(""), {.write_prefix = "a b"});
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_option);
}

TEST(McHeader, OmitsWriteMacrosThatCannotWork) {
    std::string many;
    for (int i = 0; i < 128; ++i) {
        many += data(fmt::format("F{}", i), "Int8");
    }
    const CppHeader header = header_of_template(many);
    EXPECT_THAT(header.notes,
                ElementsAre("event 1 version 0 of Demo has no write macro: more than 127 data "
                            "descriptors"));
    EXPECT_THAT(header.text,
                AllOf(Not(HasSubstr("EventWriteOne(")), HasSubstr("EventEnabledOne()")));
}

TEST(McHeader, WritesProvidersWithoutCodeNames) {
    const auto header = write_mc_header(parse_provider(R"(<events><event value="1"/></events>)"));
    ASSERT_TRUE(header.has_value());
    EXPECT_THAT(header->text, AllOf(HasSubstr("GUID Demo = {0x6d7a2a4c, 0x53b4, 0x4a0b, {0x9e, "),
                                    HasSubstr("#define EventRegisterDemo() \\\n")));
}

} // namespace
} // namespace etl::authoring::mc_header_test
