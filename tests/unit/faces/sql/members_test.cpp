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

} // namespace
} // namespace etl::sql
