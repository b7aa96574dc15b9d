#include "base/json_object.hpp"

#include <gtest/gtest.h>

namespace etl::json_object_test {
namespace {

TEST(JsonObject, PutsMembersInTheirOrder) {
    JsonObject json;
    json.text("name", "a \"b\"\n").number("count", 7).number("least", -1).boolean("whole", true);
    json.time("never", std::nullopt).time("then", Filetime{}).raw("list", "[1]");
    EXPECT_EQ(json.take(), R"({"name":"a \"b\"\n","count":7,"least":-1,"whole":true,)"
                           R"("never":null,"then":"1601-01-01T00:00:00.0000000Z","list":[1]})");
}

TEST(JsonObject, IsEmptyWithoutMembersAndAfterItWasTaken) {
    JsonObject json;
    EXPECT_EQ(json.take(), "{}");
    json.number("a", 1);
    json.take();
    EXPECT_EQ(json.take(), "{}");
}

TEST(JsonList, PutsElementsInTheirOrder) {
    JsonList list;
    EXPECT_EQ(list.take(), "[]");
    list.text("a\\").raw("{}").text("");
    EXPECT_EQ(list.take(), R"(["a\\",{},""])");
    EXPECT_EQ(list.take(), "[]");
}

TEST(JsonText, ListsTexts) {
    const std::string_view texts[] = {"a", "\"", ""};
    std::string text = "x";
    append_json_strings(text, texts);
    EXPECT_EQ(text, R"(x["a","\"",""])");
    append_json_strings(text, {});
    EXPECT_TRUE(text.ends_with("[]"));
}

} // namespace
} // namespace etl::json_object_test
