#include <etl/byte_writer.hpp>

#include "base/text.hpp"
#include "format/limits.hpp"
#include "schema/mof.hpp"
#include "tests/unit/meaning/schema/mof_in.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::schema::mof_test {

namespace {

using namespace etl::literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr Guid provider = "6d7a2a4c-53b4-4a0b-9e57-0a4f3c1d2b10"_guid;
constexpr Guid category = "6d7a2a4c-53b4-4a0b-9e57-0a4f3c1d2b11"_guid;

constexpr std::string_view sample = R"(
#pragma namespace("\\\\.\\root\\wmi")
#pragma autorecover

[Dynamic, Description("Sample") : amended, Guid("{6d7a2a4c-53b4-4a0b-9e57-0a4f3c1d2b10}"),
 DisplayName("Sample Provider"), locale("MS\\0x409")]
class Sample : EventTrace {
    [Description("what to trace"), DefineValues{"IO", "CPU"}, ValueMap{"1", "2"}] uint32 Flags;
};

[Dynamic, Guid("{6d7a2a4c-53b4-4a0b-9e57-0a4f3c1d2b11}"), EventVersion(3), DisplayName("Work")]
class Work : Sample {};

[Dynamic, EventType{1, 2, 9}, EventTypeName{"Start", "End"}]
class Work_Group : Work {
    [WmiDataId(2), read] uint16 Second;
    [WmiDataId(1), read] uint32 First;
};
)";

std::vector<std::string> names_of(const EventSchema& event) {
    std::vector<std::string> names;
    for (const Field& field : event.fields) {
        names.push_back(field.name);
    }
    return names;
}

TEST(Mof, MakesASchemaOfEachTypeOfAClass) {
    const SchemaSet set = parse_classes(sample);
    EXPECT_THAT(set.notes, IsEmpty());
    ASSERT_EQ(set.events.size(), 3U);
    const EventSchema& start = *set.events[0];
    EXPECT_EQ(start.origin, Origin::mof);
    EXPECT_EQ(start.provider->guid, category);
    EXPECT_EQ(start.provider->name, "Sample Provider");
    EXPECT_EQ(start.id, 1U);
    EXPECT_EQ(start.opcode, 1U);
    EXPECT_EQ(start.version, 3U);
    EXPECT_FALSE(start.any_version);
    EXPECT_EQ(start.task_name, "Work");
    EXPECT_EQ(start.opcode_name, "Start");
    EXPECT_EQ(start.event_name, "Work/Start");
    EXPECT_EQ(start.symbol, "Work_Group");
    EXPECT_THAT(names_of(start), ElementsAre("First", "Second"));
    EXPECT_EQ(set.events[1]->event_name, "Work/End");
    EXPECT_EQ(set.events[2]->event_name, "Work/Opcode(9)");
    EXPECT_EQ(set.events[2]->id, 9U);
}

TEST(Mof, MakesProvidersOfAllGuids) {
    const SchemaSet set = parse_classes(sample);
    ASSERT_EQ(set.providers.size(), 2U);
    EXPECT_EQ(set.providers[0]->guid, provider);
    EXPECT_EQ(set.providers[1]->guid, category);
    EXPECT_EQ(set.providers[1], set.events[0]->provider);
}

TEST(Mof, NamesTheKernelByItsRootClassHoweverDeep) {
    constexpr std::string_view text = R"(
[Guid("{6d7a2a4c-53b4-4a0b-9e57-0a4f3c1d2b11}"), DisplayName("Work")] class Work : MSNT_SystemTrace {};
class Between : Work {};
[EventType(0), EventTypeName("Zero")] class Leaf : Between {};)";
    const SchemaSet apart = parse_classes(text);
    ASSERT_EQ(apart.events.size(), 1U);
    EXPECT_EQ(apart.events[0]->provider->name, "MSNT_SystemTrace");
    EXPECT_EQ(apart.events[0]->event_name, "Work/Zero");

    const SchemaSet with_root = parse_classes(
        std::string(text) + "[DisplayName(\"Windows Kernel\"), "
                            "Guid(\"{9e814aad-3204-11d2-9a82-006008a86939}\")] "
                            "class MSNT_SystemTrace : EventTrace {}; class EventTrace {};");
    EXPECT_EQ(with_root.events.at(0)->provider->name, "MSNT_SystemTrace");
}

