#include "authoring/limits.hpp"
#include "authoring/manifest_writer.hpp"
#include "authoring/validate.hpp"
#include "tests/unit/meaning/schema/manifest_in.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace etl::authoring::validate_test {
namespace {

using namespace schema;

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Severity = ManifestFinding::Severity;

Validation validate_text(std::string_view text) {
    return validate_manifest(as_bytes_of(text));
}

/// Findings of one provider as `error: text`, in the order of the file.
std::vector<std::string> findings_in(std::string_view inside, std::string_view strings = {}) {
    const std::string text = fmt::format(
        R"xml(<instrumentationManifest><instrumentation><events>
<provider name="Demo" guid="{}" symbol="DEMO" resourceFileName="d.dll" messageFileName="d.dll">{}</provider>
</events></instrumentation><localization><resources culture="en-US"><stringTable>{}</stringTable></resources></localization>
</instrumentationManifest>)xml",
        test_guid, inside, strings);
    std::vector<std::string> lines;
    for (const ManifestFinding& finding : validate_text(text).findings) {
        EXPECT_GT(finding.line, 0U);
        EXPECT_GT(finding.column, 0U);
        lines.push_back((finding.severity == Severity::error ? "error: " : "warning: ") +
                        finding.text);
    }
    return lines;
}

std::vector<std::string> findings_of_items(std::string_view items, std::string_view parts = {}) {
    return findings_in(fmt::format(R"xml({}<templates><template tid="T">{}</template></templates>
<events><event value="1" template="T"/></events>)xml",
                                   parts, items));
}

std::vector<std::string> findings_of_event(std::string_view attributes,
                                           std::string_view parts = {}) {
    return findings_in(
        fmt::format(R"xml({}<events><event value="1" {}/></events>)xml", parts, attributes));
}

constexpr std::string_view full =
    R"xml(<channels><importChannel chid="S" name="System"/><channel chid="A" name="Demo/Admin" type="Admin" value="16" enabled="true"/></channels>
<levels><level name="Loud" value="16" message="$(string.text)"/></levels>
<tasks><task name="Brew" value="1" symbol="BREW"><opcodes><opcode name="Pour" value="10"/></opcodes></task></tasks>
<opcodes><opcode name="Spill" value="11"/></opcodes>
<keywords><keyword name="Hot" mask="0x1"/></keywords>
<maps><valueMap name="Sort"><map value="1" message="$(string.text)"/></valueMap>
<bitMap name="Bits"><map value="0x2" message="$(string.text)"/></bitMap></maps>
<templates><template tid="T"><data name="Size" inType="win:UInt16" map="Sort"/>
<data name="Bytes" inType="win:Binary" length="Size"/><data name="Address" inType="win:Binary" outType="win:IPv6"/>
<struct name="S" count="Size"><data name="Flags" inType="win:UInt32" map="Bits"/><data name="Text" inType="win:UnicodeString" length="12"/></struct>
<UserData><Tea><Pot>%1</Pot></Tea></UserData></template></templates>
<events><event value="1" symbol="POURED" channel="A" level="win:Error" task="Brew" opcode="Pour" keywords="Hot win:SQM" template="T" message="$(string.text)"/>
<event value="1" version="1" symbol="SPILT" channel="S" level="Loud" task="win:None" opcode="win:Start"/></events>)xml";

TEST(ValidateManifest, FindsNothingInAFullAndRightOne) {
    EXPECT_THAT(findings_in(full, R"xml(<string id="text" value="Text %1 %4"/>)xml"), IsEmpty());
}

TEST(ValidateManifest, SaysLineAndColumn) {
    const Validation result = validate_text("<instrumentationManifest><instrumentation><events>\n"
                                            "  <provider/></events></instrumentation>"
                                            "</instrumentationManifest>");
    ASSERT_FALSE(result.findings.empty());
    EXPECT_EQ(result.findings.front().line, 2U);
    EXPECT_EQ(result.findings.front().column, 4U);
    EXPECT_EQ(result.errors, 3U) << "name, guid, symbol";
    EXPECT_EQ(result.warnings, 2U) << "files";
}

