#include <etl/byte_writer.hpp>

#include "base/text.hpp"
#include "format/limits.hpp"
#include "schema/file_text.hpp"
#include "schema/limits.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/manifest_archive.hpp"
#include "tests/unit/meaning/schema/manifest_in.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

namespace etl::schema::manifest_test {

namespace {

using namespace etl::literals;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

FileError rejection(std::string_view text) {
    const auto manifest = parse_manifest(as_bytes_of(text));
    EXPECT_FALSE(manifest);
    return manifest ? FileError{} : manifest.error();
}

TEST(Manifest, ReadsAWholeEvent) {
    const EventSchema event = event_of(R"(
        <channels><channel chid="Op" name="Demo/Operational" type="Operational"/></channels>
        <tasks><task name="Queue" value="2"/></tasks>
        <keywords><keyword name="Io" mask="0x10"/><keyword name="Net" mask="0x20"/></keywords>
        <templates><template tid="T"><data name="Handle" inType="win:Pointer"/></template></templates>
        <events><event value="7" version="1" symbol="QueueOpened" channel="Op" level="win:Informational"
            task="Queue" opcode="win:Start" keywords="Io win:ResponseTime	Net" template="T"
            message='$(string.opened)'/></events>)",
                                       R"(<string id="opened" value="Queue opened by %1"/>)");
    EXPECT_EQ(event.origin, Origin::manifest);
    EXPECT_EQ(event.id, 7);
    EXPECT_EQ(event.version, 1);
    EXPECT_EQ(event.channel, 16);
    EXPECT_EQ(event.level, 4);
    EXPECT_EQ(event.task, 2);
    EXPECT_EQ(event.opcode, 1);
    EXPECT_EQ(event.keyword, 0x0001000000000030U);
    EXPECT_EQ(event.symbol, "QueueOpened");
    EXPECT_EQ(event.event_name, "Queue/Start");
    EXPECT_EQ(event.message, "Queue opened by %1");
    ASSERT_EQ(event.fields.size(), 1U);
    EXPECT_EQ(event.fields[0].name, "Handle");
    ASSERT_NE(event.provider, nullptr);
    EXPECT_EQ(event.provider->name, "Demo");
    EXPECT_EQ(event.provider->guid, parse_guid(test_guid));
}

TEST(Manifest, AcceptsAssemblyRootsAndForeignSubtrees) {
    const SchemaSet manifest = parse_text(R"(<?xml version="1.0" encoding="utf-8"?>
<!-- leading -->
<assembly xmlns="urn:schemas-microsoft-com:asm.v3"><assemblyIdentity name="x"/>
<registryKeys><registryKey><instrumentationless/></registryKey></registryKeys>
<e:instrumentation xmlns:e="http://schemas.microsoft.com/win/2004/08/events">
<counters xmlns="other"><provider guid="{00000000-0000-0000-0000-000000000009}"/></counters>
<e:events><e:provider name="A" guid="11111111-2222-3333-4444-555555555555">
  <e:events><e:event value="1"/></e:events> <e:events><e:event value="2"/></e:events>
</e:provider></e:events></e:instrumentation></assembly>)");
    ASSERT_EQ(manifest.providers.size(), 1U);
    EXPECT_EQ(manifest.providers[0]->guid, "11111111-2222-3333-4444-555555555555"_guid);
    ASSERT_EQ(manifest.events.size(), 2U) << "events may repeat";
    EXPECT_EQ(manifest.events[1]->id, 2);
}

TEST(Manifest, KeepsProvidersApart) {
    const SchemaSet manifest = parse_text(R"(<instrumentationManifest><instrumentation><events>
<provider name="A" guid="{11111111-2222-3333-4444-555555555555}"><tasks><task name="T" value="1"/></tasks>
  <events><event value="1" task="T"/></events></provider>
<provider name="B" guid="{99999999-2222-3333-4444-555555555555}"><tasks><task name="T" value="9"/></tasks>
  <events><event value="1" task="T"/></events></provider>
</events></instrumentation></instrumentationManifest>)");
    ASSERT_EQ(manifest.events.size(), 2U);
    EXPECT_EQ(manifest.events[0]->task, 1);
    EXPECT_EQ(manifest.events[1]->task, 9);
    EXPECT_EQ(manifest.events[1]->provider->name, "B");
}

TEST(Manifest, ReadsUtf16) {
    ByteWriter file;
    file.u16(0xFEFF).text16(
        to_utf16(manifest_with("<events><event value='3' symbol='Überlauf'/></events>")));
    const auto manifest = parse_manifest(file.view());
    ASSERT_TRUE(manifest);
    EXPECT_EQ(manifest->events.at(0)->symbol, "Überlauf");
}

TEST(Manifest, EventSourceManifestsSayWhereTheyCameFrom) {
    const SchemaSet manifest =
        parse_text(manifest_with("<events><event value='65533' level='win:LogAlways'/></events>"),
                   {.origin = Origin::eventsource});
    EXPECT_EQ(manifest.events.at(0)->origin, Origin::eventsource);
}

TEST(Manifest, RepairsAttributeValuesAndSaysWhere) {
    const std::string text =
        "<instrumentationManifest><instrumentation><events>\n"
        "<provider name=\"P\" guid=\"{11111111-2222-3333-4444-555555555555}\">\n"
        "<maps><valueMap name=\"M\"><map value=\"1\"\n"
        " message=\"$(string.x\"No mode\")\"/></valueMap></maps>\n"
        "<templates><template tid=\"T\"><data name=\"f\" inType=\"win:UInt8\" map=\"M\"/>"
        "</template></templates><events><event value=\"1\" template=\"T\"/></events>"
        "</provider></events></instrumentation><localization><resources><stringTable>\n"
        "<string id=\"x\"No mode\"\" value=\"\"No mode\"\"/>"
        "</stringTable></resources></localization></instrumentationManifest>";
    const SchemaSet manifest = parse_text(text);
    ASSERT_EQ(manifest.notes.size(), 3U);
    EXPECT_EQ(manifest.notes[0].line, 4U);
    EXPECT_EQ(manifest.notes[1].line, 6U);
    EXPECT_THAT(manifest.notes[0].text, HasSubstr("repaired"));
    EXPECT_EQ(manifest.events.at(0)->maps.at(0)->entries.at(0).second, "\"No mode\"");
}

TEST(Manifest, RejectsWhatIsNoManifest) {
    EXPECT_THAT(rejection("").reason, HasSubstr("not well-formed"));
    EXPECT_THAT(rejection("<doc><members/></doc>").reason, HasSubstr("no provider"));
    EXPECT_THAT(rejection("plain text").reason, HasSubstr("not well-formed"));
}

TEST(Manifest, NamesTheLineWhereXmlBreaks) {
    const FileError error = rejection("<a>\n<b>\n</c>\n</a>");
    EXPECT_EQ(error.line, 3U);
    EXPECT_THAT(error.reason, HasSubstr("not well-formed"));
}

TEST(Manifest, RejectsFilesBeyondTheLimit) {
    const std::vector<std::byte> large(limits::manifest_file_bytes + 1, std::byte{' '});
    const auto manifest = parse_manifest(large);
    ASSERT_FALSE(manifest);
    EXPECT_THAT(manifest.error().reason, HasSubstr("larger than 64 MB"));
}

TEST(Manifest, PassesOverProvidersWithoutGuid) {
    const SchemaSet manifest = parse_text(R"(<instrumentationManifest><instrumentation><events>
<provider name="Broken" guid="{oops}"/>
<provider name="Good" guid="{11111111-2222-3333-4444-555555555555}"/>
</events></instrumentation></instrumentationManifest>)");
    ASSERT_EQ(manifest.providers.size(), 1U);
    ASSERT_EQ(manifest.notes.size(), 1U);
    EXPECT_EQ(manifest.notes[0].line, 2U);
    EXPECT_THAT(manifest.notes[0].text, HasSubstr("Broken"));
}

TEST(Manifest, PassesOverEventsWithoutNumber) {
    const SchemaSet manifest =
        parse_provider("<events><event/><event value='65536'/><event value='1' "
                       "version='256'/><event value='0xFF'/></events>");
    ASSERT_EQ(manifest.events.size(), 1U);
    EXPECT_EQ(manifest.events[0]->id, 255);
    EXPECT_EQ(manifest.notes.size(), 3U);
}

TEST(Manifest, AnUndefinedTemplateIsNothingThatCanBeDecoded) {
    const SchemaSet manifest =
        parse_provider("<events><event value='1' template='Gone'/></events>");
    ASSERT_EQ(manifest.events.size(), 1U);
    ASSERT_EQ(manifest.events[0]->fields.size(), 1U);
    EXPECT_EQ(manifest.events[0]->fields[0].count.kind, Extent::Kind::unknown);
    EXPECT_EQ(manifest.notes.size(), 1U);
}

TEST(Manifest, KeepsBothOfTwoEventsWithOneIdentity) {
    const SchemaSet manifest = parse_provider(
        "<events><event value='1' symbol='a'/><event value='1' symbol='b'/></events>");
    EXPECT_EQ(manifest.events.size(), 2U);
}

TEST(Manifest, BoundsTheMemoryOfItsSchemas) {
    // One long message that every event names: each copy is small in the file and large in memory.
    std::string events;
    for (int i = 0; i < 3000; ++i) {
        events += "<event value='1' message='$(string.m)'/>";
    }
    const std::string text =
        manifest_with("<events>" + events + "</events>",
                      "<string id='m' value='" + std::string(100'000, 'x') + "'/>");
    EXPECT_THAT(rejection(text).reason, HasSubstr("256 MB"));
}

TEST(Manifest, BoundsTheSizeOfTheDocument) {
    std::string inside;
    for (std::size_t i = 0; i <= limits::manifest_nodes / 2; ++i) {
        inside += "<a/>";
    }
    EXPECT_THAT(rejection(manifest_with(inside)).reason, HasSubstr("elements"));
}

TEST(Manifest, SurvivesDeepNesting) {
    constexpr int depth = 200'000;
    std::string deep;
    for (int i = 0; i < depth; ++i) {
        deep += "<d>";
    }
    for (int i = 0; i < depth; ++i) {
        deep += "</d>";
    }
    const SchemaSet manifest = parse_provider(
        "<junk>" + deep + "</junk><templates><template tid='T'><UserData>" + deep +
        "</UserData></template></templates><events><event value='1' template='T'/></events>");
    ASSERT_EQ(manifest.events.size(), 1U);
    EXPECT_GT(manifest.events[0]->user_data.size(), std::size_t{depth});
}

TEST(Manifest, LeavesOutRemarksBeyondTheLimit) {
    std::string events;
    for (std::size_t i = 0; i < limits::manifest_notes * 2; ++i) {
        events += "<event value='none'/>";
    }
    const SchemaSet manifest = parse_provider("<events>" + events + "</events>");
    ASSERT_EQ(manifest.notes.size(), limits::manifest_notes + 1);
    EXPECT_THAT(manifest.notes.back().text, HasSubstr("omitted"));
}

std::string repaired(std::string_view text) {
    const RepairedText result = repair_attributes(text);
    return result.repaired.empty() ? "unchanged" : result.text;
}

TEST(ManifestText, LeavesWellFormedTextAlone) {
    EXPECT_EQ(repaired(R"(<?xml version="1.0"?><a b="1" c='it"s'  d = "x > y"/><!-- "<" -->)"),
              "unchanged");
    EXPECT_EQ(repaired(R"(<a b="1"><![CDATA[ <x y="z"z"> ]]></a>)"), "unchanged");
}

TEST(ManifestText, EscapesQuotesInsideOfValues) {
    EXPECT_EQ(repaired(R"x(<map message="$(string.x"No mode")"/>)x"),
              R"x(<map message="$(string.x&quot;No mode&quot;)"/>)x");
    EXPECT_EQ(repaired(R"(<map m="run "CHECK /SCAN" locally via" n="2"/>)"),
              R"(<map m="run &quot;CHECK /SCAN&quot; locally via" n="2"/>)");
    EXPECT_EQ(repaired("<map m='it's' n='2'/>"), "<map m='it&apos;s' n='2'/>");
}

TEST(ManifestText, EscapesBracketsInsideOfValues) {
    EXPECT_EQ(repaired(R"(<map m="Token<Property>"/><next/>)"),
              R"(<map m="Token&lt;Property>"/><next/>)");
}

TEST(ManifestText, SaysWhereItRepaired) {
    const RepairedText result = repair_attributes("<a>\n\n<b c=\"x<y\"/>\n<d e=\"p\"q\"/>");
    ASSERT_EQ(result.repaired.size(), 2U);
    const LineIndex lines(result.text);
    EXPECT_EQ(lines.line_of(result.repaired[0]), 3U);
    EXPECT_EQ(lines.line_of(result.repaired[1]), 4U);
}

TEST(ManifestText, LeavesAnUnfinishedValueToTheParser) {
    EXPECT_EQ(repaired(R"(<a b="no end)"), "unchanged");
    EXPECT_EQ(repaired("<a"), "unchanged");
    EXPECT_EQ(repaired("<!-- no end"), "unchanged");
    EXPECT_EQ(repaired(""), "unchanged");
}

TEST(ManifestText, IsLinearInHostileQuotes) {
    std::string text = "<a b=\"";
    for (int i = 0; i < 400'000; ++i) {
        text += "\" c ";
    }
    EXPECT_EQ(repaired(text), "unchanged");
}

TEST(LineIndex, CountsLinesAcrossBlocks) {
    std::string text;
    for (int i = 0; i < 50'000; ++i) {
        text += "line\n";
    }
    const LineIndex lines(text);
    EXPECT_EQ(lines.line_of(0), 1U);
    EXPECT_EQ(lines.line_of(4), 1U) << "the line end belongs to its line";
    EXPECT_EQ(lines.line_of(5), 2U);
    EXPECT_EQ(lines.line_of(5 * 40'000 + 2), 40'001U);
    EXPECT_EQ(lines.line_of(text.size()), 50'001U);
    EXPECT_EQ(LineIndex("").line_of(0), 1U);
}

ByteWriter utf16(std::u16string_view text, bool big_endian) {
    ByteWriter out;
    for (const char16_t unit : text) {
        out.u8(static_cast<std::uint8_t>(big_endian ? unit >> 8U : unit & 0xFFU));
        out.u8(static_cast<std::uint8_t>(big_endian ? unit & 0xFFU : unit >> 8U));
    }
    return out;
}

TEST(ManifestText, DecodesEveryEncodingThatOccurs) {
    EXPECT_EQ(decode_text(utf16(u"\uFEFF<ä/>", false).view()).utf8, "<ä/>");
    EXPECT_EQ(decode_text(utf16(u"\uFEFF<ä/>", true).view()).utf8, "<ä/>");
    EXPECT_EQ(decode_text(utf16(u"<ä/>", false).view()).utf8, "<ä/>") << "no byte order mark";
    EXPECT_EQ(decode_text(utf16(u"<ä/>", true).view()).utf8, "<ä/>") << "no byte order mark";
    EXPECT_EQ(decode_text(as_bytes_of("\xEF\xBB\xBF<ä/>")).utf8, "<ä/>");
    EXPECT_EQ(decode_text(as_bytes_of("<ä/>")).utf8, "<ä/>");
    EXPECT_FALSE(decode_text(as_bytes_of("<ä/>")).assumed_ansi);
    const DecodedText ansi = decode_text(as_bytes_of("<\xE4/>"));
    EXPECT_EQ(ansi.utf8, "<ä/>");
    EXPECT_TRUE(ansi.assumed_ansi);
}

using ::testing::ElementsAre;

constexpr Guid one = "11111111-2222-3333-4444-555555555555"_guid;
constexpr Guid two = "99999999-8888-7777-6666-555555555555"_guid;

std::vector<Guid> scan(std::string_view text) {
    return scan_manifest_providers(as_bytes_of(text));
}

TEST(ScanProviders, FindsGuidsInEverySpelling) {
    EXPECT_THAT(scan(R"(<provider name="x" guid="{11111111-2222-3333-4444-555555555555}">)"),
                ElementsAre(one));
    EXPECT_THAT(scan("<provider\n\tguid = '11111111-2222-3333-4444-555555555555'/>"),
                ElementsAre(one));
    EXPECT_THAT(scan(R"(  <e:provider guid=" {99999999-8888-7777-6666-555555555555} ">)"),
                ElementsAre(two));
}

TEST(ScanProviders, FindsSeveralProvidersOnce) {
    EXPECT_THAT(scan(R"(<a><provider guid="{11111111-2222-3333-4444-555555555555}"/>
        <provider controlguid="{x}" guid="{99999999-8888-7777-6666-555555555555}"/>
        <provider guid="{11111111-2222-3333-4444-555555555555}"/></a>)"),
                ElementsAre(one, two));
}

TEST(ScanProviders, IsNotFooledByOtherWords) {
    EXPECT_THAT(scan(R"(<a provider guid="{11111111-2222-3333-4444-555555555555}"/>)"), IsEmpty());
    EXPECT_THAT(scan(R"(<providers guid="{11111111-2222-3333-4444-555555555555}"/>)"), IsEmpty());
    EXPECT_THAT(scan(R"(<x:myprovider guid="{11111111-2222-3333-4444-555555555555}"/>)"),
                IsEmpty());
    EXPECT_THAT(scan(R"(<provider><event guid="{11111111-2222-3333-4444-555555555555}"/>)"),
                IsEmpty());
    EXPECT_THAT(scan("<provider guid=\"{11111111"), IsEmpty());
    EXPECT_THAT(scan("<provider guid="), IsEmpty());
    EXPECT_THAT(scan("<provider"), IsEmpty());
    EXPECT_THAT(scan(""), IsEmpty());
}

TEST(ScanProviders, PassesOverFilesThatAreNoXml) {
    EXPECT_THAT(scan("MZ <provider guid=\"{11111111-2222-3333-4444-555555555555}\">"), IsEmpty());
}

TEST(ScanProviders, ReadsUtf16) {
    ByteWriter file;
    file.u16(0xFEFF).text16(
        to_utf16(R"(<provider guid="{11111111-2222-3333-4444-555555555555}"/>)"));
    EXPECT_THAT(scan_manifest_providers(file.view()), ElementsAre(one));
}

TEST(ScanProviders, AgreesWithTheParser) {
    const std::string text = manifest_with("<events/>");
    const SchemaSet manifest = parse_text(text);
    ASSERT_EQ(manifest.providers.size(), 1U);
    EXPECT_THAT(scan(text), ElementsAre(manifest.providers.front()->guid));
}

MATCHER_P2(IsExtent, kind, value, "") {
    return arg.kind == kind && arg.value == static_cast<std::uint32_t>(value);
}

constexpr auto natural = Extent::Kind::natural;
constexpr auto fixed = Extent::Kind::fixed;
constexpr auto by_field = Extent::Kind::field;
constexpr auto unknown = Extent::Kind::unknown;

TEST(ManifestTemplates, ReadsTypes) {
    const auto [fields, maps, user_data, notes] = template_of(
        R"(<data name="a" inType="win:UInt32" outType="win:IPv4"/><data name="b" inType="xs:hexInt64"/>
           <data name="c" inType="win:SID" length="a" tags="5"/>)");
    ASSERT_EQ(fields.size(), 3U);
    EXPECT_EQ(fields[0].in_type, InType::uint32);
    EXPECT_EQ(fields[0].out_type, OutType::ipv4);
    EXPECT_EQ(fields[1].in_type, InType::hex_int64);
    EXPECT_EQ(fields[1].out_type, OutType::none) << "the decoder knows the default";
    EXPECT_THAT(fields[2].length, IsExtent(natural, 0)) << "a SID has its size in itself";
    EXPECT_EQ(fields[2].tags, 5U);
    EXPECT_THAT(notes, IsEmpty());
}

TEST(ManifestTemplates, ReadsLengthsAndCounts) {
    const auto [fields, maps, user_data, notes] = template_of(
        R"(<data name="n" inType="win:UInt16"/>
           <data name="fixed text" inType="win:UnicodeString" length="16"/>
           <data name="counted" inType="win:Binary" length="n"/>
           <data name="array" inType="win:UInt32" count="n"/>
           <data name="one" inType="win:UInt32" count="1"/>
           <data name="both" inType="win:AnsiString" length="0x8" count="n"/>
           <data name="plain" inType="win:UnicodeString"/>
           <data name="number" inType="win:UInt32" length="4"/>)");
    ASSERT_EQ(fields.size(), 8U);
    EXPECT_TRUE(fields[0].referenced);
    EXPECT_THAT(fields[1].length, IsExtent(fixed, 16));
    EXPECT_THAT(fields[2].length, IsExtent(by_field, 0));
    EXPECT_THAT(fields[2].count, IsExtent(natural, 0));
    EXPECT_THAT(fields[3].count, IsExtent(by_field, 0));
    EXPECT_THAT(fields[4].count, IsExtent(fixed, 1)) << "an array of one";
    EXPECT_THAT(fields[5].length, IsExtent(fixed, 8));
    EXPECT_THAT(fields[5].count, IsExtent(by_field, 0));
    EXPECT_THAT(fields[6].length, IsExtent(natural, 0));
    EXPECT_THAT(fields[7].length, IsExtent(natural, 0));
    EXPECT_FALSE(fields[1].referenced);
}

TEST(ManifestTemplates, NamesGoBeforeNumbers) {
    const auto fields = template_of(R"(<data name="1" inType="win:UInt32"/>
                                       <data name="x" inType="win:Binary" length="1"/>)")
                            .fields;
    EXPECT_THAT(fields.at(1).length, IsExtent(by_field, 0));
}

TEST(ManifestTemplates, ReferencesForwardAndToOneselfAreUnknown) {
    const auto [fields, maps, user_data, notes] = template_of(
        R"(<data name="x" inType="win:Binary" length="later"/><data name="self" inType="win:UInt32" count="self"/>
           <data name="later" inType="win:UInt32"/><data name="y" inType="win:Binary" length="nobody"/>)");
    EXPECT_THAT(fields.at(0).length, IsExtent(unknown, 0));
    EXPECT_THAT(fields.at(1).count, IsExtent(unknown, 0));
    EXPECT_THAT(fields.at(3).length, IsExtent(unknown, 0));
    ASSERT_EQ(notes.size(), 3U);
    EXPECT_THAT(notes[0].text, HasSubstr("later"));
}

TEST(ManifestTemplates, StructuresAreFollowedByTheirMembers) {
    const auto fields = template_of(
                            R"(<data name="n" inType="win:UInt32"/>
           <struct name="s" count="n"><data name="size" inType="win:UInt8"/>
             <data name="text" inType="win:AnsiString" length="size"/>
             <data name="outer" inType="win:Binary" length="n"/></struct>
           <data name="after" inType="win:Binary" length="size"/>)")
                            .fields;
    ASSERT_EQ(fields.size(), 6U);
    EXPECT_EQ(fields[1].in_type, InType::structure);
    EXPECT_EQ(fields[1].members, 3U);
    EXPECT_THAT(fields[1].count, IsExtent(by_field, 0));
    EXPECT_THAT(fields[3].length, IsExtent(by_field, 2));
    EXPECT_THAT(fields[4].length, IsExtent(by_field, 0));
    EXPECT_THAT(fields[5].length, IsExtent(unknown, 0)) << "a member is not seen from outside";
}

TEST(ManifestTemplates, BoundsNestedStructures) {
    std::string items;
    for (std::uint32_t i = 0; i < format::max_struct_depth + 3; ++i) {
        items += "<struct name='s'>";
    }
    for (std::uint32_t i = 0; i < format::max_struct_depth + 3; ++i) {
        items += "</struct>";
    }
    const auto result = template_of(items);
    EXPECT_EQ(result.fields.size(), format::max_struct_depth);
    ASSERT_EQ(result.notes.size(), 1U);
    EXPECT_THAT(result.notes[0].text, HasSubstr("too deep"));
}

TEST(ManifestTemplates, StopsAtTooManyFields) {
    std::string items;
    for (std::uint32_t i = 0; i < limits::fields + 10; ++i) {
        items += "<data name='x' inType='win:UInt8'/>";
    }
    const auto result = template_of(items);
    ASSERT_EQ(result.fields.size(), limits::fields);
    EXPECT_THAT(result.fields.back().count, IsExtent(unknown, 0));
    EXPECT_EQ(result.notes.size(), 1U);
}

TEST(ManifestTemplates, BinaryWithoutLengthIsTheRestButAnIpv6AddressHas16Bytes) {
    const auto fields = template_of(R"(<data name="ip" inType="win:Binary" outType="win:IPv6"/>
                                       <data name="rest" inType="win:Binary"/>)")
                            .fields;
    EXPECT_THAT(fields.at(0).length, IsExtent(fixed, 16));
    EXPECT_THAT(fields.at(1).length, IsExtent(natural, 0));
}

TEST(ManifestTemplates, CannotDecodeWhatIsOnlyTheShadowOfAStructure) {
    for (const std::string_view type :
         {"win:25", "win:31", "win:50", "win:Struct", "win:CountedUtf16String",
          "win:CountedMbcsString", "win:Nonsense", ""}) {
        const auto result = template_of(fmt::format(R"(<data name="x" inType="{}"/>)", type));
        ASSERT_EQ(result.fields.size(), 1U);
        EXPECT_EQ(result.fields[0].count.kind, unknown) << type;
        EXPECT_EQ(result.notes.size(), 1U) << type;
    }
    EXPECT_EQ(template_of(R"(<data name="x" inType="win:31"/>)").fields.at(0).in_type,
              static_cast<InType>(31));
    EXPECT_EQ(template_of(R"(<data name="x" inType="win:CountedUnicodeString"/>)")
                  .fields.at(0)
                  .count.kind,
              natural);
}

TEST(ManifestTemplates, KnowsTypesOfConvertedClasses) {
    const auto fields =
        template_of(
            R"(<data name="a" inType="trace:Port"/><data name="b" inType="trace:IPAddrV4"/>
           <data name="c" inType="trace:IPAddrV6"/><data name="d" inType="trace:SizeT"/>
           <data name="e" inType="trace:WBEMSid"/><data name="f" inType="trace:WmiTime"/>)")
            .fields;
    ASSERT_EQ(fields.size(), 6U);
    EXPECT_EQ(fields[0].in_type, InType::uint16);
    EXPECT_EQ(fields[0].out_type, OutType::port);
    EXPECT_EQ(fields[1].out_type, OutType::ipv4);
    EXPECT_THAT(fields[2].length, IsExtent(fixed, 16));
    EXPECT_EQ(fields[3].in_type, InType::pointer_sized);
    EXPECT_EQ(fields[4].in_type, InType::wbem_sid);
    EXPECT_EQ(fields[5].out_type, OutType::etw_time);
}

TEST(ManifestTemplates, KeepsTheFragmentOfUserData) {
    const auto result = template_of(
        R"(<data name="a" inType="win:UInt32"/>
           <UserData><Event xmlns="my"><A> %1 </A><B x="%2">&amp;</B></Event></UserData>)");
    EXPECT_EQ(result.user_data, R"(<Event xmlns="my"><A> %1 </A><B x="%2">&amp;</B></Event>)");
    EXPECT_EQ(result.fields.size(), 1U);
}

TEST(ManifestTemplates, IgnoresStrayTextAndForeignElements) {
    const auto result =
        template_of(R"(&gt; <data name="a" inType="win:UInt32"/> > <x:other xmlns:x="y"/>)");
    EXPECT_EQ(result.fields.size(), 1U);
    EXPECT_THAT(result.notes, IsEmpty());
}

} // namespace

// Real manifests, where they are at hand: they are not ours and not part of the project.

namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST(ManifestCorpus, ReadsTheManifestOfARealProvider) {
    const fs::path path = fs::path(test::shared_corpus()) / "tx" / "HTTP_Server.man";
    if (!fs::exists(path)) {
        GTEST_SKIP() << "no " << path;
    }
    const std::string text = read(path);
    const SchemaSet manifest = parse_text(text);
    EXPECT_EQ(manifest.events.size(), 85U);
    EXPECT_TRUE(manifest.notes.empty());
    ASSERT_EQ(manifest.providers.size(), 1U);
    EXPECT_EQ(scan_manifest_providers(as_bytes_of(text)),
              std::vector<Guid>{manifest.providers.front()->guid});
    for (const auto& event : manifest.events) {
        EXPECT_FALSE(event->event_name.empty()) << event->id;
        EXPECT_FALSE(event->message.empty()) << event->id;
    }
}

// Counts by an independent reader of the same files.
TEST(ManifestCorpus, ReadsEveryManifestOfAWindows) {
    const auto archive = test::manifest_archive("win10-18990");
    if (!fs::exists(archive)) {
        GTEST_SKIP() << "no " << archive;
    }
    std::size_t events = 0;
    std::size_t fields = 0;
    std::size_t stopping = 0;
    std::map<std::string, std::size_t> notes; // of files that had to be repaired
    const auto count = [&](const std::string& file, const std::string& text) {
        const SchemaSet manifest = parse_text(text);
        EXPECT_EQ(scan_manifest_providers(as_bytes_of(text)).size(), manifest.providers.size());
        events += manifest.events.size();
        for (const auto& event : manifest.events) {
            fields += event->fields.size();
            stopping += static_cast<std::size_t>(
                std::ranges::count_if(event->fields, [](const Field& field) {
                    return field.count.kind == Extent::Kind::unknown ||
                           field.length.kind == Extent::Kind::unknown;
                }));
        }
        for (const FileNote& note : manifest.notes) {
            if (note.text.find("repaired") != std::string::npos) {
                ++notes[file];
            }
            EXPECT_GT(note.line, 1U);
        }
    };
    EXPECT_EQ(test::for_each_manifest(archive, count), 607U);
    EXPECT_EQ(events, 38929U);
    EXPECT_EQ(fields, 103945U);
    EXPECT_EQ(notes.size(), 4U) << "files that are not well-formed";
    EXPECT_GT(stopping, 0U);
}

} // namespace

} // namespace etl::schema::manifest_test