TEST(Mof, FitsAnyVersionWithoutAQualifier) {
    const SchemaSet set = parse_classes(
        "[Guid(\"{6d7a2a4c-53b4-4a0b-9e57-0a4f3c1d2b11}\"), EventType(1)] class A {};"
        "[EventVersion(300), Guid(\"{6d7a2a4c-53b4-4a0b-9e57-0a4f3c1d2b11}\"), EventType(2)] "
        "class B {};");
    ASSERT_EQ(set.events.size(), 2U);
    EXPECT_TRUE(set.events[0]->any_version);
    EXPECT_EQ(set.events[0]->provider->name, "A");
    EXPECT_TRUE(set.events[1]->any_version);
    ASSERT_EQ(set.notes.size(), 1U);
    EXPECT_EQ(set.notes[0].text, "EventVersion of class `B` is not a version");
}

TEST(Mof, InheritsPropertiesAndReplacesThem) {
    const SchemaSet set = parse_classes(R"(
class Root { [WmiDataId(1)] uint32 A; [WmiDataId(2)] uint32 B; };
[Guid("{6d7a2a4c-53b4-4a0b-9e57-0a4f3c1d2b12}"), EventType(3)]
class Child : root { [WmiDataId(3)] uint8 C; [WmiDataId(2)] uint64 b; };
)");
    ASSERT_EQ(set.events.size(), 1U);
    EXPECT_THAT(names_of(*set.events[0]), ElementsAre("A", "b", "C"));
    EXPECT_EQ(set.events[0]->fields[1].in_type, InType::uint64);
}

TEST(Mof, ExpandsEmbeddedObjectsToStructures) {
    const EventSchema event = event_with(
        "[WmiDataId(1)] uint32 Count; [WmiDataId(2), WmiSizeIs(\"Count\")] Point Points[]; "
        "[WmiDataId(3)] uint8 Last;",
        "class Point { [WmiDataId(2)] uint16 Y; [WmiDataId(1)] uint16 X; };");
    EXPECT_THAT(names_of(event), ElementsAre("Count", "Points", "X", "Y", "Last"));
    EXPECT_EQ(event.fields[1].in_type, InType::structure);
    EXPECT_EQ(event.fields[1].members, 2U);
    EXPECT_EQ(event.fields[1].count.kind, Extent::Kind::field);
}

TEST(Mof, StopsWhereObjectsHoldThemselves) {
    const SchemaSet set = parse_classes(R"(
[Guid("{6d7a2a4c-53b4-4a0b-9e57-0a4f3c1d2b11}"), EventType(1)] class A { [WmiDataId(1)] B B; };
class B : C { [WmiDataId(1)] B B; };
class C : B {};)");
    ASSERT_EQ(set.events.size(), 1U);
    EXPECT_EQ(set.events[0]->fields.size(), format::max_struct_depth + 1);
    EXPECT_EQ(set.events[0]->fields.back().count.kind, Extent::Kind::unknown);
    ASSERT_EQ(set.notes.size(), 1U);
    EXPECT_EQ(set.notes[0].text, "objects are nested too deep");
}

TEST(Mof, RemarksOnWhatMayBeMissing) {
    EXPECT_THAT(notes_on("[WmiDataId(1)] uint8 A; [WmiDataId(3)] uint8 B;"),
                ElementsAre("property `B` follows a gap in WmiDataId: a field may be missing "
                            "before it"));
    EXPECT_THAT(notes_on("[WmiDataId(1)] uint8 A; [WmiDataId(1)] uint8 B;"),
                ElementsAre("property `B` has the same WmiDataId as another property"));
    EXPECT_THAT(notes_on("uint8 A;"), ElementsAre("property `A` has no WmiDataId and is omitted"));
    EXPECT_THAT(notes_on("[WmiDataId(0)] uint8 A; [WmiDataId(1)] uint8 B;"), IsEmpty());
}

