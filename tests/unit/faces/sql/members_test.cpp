#include "sql/members.hpp"

#include <gtest/gtest.h>

namespace etl::sql {
namespace {

TEST(Members, AreFoundInAnyOrderAndWithOthersBetweenThem) {
    Members members;
    const std::size_t id = members.add("id", false);
    const std::size_t size = members.add("size", true);
    const std::size_t name = members.add("na\"me", true);
    members.find(R"({"id":7,"level":4,"data":{"size":1,"na\"me":"a,}"},"pid":1})");
    EXPECT_EQ(members.value(id), "7");
    EXPECT_EQ(members.value(size), "1");
    EXPECT_EQ(members.value(name), R"("a,}")");
    members.find(R"({"level":4,"data":{"na\"me":[1,{"size":9}],"id":3,"size":2},"id":8})");
    EXPECT_EQ(members.value(id), "8");
    EXPECT_EQ(members.value(size), "2");
    EXPECT_EQ(members.value(name), R"([1,{"size":9}])");
}

TEST(Members, OfThePreviousObjectAreForgotten) {
    Members members;
    const std::size_t id = members.add("id", false);
    const std::size_t size = members.add("size", true);
    members.find(R"({"id":7,"data":{"size":1}})");
    members.find(R"({"size":2,"data":{"id":5}})");
    EXPECT_EQ(members.value(id), "");
    EXPECT_EQ(members.value(size), "");
    members.find("{}");
    EXPECT_EQ(members.value(id), "");
    members.find(R"({"id":9,"data":{},"level":1})");
    EXPECT_EQ(members.value(id), "9");
}

std::string shown_value(const std::string& json) {
    std::string scratch;
    const rows::Value value = value_of_json(json, scratch);
    if (const auto* const digits = std::get_if<rows::Digits>(&value)) {
        return "integer " + std::string(digits->text);
    }
    if (const auto* const text = std::get_if<std::string_view>(&value)) {
        return "text " + std::string(*text);
    }
    const auto* const real = std::get_if<double>(&value);
    return real == nullptr ? "null" : "real " + std::to_string(*real);
}

TEST(JsonValues, AreThoseOfColumns) {
    EXPECT_EQ(shown_value(""), "null");
    EXPECT_EQ(shown_value("null"), "null");
    EXPECT_EQ(shown_value("true"), "integer 1");
    EXPECT_EQ(shown_value("false"), "integer 0");
    EXPECT_EQ(shown_value("-9223372036854775808"), "integer -9223372036854775808");
    EXPECT_EQ(shown_value("9223372036854775807"), "integer 9223372036854775807");
    EXPECT_EQ(shown_value("9223372036854775808"), "text 9223372036854775808");
    EXPECT_EQ(shown_value("10000000000000000000"), "text 10000000000000000000");
    EXPECT_EQ(shown_value("1e3"), "real 1000.000000");
    EXPECT_EQ(shown_value("-0.5"), "real -0.500000");
    EXPECT_EQ(shown_value(R"("a\nb\\")"), "text a\nb\\");
    EXPECT_EQ(shown_value(R"("")"), "text ");
}

/// Wherever it is.
TEST(JsonValues, QuoteNumbersBeyondIntegerInArraysAndObjects) {
    for (std::size_t before = 0; before < 40; ++before) {
        const std::string text(before, 'x');
        const auto json = [&](const std::string& number) {
            return std::string("{\"").append(text).append("\":[1,").append(number).append("]}");
        };
        EXPECT_EQ(shown_value(json("9223372036854775808")),
                  "text " + json("\"9223372036854775808\""));
        EXPECT_EQ(shown_value(json("9223372036854775807")), "text " + json("9223372036854775807"));
        EXPECT_EQ(shown_value(json("123")), "text " + json("123"));
    }
}

} // namespace
} // namespace etl::sql
