#include "schema/field_scopes.hpp"

#include <gtest/gtest.h>

namespace etl::schema {
namespace {

Field named(std::string name, InType type = InType::uint32) {
    Field field;
    field.name = std::move(name);
    field.in_type = type;
    return field;
}

TEST(FieldScopes, FindsTheNearestOfSeveral) {
    std::vector<Field> fields{named("n"), named("x"), named("n")};
    const FieldScopes scopes(fields);
    EXPECT_EQ(scopes.find("n"), 2U);
    EXPECT_EQ(scopes.find("x"), 1U);
    EXPECT_EQ(scopes.find("y"), std::nullopt);
}

TEST(FieldScopes, LooksInTheStructureFirstAndThenAroundIt) {
    std::vector<Field> fields{named("n"), named("m"), named("s", InType::structure)};
    FieldScopes scopes(fields);
    scopes.enter();
    fields.push_back(named("n"));
    EXPECT_EQ(scopes.find("n"), 3U);
    EXPECT_EQ(scopes.find("m"), 1U);
    scopes.leave();
    EXPECT_EQ(fields[2].members, 1U);
    fields.push_back(named("last"));
    EXPECT_EQ(scopes.find("n"), 0U) << "members of a structure are not seen from outside";
    EXPECT_EQ(scopes.find("last"), 4U);
}

TEST(FieldScopes, OnlyScalarIntegersCount) {
    std::vector<Field> fields{named("text", InType::unicode_string), named("array"),
                              named("float", InType::float32), named("ok", InType::hex_int64)};
    fields[1].count = {Extent::Kind::fixed, 2};
    const FieldScopes scopes(fields);
    EXPECT_EQ(scopes.find("text"), std::nullopt);
    EXPECT_EQ(scopes.find("array"), std::nullopt);
    EXPECT_EQ(scopes.find("float"), std::nullopt);
    EXPECT_EQ(scopes.find("ok"), 3U);
}

TEST(FieldScopes, IgnoresBlanksAndColonsWhenNoNameIsEqual) {
    std::vector<Field> fields{named("SHA1HashSize"), named("Byte Length:")};
    const FieldScopes scopes(fields);
    EXPECT_EQ(scopes.find("SHA1 Hash Size"), 0U);
    EXPECT_EQ(scopes.find("Byte Length"), 1U);
    EXPECT_EQ(scopes.find("SHA1 Hash Siz"), std::nullopt);
    EXPECT_EQ(scopes.find(""), std::nullopt);
}

} // namespace
} // namespace etl::schema