TEST(Mof, RemarksOnClassesThatCannotBeUsed) {
    const SchemaSet set = parse_classes(
        "[EventType(1)] class NoGuid {};\n"
        "[Guid(\"{6d7a2a4c-53b4-4a0b-9e57-0a4f3c1d2b11}\"), EventType{1, 256, \"x\"}] class A {};\n"
        "[Guid(\"{6d7a2a4c-53b4-4a0b-9e57-0a4f3c1d2b11}\"), EventType(7)] class a {};");
    ASSERT_EQ(set.events.size(), 1U);
    EXPECT_EQ(set.events[0]->id, 7U) << "the later definition stands";
    ASSERT_EQ(set.notes.size(), 2U);
    EXPECT_EQ(set.notes[0].text, "class `a` is defined twice");
    EXPECT_EQ(set.notes[0].line, 3U);
    EXPECT_EQ(set.notes[1].text, "class `NoGuid` has no GUID");
}

TEST(Mof, RemarksOnTypesThatAreNone) {
    const SchemaSet set = parse_classes(
        "[Guid(\"{6d7a2a4c-53b4-4a0b-9e57-0a4f3c1d2b11}\"), EventType{1, 256, \"x\", \"0x20\"}, "
        "EventTypeName(\"Same\")] class A {};");
    ASSERT_EQ(set.events.size(), 2U);
    EXPECT_EQ(set.events[0]->event_name, "A/Same");
    EXPECT_EQ(set.events[1]->id, 0x20U);
    EXPECT_EQ(set.events[1]->event_name, "A/Same");
    EXPECT_EQ(set.notes.size(), 2U);
}

TEST(Mof, ReadsEveryEncoding) {
    constexpr std::string_view text =
        "[Guid(\"{6d7a2a4c-53b4-4a0b-9e57-0a4f3c1d2b11}\"), EventType(1), "
        "EventTypeName(\"Zeit\xC3\xA9\")] class A {};";
    EXPECT_EQ(parse_classes(text).events.at(0)->opcode_name, "Zeit\xC3\xA9");
    EXPECT_EQ(parse_classes("\xEF\xBB\xBF" + std::string(text)).events.at(0)->opcode_name,
              "Zeit\xC3\xA9");
    ByteWriter wide;
    wide.u16(0xFEFF).text16(to_utf16(text));
    EXPECT_EQ(parse_mof(wide.view())->events.at(0)->opcode_name, "Zeit\xC3\xA9");
    std::string ansi(text);
    ansi.erase(ansi.find('\xC3'), 1).replace(ansi.find('\xA9'), 1, "\xE9");
    const SchemaSet set = parse_classes(ansi);
    EXPECT_EQ(set.events.at(0)->opcode_name, "Zeit\xC3\xA9");
    EXPECT_EQ(set.notes.at(0).text, "not UTF-8; decoded as Windows-1252");
}

TEST(Mof, RejectsSchemasWithoutMeasure) {
    std::string text = "class Root {";
    for (int i = 1; i <= 4000; ++i) {
        text += fmt::format("[WmiDataId({})]uint8 f{};", i, i);
    }
    text += "};";
    for (int i = 0; i < 40; ++i) {
        text += fmt::format("[Guid(\"{{6d7a2a4c-53b4-4a0b-9e57-0a4f3c1d2b11}}\"), EventType{{0", i);
        for (int type = 1; type < 250; ++type) {
            text += fmt::format(",{}", type);
        }
        text += fmt::format("}}] class A{} : Root {{}};", i);
    }
    EXPECT_EQ(rejection_of(text), "0:0: its schemas exceed 256 MB");
}

TEST(Mof, TakesATypeOfAClassOnce) {
    const SchemaSet set = parse_classes(R"(
[Guid("{6d7a2a4c-53b4-4a0b-9e57-0a4f3c1d2b11}"), EventType{1, 2, 1},
 EventTypeName{"One", "Two", "Again"}] class A {};)");
    ASSERT_EQ(set.events.size(), 2U);
    EXPECT_EQ(set.events[0]->event_name, "A/One");
    EXPECT_EQ(set.events[1]->event_name, "A/Two");
    ASSERT_EQ(set.notes.size(), 1U);
    EXPECT_EQ(set.notes[0].text, "class `A` has the EventType 1 twice; the first is used");
}

