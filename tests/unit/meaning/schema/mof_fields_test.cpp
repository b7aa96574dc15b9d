#include "schema/mof_fields.hpp"
#include "tests/unit/meaning/schema/mof_in.hpp"

#include <gmock/gmock.h>

namespace etl::schema::mof_fields_test {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct TypeCase {
    const char* property;
    InType in;
    OutType out = OutType::none;
};

void expect_types(std::initializer_list<TypeCase> cases) {
    for (const TypeCase& expected : cases) {
        const Field field = field_with(expected.property);
        EXPECT_EQ(field.name, "F") << expected.property;
        EXPECT_EQ(field.in_type, expected.in) << expected.property;
        EXPECT_EQ(field.out_type, expected.out) << expected.property;
        EXPECT_EQ(field.count.kind, Extent::Kind::natural) << expected.property;
    }
}

TEST(MofTypes, KnowTheTypesOfTheLanguageInAnyCase) {
    expect_types({
        {"[WmiDataId(1)] uint8 F;", InType::uint8},
        {"[WmiDataId(1)] SINT8 F;", InType::int8},
        {"[WmiDataId(1)] uint16 F;", InType::uint16},
        {"[WmiDataId(1)] sint16 F;", InType::int16},
        {"[WmiDataId(1)] UInt32 F;", InType::uint32},
        {"[WmiDataId(1)] sint32 F;", InType::int32},
        {"[WmiDataId(1)] uint64 F;", InType::uint64},
        {"[WmiDataId(1)] sint64 F;", InType::int64},
        {"[WmiDataId(1)] real32 F;", InType::float32},
        {"[WmiDataId(1)] real64 F;", InType::float64},
        {"[WmiDataId(1)] boolean F;", InType::uint8, OutType::boolean},
        {"[WmiDataId(1)] char16 F;", InType::unicode_char},
        {"[WmiDataId(1)] char8 F;", InType::ansi_char},
        {"[WmiDataId(1)] string F;", InType::ansi_string},
        {"[WmiDataId(1)] object F;", InType::hex_dump},
        {"[WmiDataId(1), CimType(\"uint16\")] sint32 F;", InType::uint16},
    });
    const Field datetime = field_with("[WmiDataId(1)] datetime F;");
    EXPECT_EQ(datetime.in_type, InType::unicode_string);
    EXPECT_EQ(datetime.out_type, OutType::cim_date_time);
    EXPECT_EQ(datetime.length.value, 25U);
}

TEST(MofTypes, EndStringsAsTheyAreTold) {
    expect_types({
        {"[WmiDataId(1), StringTermination(\"NullTerminated\")] string F;", InType::ansi_string},
        {"[WmiDataId(1), format(\"w\"), StringTermination(\"NullTerminated\")] string F;",
         InType::unicode_string},
        {"[WmiDataId(1), stringtermination(\"counted\")] string F;", InType::counted_ansi},
        {"[WmiDataId(1), StringTermination(\"Counted\"), FORMAT(\"W\")] string F;",
         InType::counted_string},
        {"[WmiDataId(1), StringTermination(\"ReverseCounted\")] string F;",
         InType::reversed_counted_ansi},
        {"[WmiDataId(1), StringTermination(\"ReverseCounted\"), format(\"w\")] string F;",
         InType::reversed_counted_string},
        {"[WmiDataId(1), StringTermination(\"NotCounted\")] string F;",
         InType::non_terminated_ansi},
        {"[WmiDataId(1), StringTermination(\"NotCounted\"), format(\"w\")] string F;",
         InType::non_terminated_string},
        {"[WmiDataId(1), format(\"s\"), MAX(40)] string F;", InType::ansi_string},
    });
}

TEST(MofTypes, FollowExtensions) {
    expect_types({
        {"[WmiDataId(1), extension(\"Sid\")] object F;", InType::wbem_sid},
        {"[WmiDataId(1), extension(\"Port\")] object F;", InType::uint16, OutType::port},
        {"[WmiDataId(1), extension(\"IPAddr\")] object F;", InType::uint32, OutType::ipv4},
        {"[WmiDataId(1), extension(\"IPAddrV4\")] object F;", InType::uint32, OutType::ipv4},
        {"[WmiDataId(1), extension(\"IPAddrV6\")] object F;", InType::binary, OutType::ipv6},
        {"[WmiDataId(1), extension(\"GUID\")] object F;", InType::guid},
        {"[WmiDataId(1), extension(\"WmiTime\")] object F;", InType::uint64, OutType::etw_time},
        {"[WmiDataId(1), extension(\"FileTime\")] object F;", InType::filetime},
        {"[WmiDataId(1), extension(\"SizeT\")] object F;", InType::pointer_sized},
        {"[WmiDataId(1), Extension(\"variant\")] object F;", InType::binary},
        {"[WmiDataId(1), extension(\"NoPrint\")] uint32 F;", InType::uint32, OutType::no_print},
        {"[WmiDataId(1), extension(\"UTF8\")] string F;", InType::ansi_string, OutType::utf8},
        {"[WmiDataId(1), extension(\"RString\")] string F;", InType::ansi_string,
         OutType::reduced_string},
        {"[WmiDataId(1), extension(\"RWString\")] string F;", InType::unicode_string,
         OutType::reduced_string},
        {"[WmiDataId(1), extension(\"RWString\"), StringTermination(\"Counted\")] string F;",
         InType::counted_string, OutType::reduced_string},
    });
    EXPECT_THAT(notes_on("[WmiDataId(1), extension(\"Odd\")] uint32 F;"),
                ElementsAre("property `F` has an unknown extension"));
}

TEST(MofTypes, ArePointersWhateverIsDeclared) {
    expect_types({
        {"[WmiDataId(1), pointer] uint32 F;", InType::pointer},
        {"[WmiDataId(1), PointerType] uint64 F;", InType::pointer},
        {"[WmiDataId(1), pointer(TRUE), format(\"x\")] sint64 F;", InType::pointer},
        {"[WmiDataId(1), pointer(false)] uint32 F;", InType::uint32},
    });
}

TEST(MofTypes, AreShownAsTheFormatSays) {
    expect_types({
        {"[WmiDataId(1), format(\"x\")] uint8 F;", InType::uint8, OutType::hex_int8},
        {"[WmiDataId(1), format(\"x\")] uint16 F;", InType::uint16, OutType::hex_int16},
        {"[WmiDataId(1), format(\"X\")] sint32 F;", InType::int32, OutType::hex_int32},
        {"[WmiDataId(1), format(\"x\")] uint64 F;", InType::uint64, OutType::hex_int64},
        {"[WmiDataId(1), format(\"c\")] uint8 F;", InType::uint8, OutType::string},
        {"[WmiDataId(1), format(\"c\")] uint16 F;", InType::uint16, OutType::string},
        {"[WmiDataId(1), format(\"d\"), read, Description(\"none\")] uint32 F;", InType::uint32},
    });
}

TEST(MofTypes, MakeTextsOfArraysOfCharacters) {
    for (const char* property : {"[WmiDataId(1), format(\"s\")] char16 F[16];",
                                 "[WmiDataId(1), format(\"s\"), MAX(16)] char16 F;",
                                 "[WmiDataId(1), format(\"w\"), MAX(16)] char16 F[];"}) {
        const Field field = field_with(property);
        EXPECT_EQ(field.in_type, InType::unicode_string) << property;
        EXPECT_EQ(field.length.kind, Extent::Kind::fixed) << property;
        EXPECT_EQ(field.length.value, 16U) << property;
        EXPECT_EQ(field.count.kind, Extent::Kind::natural) << property;
    }
    const Field narrow = field_with("[WmiDataId(1), format(\"s\")] uint8 F[9];");
    EXPECT_EQ(narrow.in_type, InType::ansi_string);
    EXPECT_EQ(narrow.length.value, 9U);
    const Field to_the_end = field_with("[WmiDataId(1), format(\"s\")] char16 F[];");
    EXPECT_EQ(to_the_end.length.kind, Extent::Kind::rest);
    const Field characters = field_with("[WmiDataId(1)] char16 F[8];");
    EXPECT_EQ(characters.in_type, InType::unicode_char);
    EXPECT_EQ(characters.count.value, 8U);
}

TEST(MofTypes, CountTheElementsOfArrays) {
    const Field fixed = field_with("[WmiDataId(1)] uint32 F[3];");
    EXPECT_EQ(fixed.count.kind, Extent::Kind::fixed);
    EXPECT_EQ(fixed.count.value, 3U);
    const Field at_most = field_with("[WmiDataId(1), MAX(\"5\")] uint32 F[];");
    EXPECT_EQ(at_most.count.value, 5U);
    EXPECT_EQ(field_with("[WmiDataId(1), pointer] uint32 F[];").count.kind, Extent::Kind::rest);

    const EventSchema event = event_with("[WmiDataId(1)] uint16 N; [WmiDataId(2), "
                                         "WmiSizeIs(\"N\"), format(\"w\")] string F[];");
    ASSERT_EQ(event.fields.size(), 2U);
    EXPECT_TRUE(event.fields[0].referenced);
    EXPECT_EQ(event.fields[1].in_type, InType::unicode_string);
    EXPECT_EQ(event.fields[1].count.kind, Extent::Kind::field);
    EXPECT_EQ(event.fields[1].count.value, 0U);
}

TEST(MofTypes, StopWhereACountCannotBeKnown) {
    const SchemaSet set = parse_classes(
        "[Guid(\"{6d7a2a4c-53b4-4a0b-9e57-0a4f3c1d2b11}\"), EventType(1)] class Demo {\n"
        " [WmiDataId(1), WmiSizeIs(\"N\")] uint8 F[];\n [WmiDataId(2)] uint16 N;\n"
        " [WmiDataId(3)] uint8 G[-1];\n [WmiDataId(4)] Nowhere H;\n};");
    ASSERT_EQ(set.events.size(), 1U);
    const auto& fields = set.events.front()->fields;
    ASSERT_EQ(fields.size(), 4U);
    EXPECT_EQ(fields[0].count.kind, Extent::Kind::unknown);
    EXPECT_EQ(fields[2].count.kind, Extent::Kind::unknown);
    EXPECT_EQ(fields[3].count.kind, Extent::Kind::unknown);
    ASSERT_EQ(set.notes.size(), 2U);
    EXPECT_EQ(set.notes[0].line, 2U);
    EXPECT_EQ(set.notes[0].column, 39U);
    EXPECT_THAT(set.notes[0].text, HasSubstr("WmiSizeIs does not refer to an earlier field: `N`"));
    EXPECT_EQ(set.notes[1].line, 5U);
    EXPECT_THAT(set.notes[1].text, HasSubstr("unknown type `Nowhere`"));
}

} // namespace

} // namespace etl::schema::mof_fields_test
