#include "schema/value_form.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace etl::value_form_test {
namespace {

using schema::Extent;
using schema::InType;
using schema::OutType;
using schema::ValueForm;
using schema::WireShape;

// Every type that has an enumerator; the numbers between and behind have none.
std::vector<InType> known_in_types() {
    std::vector<InType> types;
    for (std::uint16_t type = 0; type <= 400; ++type) {
        if (type <= 25 || (type >= 300 && type <= 310)) {
            types.push_back(static_cast<InType>(type));
        }
    }
    return types;
}

WireShape shape_of(InType in, Extent::Kind length = Extent::Kind::natural,
                   OutType out = OutType::none) {
    schema::Field field;
    field.in_type = in;
    field.out_type = out;
    field.length = {length, 4};
    return schema::shape_of(field);
}

TEST(WireShape, IsKnownForEveryInType) {
    for (const InType type : known_in_types()) {
        EXPECT_NE(shape_of(type), WireShape::unknown) << static_cast<unsigned>(type);
    }
    EXPECT_EQ(shape_of(InType{26}), WireShape::unknown);
    EXPECT_EQ(shape_of(InType{311}), WireShape::unknown);
}

TEST(WireShape, IsFixedExactlyWhereTheTypeHasASize) {
    for (const std::uint32_t pointer_size : {4U, 8U}) {
        for (const InType type : known_in_types()) {
            const bool has_size = schema::fixed_size(type, pointer_size) > 0;
            EXPECT_EQ(shape_of(type) == WireShape::fixed, has_size) << static_cast<unsigned>(type);
            if (has_size) {
                EXPECT_EQ(schema::wire_size(type, pointer_size),
                          schema::fixed_size(type, pointer_size));
            }
        }
    }
}

TEST(WireShape, HeedsALengthOnlyOfStringsAndBinary) {
    EXPECT_EQ(shape_of(InType::unicode_string, Extent::Kind::fixed), WireShape::sized);
    EXPECT_EQ(shape_of(InType::ansi_string, Extent::Kind::field), WireShape::sized);
    EXPECT_EQ(shape_of(InType::binary, Extent::Kind::prefixed), WireShape::counted);
    EXPECT_EQ(shape_of(InType::binary, Extent::Kind::rest), WireShape::rest);
    EXPECT_EQ(shape_of(InType::uint32, Extent::Kind::fixed), WireShape::fixed);
    EXPECT_EQ(shape_of(InType::counted_unicode_string, Extent::Kind::fixed), WireShape::counted);
}

TEST(WireShape, OfAnIpv6AddressIsSixteenBytes) {
    EXPECT_EQ(shape_of(InType::binary, Extent::Kind::natural, OutType::ipv6), WireShape::fixed);
    EXPECT_EQ(schema::wire_size(InType::binary, 8), 16);
    EXPECT_EQ(shape_of(InType::binary), WireShape::rest);
}

TEST(WireShape, OfASidBehindATokenCountsInPointers) {
    EXPECT_EQ(shape_of(InType::wbem_sid), WireShape::wbem_sid);
    EXPECT_EQ(schema::wire_size(InType::wbem_sid, 4), 4);
    EXPECT_EQ(schema::wire_size(InType::wbem_sid, 8), 8);
}

TEST(ValueForm, OfAnIntegerHasItsSize) {
    for (std::uint16_t out = 0; out <= 38; ++out) {
        for (const InType in : known_in_types()) {
            const ValueForm form = schema::form_of(in, OutType{out}, 8);
            if (schema::is_integer(form)) {
                EXPECT_EQ(schema::integer_size(form), schema::fixed_size(in, 8))
                    << static_cast<unsigned>(in) << ' ' << out;
            }
        }
    }
}

TEST(ValueForm, OfAPointerFollowsThePointerSize) {
    EXPECT_EQ(schema::form_of(InType::pointer, OutType::none, 4), ValueForm::hex32);
    EXPECT_EQ(schema::form_of(InType::pointer, OutType::none, 8), ValueForm::hex64);
}

TEST(ValueForm, OfAnErrorCodeIsANumberEvenWhereTheInTypeIsHexadecimal) {
    EXPECT_EQ(schema::form_of(InType::hex_int32, OutType::ntstatus, 8), ValueForm::uint32);
    EXPECT_EQ(schema::form_of(InType::int32, OutType::hresult, 8), ValueForm::int32);
}

TEST(ValueForm, IsNoneExactlyWhereThereIsNoValue) {
    for (const InType in : known_in_types()) {
        const bool has_value = in != InType::null && in != InType::structure;
        EXPECT_EQ(schema::form_of(in, OutType::none, 8) != ValueForm::null, has_value)
            << static_cast<unsigned>(in);
    }
    EXPECT_EQ(schema::form_of(InType{26}, OutType::none, 8), ValueForm::null);
}

} // namespace
} // namespace etl::value_form_test