TEST(Mof, RejectsNamesThatWouldBeCopiedWithoutMeasure) {
    std::string types = "0";
    for (int type = 1; type < 256; ++type) {
        types += fmt::format(",{}", type);
    }
    const std::string name(1U << 20U, 'n');
    const std::string head = R"([Guid("{6d7a2a4c-53b4-4a0b-9e57-0a4f3c1d2b11}"), EventType{)";
    constexpr std::string_view rejected = "0:0: its schemas exceed 256 MB";
    EXPECT_EQ(rejection_of(head + types + "}, EventTypeName(\"" + name + "\")] class A {};"),
              rejected);
    EXPECT_EQ(rejection_of(head + types + "}] class " + name + " {};"), rejected);
    std::string heirs = "[DisplayName(\"" + name + "\")] class Root {};";
    for (int i = 0; i < 300; ++i) {
        heirs += fmt::format("[Guid(\"{{6d7a2a4c-53b4-4a0b-9e57-0a4f3c1d{:04x}}}\")] class A{} : "
                             "Root {{}};",
                             i, i);
    }
    EXPECT_EQ(rejection_of(heirs), rejected);
}

TEST(Mof, QuotesLongNamesInPart) {
    const std::string name(100'000, 'n');
    for (const FileNote& note :
         parse_classes(
             fmt::format(R"([Guid("{{6d7a2a4c-53b4-4a0b-9e57-0a4f3c1d2b11}}"), EventType(1)]
class A {{ [WmiDataId(2)] {0} {0}; {0} b; }};)",
                         name))
             .notes) {
        EXPECT_LT(note.text.size(), 1000U);
    }
}

using ::testing::Pair;

/// The map of a property with these qualifiers.
ValueMap map_with(std::string_view qualifiers) {
    const EventSchema event = event_with(fmt::format("[WmiDataId(1), {}] uint32 F;", qualifiers));
    if (event.fields.empty() || event.fields[0].map >= event.maps.size()) {
        ADD_FAILURE() << "no map";
        return {};
    }
    return *event.maps[event.fields[0].map];
}

TEST(MofMaps, PairValuesWithTheirNames) {
    const ValueMap map = map_with(R"(ValueMap{"0", "0x10", "-1"}, Values{"none", "some", "all"})");
    EXPECT_EQ(map.kind, ValueMap::Kind::value);
    EXPECT_EQ(map.name, "F");
    EXPECT_THAT(map.entries,
                ElementsAre(Pair(0U, "none"), Pair(16U, "some"), Pair(0xFFFFFFFFU, "all")));
}

TEST(MofMaps, CountThroughNamesWithoutValues) {
    EXPECT_THAT(map_with(R"(Values{"zero", "one"})").entries,
                ElementsAre(Pair(0U, "zero"), Pair(1U, "one")));
    EXPECT_THAT(map_with(R"(Values{"a", "b"}, ValueType("index"))").entries,
                ElementsAre(Pair(0U, "a"), Pair(1U, "b")));
}

TEST(MofMaps, AreFlagsWhenTheirTypeSaysSo) {
    const ValueMap flags =
        map_with(R"(ValueMap{"0x1", "0x8"}, Values{"a", "b"}, ValueType("flag"))");
    EXPECT_EQ(flags.kind, ValueMap::Kind::bits);
    EXPECT_THAT(flags.entries, ElementsAre(Pair(1U, "a"), Pair(8U, "b")));
    EXPECT_THAT(map_with(R"(Values{"a", "b", "c"}, ValueType("FLAG"))").entries,
                ElementsAre(Pair(1U, "a"), Pair(2U, "b"), Pair(4U, "c")));
}

TEST(MofMaps, TakeOtherNamesWhereValuesAreMissing) {
    EXPECT_THAT(
        map_with(R"(ValueDescriptions{"long"}, DefineValues{"SHORT"}, ValueMap{"7"})").entries,
        ElementsAre(Pair(7U, "long")));
    EXPECT_THAT(map_with(R"(DefineValues{"SHORT"}, ValueMap{"7"})").entries,
                ElementsAre(Pair(7U, "SHORT")));
}