TEST(ValidateManifest, FindsWhatIsNoManifest) {
    for (const char* text : {"", "<open", "<doc/>", "no xml at all"}) {
        EXPECT_GT(validate_text(text).errors, 0U) << text;
    }
    const Validation raw = validate_text(
        manifest_with(R"xml(<keywords><keyword name="a"b" mask="1"/></keywords>)xml"));
    EXPECT_TRUE(std::ranges::any_of(raw.findings, [](const ManifestFinding& finding) {
        return finding.text.find("not well-formed") != std::string::npos;
    }));
}

TEST(ValidateManifest, FindsProvidersThatAreNotOne) {
    const std::string provider = fmt::format(
        R"xml(<provider name="P" guid="{}" symbol="2P" resourceFileName="x" messageFileName="x"/>)xml",
        test_guid);
    const Validation result = validate_text(
        "<instrumentationManifest><instrumentation><events>" + provider + provider +
        R"xml(<provider name="Q" guid="{12}" symbol="Q" resourceFileName="x" messageFileName="x"/>)xml"
        "</events></instrumentation></instrumentationManifest>");
    std::vector<std::string> texts;
    for (const ManifestFinding& finding : result.findings) {
        texts.push_back(finding.text);
    }
    EXPECT_THAT(texts,
                ElementsAre(HasSubstr("`2P` is not a C identifier"), HasSubstr("two providers"),
                            HasSubstr("provider `P` is defined twice"),
                            HasSubstr("`2P` is not a C identifier"), HasSubstr("is not a GUID")));
}

TEST(ValidateManifest, FindsUndeclaredNamesOfEvents) {
    EXPECT_THAT(findings_of_event(R"xml(channel="C")xml"), ElementsAre(HasSubstr("channel `C`")));
    EXPECT_THAT(findings_of_event(R"xml(level="L")xml"), ElementsAre(HasSubstr("level `L`")));
    EXPECT_THAT(findings_of_event(R"xml(task="T")xml"), ElementsAre(HasSubstr("task `T`")));
    EXPECT_THAT(findings_of_event(R"xml(opcode="O")xml"), ElementsAre(HasSubstr("opcode `O`")));
    EXPECT_THAT(findings_of_event(R"xml(keywords="K win:SQM")xml"),
                ElementsAre(HasSubstr("keyword `K`")));
    EXPECT_THAT(findings_of_event(R"xml(template="T")xml"), ElementsAre(HasSubstr("template `T`")));
    EXPECT_THAT(findings_of_event(R"xml(message="$(string.x)")xml"),
                ElementsAre("error: string `x` is not defined"));
    EXPECT_THAT(findings_of_event(R"xml(message="literal")xml"),
                ElementsAre(HasSubstr("not a string reference")));
    EXPECT_THAT(findings_of_event(R"xml(tempate="T")xml"), ElementsAre(HasSubstr("warning")));
}

TEST(ValidateManifest, FindsOpcodesOfAnotherTask) {
    constexpr std::string_view tasks =
        R"xml(<tasks><task name="A" value="1"><opcodes><opcode name="O" value="10"/></opcodes></task><task name="B" value="2"/></tasks>)xml";
    EXPECT_THAT(findings_of_event(R"xml(task="A" opcode="O")xml", tasks), IsEmpty());
    EXPECT_THAT(findings_of_event(R"xml(task="B" opcode="O")xml", tasks),
                ElementsAre(HasSubstr("opcode `O`")));
}

TEST(ValidateManifest, FindsDuplicates) {
    EXPECT_THAT(
        findings_in(
            R"xml(<events><event value="1" symbol="A"/><event value="0x1" symbol="B"/></events>)xml"),
        ElementsAre(HasSubstr("event 1 version 0 is defined twice")));
    EXPECT_THAT(
        findings_in(
            R"xml(<events><event value="1" symbol="A"/><event value="2" symbol="A"/></events>)xml"),
        ElementsAre(HasSubstr("symbol `A`")));
    EXPECT_THAT(
        findings_in(
            R"xml(<levels><level name="A" value="16"/><level name="A" value="17"/><level name="B" value="17"/></levels>)xml"),
        ElementsAre(HasSubstr("level `A` is declared twice"),
                    HasSubstr("level `B` has the same value as `A`")));
    EXPECT_THAT(
        findings_in(
            {},
            R"xml(<string id="a" value="x"/><string id="a" value="x"/><string id="a" value="y"/>)xml"),
        ElementsAre("warning: string `a` is defined twice with the same text",
                    "error: string `a` is defined twice with different texts"));
    EXPECT_THAT(
        findings_of_items(
            R"xml(<data name="A" inType="win:Int8"/><data name="A" inType="win:Int8"/>)xml"),
        ElementsAre(HasSubstr("field `A` is declared twice")));
}

TEST(ValidateManifest, FindsValuesOutOfTheirRanges) {
    EXPECT_THAT(
        findings_in(
            R"xml(<channels><channel name="C" type="Wrong" value="15" isolation="None"/></channels>
<levels><level name="L" value="15"/><level name="M" value="256"/><level name="win:Error" value="2"/></levels>
<tasks><task name="T" value="0"/><task name="U" value="65536" eventGUID="x"/></tasks>
<opcodes><opcode name="O" value="9"/><opcode name="P" value="240"/><opcode name="win:Start" value="1"/></opcodes>
<keywords><keyword name="K" mask="0x3"/><keyword name="Z" mask="0"/><keyword name="H" mask="0x8000000000000000"/></keywords>
<events><event value="65536"/><event value="1" version="256"/></events>)xml"),
        ElementsAre(HasSubstr("isolation"), HasSubstr("type `Wrong`"),
                    HasSubstr("value 15 of channel"), HasSubstr("value 15 of level"),
                    HasSubstr("up to 255: `256`"), HasSubstr("reserved for no task"),
                    HasSubstr("up to 65535"), HasSubstr("eventGUID"),
                    HasSubstr("value 9 of opcode"), HasSubstr("value 240 of opcode"),
                    HasSubstr("0x3"), HasSubstr("0x0"), HasSubstr("reserved for Windows"),
                    HasSubstr("value `65536`"), HasSubstr("version `256`")));
}

TEST(ValidateManifest, FindsANinthChannel) {
    std::string channels;
    for (int i = 0; i < 9; ++i) {
        channels += fmt::format(R"xml(<channel name="C{}" type="Debug"/>)xml", i);
    }
    EXPECT_THAT(findings_in("<channels>" + channels + "</channels>"),
                ElementsAre(HasSubstr("at most eight")));
}

TEST(ValidateManifest, AsksEventsOfAdminChannelsForAMessageAndASevereLevel) {
    EXPECT_THAT(
        findings_of_event(
            R"xml(channel="A" level="win:Verbose")xml",
            R"xml(<channels><channel chid="A" name="Demo/Admin" type="Admin"/></channels>)xml"),
        ElementsAre(HasSubstr("no message"), HasSubstr("not of level")));
}

TEST(ValidateManifest, FindsTypesThatAreNone) {
    EXPECT_THAT(findings_of_items(R"xml(<data name="A" inType="win:Uint33"/>)xml"),
                ElementsAre(HasSubstr("error: field `A` has an unknown in type")));
    EXPECT_THAT(findings_of_items(R"xml(<data name="A" inType="win:31"/>)xml"),
                ElementsAre(HasSubstr("unknown in type")));
    EXPECT_THAT(findings_of_items(R"xml(<data name="A" inType="win:CountedUtf16String"/>)xml"),
                ElementsAre(HasSubstr("unknown in type")));
    EXPECT_THAT(findings_of_items(R"xml(<data name="A" inType="trace:WBEMSid"/>)xml"),
                ElementsAre(HasSubstr("warning")));
    EXPECT_THAT(findings_of_items(R"xml(<data name="A" inType="win:Int8" outType="xs:word"/>)xml"),
                ElementsAre(HasSubstr("unknown out type")));
    EXPECT_THAT(findings_of_items(R"xml(<data name="A" inType="win:Int8" outType="win:IPv4"/>)xml"),
                ElementsAre(HasSubstr("cannot have the out type")));
}

TEST(ValidateManifest, FindsLengthsAndCountsThatLeadNowhere) {
    const auto with = [](std::string_view second) {
        return findings_of_items(fmt::format(
            R"xml(<data name="N" inType="win:UInt16"/><data name="Text" inType="win:UnicodeString"/><data name="Many" inType="win:UInt16" count="2"/>
<data name="Big" inType="win:Int64"/><data name="A B" inType="win:UInt8"/>{}<data name="Late" inType="win:UInt8"/>)xml",
            second));
    };
    const auto blank = HasSubstr("`A B` is not an identifier");
    EXPECT_THAT(with(R"xml(<data name="X" inType="win:Binary" length="N"/>)xml"),
                ElementsAre(blank));
    EXPECT_THAT(with(R"xml(<data name="X" inType="win:Binary"/>)xml"),
                ElementsAre(blank, HasSubstr("has no length")));
    EXPECT_THAT(with(R"xml(<data name="X" inType="win:Binary" length="Late"/>)xml"),
                ElementsAre(blank, HasSubstr("a later field")));
    EXPECT_THAT(with(R"xml(<data name="X" inType="win:Binary" length="X"/>)xml"),
                ElementsAre(blank, HasSubstr("the field itself")));
    EXPECT_THAT(with(R"xml(<data name="X" inType="win:Binary" length="AB:"/>)xml"),
                ElementsAre(blank, HasSubstr("similar: `A B`")));
    EXPECT_THAT(with(R"xml(<data name="X" inType="win:Int8" count="Text"/>)xml"),
                ElementsAre(blank, HasSubstr("not a single integer")));
    EXPECT_THAT(with(R"xml(<data name="X" inType="win:Int8" count="Many"/>)xml"),
                ElementsAre(blank, HasSubstr("not a single integer")));
    EXPECT_THAT(with(R"xml(<data name="X" inType="win:Int8" count="Big"/>)xml"),
                ElementsAre(blank, HasSubstr("warning")));
    EXPECT_THAT(with(R"xml(<data name="X" inType="win:Int8" count="0"/>)xml"),
                ElementsAre(blank, HasSubstr("not in 1 to 65535")));
    EXPECT_THAT(with(R"xml(<data name="X" inType="win:Int8" length="4"/>)xml"),
                ElementsAre(blank, HasSubstr("cannot have a length")));
}

