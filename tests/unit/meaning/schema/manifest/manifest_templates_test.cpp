
#include "format/limits.hpp"
#include "schema/limits.hpp"
#include "tests/unit/meaning/schema/manifest/manifest_in.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::schema::manifest_templates_test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

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
    for (std::uint32_t i = 0; i < etl::limits::struct_depth + 3; ++i) {
        items += "<struct name='s'>";
    }
    for (std::uint32_t i = 0; i < etl::limits::struct_depth + 3; ++i) {
        items += "</struct>";
    }
    const auto result = template_of(items);
    EXPECT_EQ(result.fields.size(), etl::limits::struct_depth);
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
} // namespace etl::schema::manifest_templates_test