TEST(MofMaps, TellBitPositionsFromMasks) {
    const ValueMap positions = map_with(R"(BitMap{"0", "1", "3"}, BitValues{"a", "b", "c"})");
    EXPECT_EQ(positions.kind, ValueMap::Kind::bits);
    EXPECT_THAT(positions.entries, ElementsAre(Pair(1U, "a"), Pair(2U, "b"), Pair(8U, "c")));
    EXPECT_THAT(map_with(R"(BitMap{"1", "2", "4"}, BitValues{"a", "b", "c"})").entries,
                ElementsAre(Pair(1U, "a"), Pair(2U, "b"), Pair(4U, "c")));
    EXPECT_THAT(map_with(R"(BitMap{"0x3", "0x00000010"}, BitValues{"a", "b"})").entries,
                ElementsAre(Pair(3U, "a"), Pair(16U, "b")));
    EXPECT_THAT(map_with(R"(BitValues{"a", "b"})").entries,
                ElementsAre(Pair(1U, "a"), Pair(2U, "b")));
}

TEST(MofMaps, PassOverWhatIsNoNumber) {
    EXPECT_THAT(map_with(R"(ValueMap{"1", "2..5", "6"}, Values{"a", "b", "c", "d"})").entries,
                ElementsAre(Pair(1U, "a"), Pair(6U, "c")));
    const EventSchema none = event_with(R"([WmiDataId(1), ValueMap{"x"}, Values{"a"}] uint8 F;)");
    EXPECT_EQ(none.fields.at(0).map, Field::no_map);
}

constexpr Guid one = "11111111-2222-3333-4444-555555555555"_guid;
constexpr Guid two = "99999999-8888-7777-6666-555555555555"_guid;

std::vector<Guid> scan(std::string_view text) {
    return scan_mof_classes(std::as_bytes(std::span(text)));
}

TEST(ScanMof, FindsGuidsInEverySpelling) {
    EXPECT_THAT(scan("[Guid(\"{11111111-2222-3333-4444-555555555555}\")] class A {};"),
                ElementsAre(one));
    EXPECT_THAT(scan("// text\n[dynamic,\n GUID ( \"99999999-8888-7777-6666-555555555555\" )]\n"
                     "Class A {};"),
                ElementsAre(two));
}

TEST(ScanMof, FindsSeveralClassesOnce) {
    EXPECT_THAT(scan("#pragma autorecover\n"
                     "[Guid(\"{11111111-2222-3333-4444-555555555555}\")] class A {};\n"
                     "[guid(\"{99999999-8888-7777-6666-555555555555}\")] class B {};\n"
                     "[Guid(\"{11111111-2222-3333-4444-555555555555}\")] class C {};"),
                ElementsAre(one, two));
}

TEST(ScanMof, IsNotFooledByOtherFiles) {
    constexpr std::string_view guid = "Guid(\"{11111111-2222-3333-4444-555555555555}\") class ";
    EXPECT_THAT(scan(""), IsEmpty());
    EXPECT_THAT(scan("// a comment"), IsEmpty());
    EXPECT_THAT(scan("<xml> " + std::string(guid)), IsEmpty());
    EXPECT_THAT(scan("MZ " + std::string(guid)), IsEmpty());
    EXPECT_THAT(scan("[Guid(\"{11111111-2222-3333-4444-555555555555}\")] classes"), IsEmpty());
    EXPECT_THAT(scan("[MyGuid(\"{11111111-2222-3333-4444-555555555555}\")] class A"), IsEmpty());
    EXPECT_THAT(scan("[Guid(\"{11111111-2222\")] class A"), IsEmpty());
    EXPECT_THAT(scan("[Guid(\"{11111111-2222-3333-4444-555555555555}"), IsEmpty());
    EXPECT_THAT(scan("class Guid"), IsEmpty());
    EXPECT_THAT(scan(std::string("[\0", 2) + std::string(guid)), IsEmpty());
}

TEST(ScanMof, ReadsUtf16) {
    const auto text = to_utf16("[Guid(\"{11111111-2222-3333-4444-555555555555}\")] class A {};");
    ByteWriter marked;
    marked.u16(0xFEFF).text16(text);
    EXPECT_THAT(scan_mof_classes(marked.view()), ElementsAre(one));
    ByteWriter unmarked;
    unmarked.text16(text);
    EXPECT_THAT(scan_mof_classes(unmarked.view()), ElementsAre(one));
}

} // namespace

} // namespace etl::schema::mof_test