TEST(ValidateManifest, FindsWrongStructuresMapsAndUserData) {
    EXPECT_THAT(findings_of_items(
                    R"xml(<struct name="S"><struct name="T"/></struct><struct name="E"/>)xml"),
                ElementsAre(HasSubstr("nested in a structure"), HasSubstr("has no fields")));
    EXPECT_THAT(findings_of_items(R"xml(<data name="A" inType="win:Int64" map="M"/>)xml"),
                ElementsAre(HasSubstr("cannot have a map"), HasSubstr("map `M`")));
    EXPECT_THAT(
        findings_in(
            R"xml(<maps><valueMap name="M"/><bitMap name="B"><map value="3" message="$(string.t)"/><map value="3"/></bitMap></maps>)xml",
            R"xml(<string id="t" value="x"/>)xml"),
        testing::IsSupersetOf({HasSubstr("map `M` has no entries"), HasSubstr("0x3"),
                               HasSubstr("duplicate value"), HasSubstr("`message`"),
                               HasSubstr("map `B` is not used")}));
    EXPECT_THAT(findings_of_items(R"xml(<UserData><A/><B c="%1"/></UserData>)xml"),
                ElementsAre(HasSubstr("2 elements"), HasSubstr("%1")));
}

TEST(ValidateManifest, FindsInsertsWithoutFieldsAndTextBetweenElements) {
    EXPECT_THAT(
        findings_in(R"xml(<events>stray<event value="1" message="$(string.t)"/></events>)xml",
                    R"xml(<string id="t" value="100%% of %3 and %n"/>)xml"),
        ElementsAre(HasSubstr("text in events: `stray`"), HasSubstr("insert %3")));
}

