#include <etl/field_types.hpp>

#include <gtest/gtest.h>

namespace etl::format::field_types_test {
namespace {

TEST(FieldTypes, ReadsNamesWithAnyPrefixAndCase) {
    EXPECT_EQ(parse_in_type("win:UInt32"), InType::uint32);
    EXPECT_EQ(parse_in_type("xs:HexInt32"), InType::hex_int32);
    EXPECT_EQ(parse_in_type("win:hexInt32"), InType::hex_int32);
    EXPECT_EQ(parse_in_type("SID"), InType::sid);
    EXPECT_EQ(parse_in_type("win:CountedUtf16String"), InType::counted_unicode_string);
    EXPECT_EQ(parse_in_type("win:27"), std::nullopt);
    EXPECT_EQ(parse_in_type(""), std::nullopt);
    EXPECT_EQ(parse_out_type("xs:unsignedInt"), OutType::uint32);
    EXPECT_EQ(parse_out_type("win:HResult"), OutType::hresult);
    EXPECT_EQ(parse_out_type("win:Port"), OutType::port);
    EXPECT_EQ(parse_out_type("win:Nonsense"), std::nullopt);
}

TEST(FieldTypes, NamesReadBackAsTheSameType) {
    for (std::uint16_t code = 0; code < 400; ++code) {
        const auto in = static_cast<InType>(code);
        if (!name(in).empty()) {
            EXPECT_EQ(parse_in_type(name(in)), in) << code;
        }
        const auto out = static_cast<OutType>(code);
        if (!name(out).empty()) {
            EXPECT_EQ(parse_out_type(name(out)), out) << code;
        }
    }
    EXPECT_EQ(name(InType::uint32), "UInt32");
    EXPECT_EQ(name(InType::counted_unicode_string), "CountedUnicodeString");
    EXPECT_EQ(name(static_cast<InType>(26)), "");
}

TEST(FieldTypes, KnowsWhatAManifestMeansWithoutOutType) {
    EXPECT_EQ(default_out_type(InType::uint8), OutType::uint8);
    EXPECT_EQ(default_out_type(InType::pointer), OutType::hex_int64);
    EXPECT_EQ(default_out_type(InType::hex_int32), OutType::hex_int32);
    EXPECT_EQ(default_out_type(InType::sid), OutType::string);
    EXPECT_EQ(default_out_type(InType::filetime), OutType::date_time);
    EXPECT_EQ(default_out_type(InType::binary), OutType::hex_binary);
    EXPECT_EQ(default_out_type(static_cast<InType>(999)), OutType::none);
}

TEST(FieldTypes, SizesOfPointersFollowTheEvent) {
    EXPECT_EQ(fixed_size(InType::pointer, 4), 4U);
    EXPECT_EQ(fixed_size(InType::pointer, 8), 8U);
    EXPECT_EQ(fixed_size(InType::boolean, 8), 4U) << "a BOOL has four bytes";
    EXPECT_EQ(fixed_size(InType::systemtime, 8), 16U);
    EXPECT_EQ(fixed_size(InType::sid, 8), 0U);
    EXPECT_EQ(fixed_size(InType::unicode_string, 8), 0U);
}

} // namespace
} // namespace etl::format::field_types_test
