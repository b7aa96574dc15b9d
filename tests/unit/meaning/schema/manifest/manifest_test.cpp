#include "base/byte_writer.hpp"
#include "base/text.hpp"
#include "schema/limits.hpp"
#include "tests/unit/meaning/schema/manifest/manifest_in.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

} // namespace
} // namespace etl::schema::manifest_test