TEST(ValidateManifest, FindsNothingInWhatTheWriterWrites) {
    const auto written = write_manifest(
        parse_text(manifest_with(full, R"xml(<string id="text" value="Text %1 "/>)xml")));
    ASSERT_TRUE(written);
    const Validation result = validate_text(written->text);
    EXPECT_EQ(result.errors, 0U) << result.findings.front().text << "\n" << written->text;
}

TEST(ValidateManifest, CountsWhatItDoesNotList) {
    std::string events;
    for (int i = 0; i < 2000; ++i) {
        events += R"xml(<event value="1"/>)xml";
    }
    const Validation result = validate_text(manifest_with("<events>" + events + "</events>"));
    EXPECT_EQ(result.errors, 1999U);
    EXPECT_EQ(result.findings.size(), 1000U);
}

TEST(Validate, QuotesLongNamesInPart) {
    const std::string name(10'000, 'n');
    const std::string accents = "a" + [] {
        std::string text;
        for (int i = 0; i < 1000; ++i) {
            text += "\xC3\xA9";
        }
        return text;
    }();
    const auto levels = [](std::string_view of) {
        return findings_in(fmt::format(R"xml(<levels><level name="{0}" value="16" symbol="-{0}"/>
<level name="{0}" value="1{0}"/><level name="x{0}" value="16"/></levels>)xml",
                                       of));
    };
    EXPECT_THAT(levels(name),
                Contains(fmt::format("error: level `{}` is declared twice", name.substr(0, 200))));
    EXPECT_THAT(levels(accents), Contains(fmt::format("error: level `{}` is declared twice",
                                                      accents.substr(0, 199))));
    for (const std::string& line : levels(name)) {
        EXPECT_LT(line.size(), 1000U);
    }
    const auto items = findings_of_items(fmt::format(
        R"xml(<data name="{0}:" inType="win:UInt8"/><data name="b" inType="win:Binary" length="{0} x"/>)xml",
        name));
    ASSERT_FALSE(items.empty());
    for (const std::string& line : items) {
        EXPECT_LT(line.size(), 1000U);
    }
}

TEST(Validate, CountsWhatItNoLongerDescribes) {
    std::string fields;
    for (int i = 0; i < 3000; ++i) {
        fields += fmt::format(R"xml(<data name="f{0}" inType="win:UInt8" count="g{0}"/>)xml", i);
    }
    const Validation result = validate_text(fmt::format(
        R"xml(<instrumentationManifest><instrumentation><events><provider name="Demo" guid="{}"
symbol="DEMO" resourceFileName="d.dll" messageFileName="d.dll"><templates><template tid="T">{}</template>
</templates><events><event value="1" template="T"/></events></provider></events></instrumentation>
</instrumentationManifest>)xml",
        test_guid, fields));
    EXPECT_EQ(result.findings.size(), limits::manifest_findings);
    EXPECT_EQ(result.errors, 3000U);
}

} // namespace
} // namespace etl::authoring::validate_test
