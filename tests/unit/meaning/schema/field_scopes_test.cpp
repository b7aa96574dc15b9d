#include "schema/field_scopes.hpp"

#include <gtest/gtest.h>

namespace etl::schema::field_scopes_test {
namespace {

Field of_type(InType type) {
    Field field;
    field.in_type = type;
    return field;
}

const Field number = of_type(InType::uint32);

TEST(FieldScopes, FindsTheNearestOfSeveral) {
    FieldScopes scopes;
    scopes.add("n", number, 0);
    scopes.add("x", number, 1);
    scopes.add("n", number, 2);
    EXPECT_EQ(scopes.find("n"), 2U);
    EXPECT_EQ(scopes.find("x"), 1U);
    EXPECT_EQ(scopes.find("y"), std::nullopt);
}

TEST(FieldScopes, LooksInTheStructureFirstAndThenAroundIt) {
    FieldScopes scopes;
    scopes.add("n", number, 0);
    scopes.add("m", number, 1);
    scopes.enter();
    scopes.add("n", number, 3);
    EXPECT_EQ(scopes.find("n"), 3U);
    EXPECT_EQ(scopes.find("m"), 1U);
    scopes.leave();
    EXPECT_EQ(scopes.find("n"), 0U) << "members of a structure are not seen from outside";
}

TEST(FieldScopes, OnlyScalarIntegersCount) {
    Field array = number;
    array.count = {Extent::Kind::fixed, 2};
    FieldScopes scopes;
    scopes.add("text", of_type(InType::unicode_string), 0);
    scopes.add("array", array, 1);
    scopes.add("float", of_type(InType::float32), 2);
    scopes.add("ok", of_type(InType::hex_int64), 3);
    EXPECT_EQ(scopes.find("text"), std::nullopt);
    EXPECT_EQ(scopes.find("array"), std::nullopt);
    EXPECT_EQ(scopes.find("float"), std::nullopt);
    EXPECT_EQ(scopes.find("ok"), 3U);
}

TEST(FieldScopes, IgnoresBlanksAndColonsWhenNoNameIsEqual) {
    FieldScopes scopes;
    scopes.add("SHA1HashSize", number, 0);
    scopes.add("Byte Length:", number, 1);
    scopes.add("SHA1 HashSize", number, 2);
    EXPECT_EQ(scopes.find("SHA1 Hash Size"), 2U);
    EXPECT_EQ(scopes.find("SHA1HashSize"), 0U) << "an equal name goes first";
    EXPECT_EQ(scopes.find("Byte Length"), 1U);
    EXPECT_EQ(scopes.find("SHA1 Hash Siz"), std::nullopt);
    EXPECT_EQ(scopes.find(""), std::nullopt);
}

} // namespace
} // namespace etl::schema::field_scopes_test
