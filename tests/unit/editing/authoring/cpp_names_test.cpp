#include "authoring/cpp_code.hpp"

#include <gtest/gtest.h>

namespace etl::authoring::cpp_names_test {
namespace {

TEST(SnakeName, TakesNamesOfEverySpelling) {
    EXPECT_EQ(snake_name("CupFinished"), "cup_finished");
    EXPECT_EQ(snake_name("CUP_FINISHED"), "cup_finished");
    EXPECT_EQ(snake_name("cup finished!"), "cup_finished");
    EXPECT_EQ(snake_name("__Cup--finished__"), "cup_finished");
    EXPECT_EQ(snake_name("HTTPServer2Start"), "http_server2_start");
    EXPECT_EQ(snake_name("IPv4Address"), "ipv4_address");
    EXPECT_EQ(snake_name("UInt8"), "uint8");
    EXPECT_EQ(snake_name("Sha1Hash"), "sha1_hash");
}

TEST(SnakeName, IsNeverWhatCppHasTaken) {
    EXPECT_EQ(snake_name("Class"), "class_");
    EXPECT_EQ(snake_name("NEW"), "new_");
    EXPECT_EQ(snake_name("linux"), "linux_");
    EXPECT_EQ(snake_name("1st"), "n1st");
    EXPECT_EQ(snake_name("\xE6\x96\x99 !"), "");
    EXPECT_EQ(snake_name("a\"; int x = 1; //"), "a_int_x_1");
}

TEST(SnakeName, OfALongTextIsShort) {
    EXPECT_LE(snake_name(std::string(5000, 'x')).size(), 200U);
    std::string words;
    for (int i = 0; i < 1000; ++i) {
        words += "word ";
    }
    EXPECT_LE(snake_name(words).size(), 200U);
}

TEST(PascalName, TakesNamesOfEverySpelling) {
    EXPECT_EQ(pascal_name("CupFinished"), "CupFinished");
    EXPECT_EQ(pascal_name("CUP_FINISHED"), "CupFinished");
    EXPECT_EQ(pascal_name("class"), "Class");
    EXPECT_EQ(pascal_name("1st"), "N1st");
    EXPECT_EQ(pascal_name(""), "");
}

TEST(CppScope, GivesEachNameOnce) {
    CppScope scope;
    scope.reserve("memory");
    EXPECT_EQ(scope.take("memory", "field"), "memory_2");
    EXPECT_EQ(scope.take("memory", "field"), "memory_3");
    EXPECT_EQ(scope.take("", "field_1"), "field_1");
    EXPECT_EQ(scope.take("class_", ""), "class_");
    EXPECT_EQ(scope.take("class_", ""), "class_2");
    EXPECT_EQ(scope.take("class_", ""), "class_3");
}

TEST(IsNameSpace, IsStrict) {
    EXPECT_TRUE(is_name_space("coffee"));
    EXPECT_TRUE(is_name_space("My_company::events2"));
    for (const char* bad : {"", "::a", "a::", "a:b", "1a", "_a", "a__b", "a b", "class", "a::new",
                            "std", "a{", "é"}) {
        EXPECT_FALSE(is_name_space(bad)) << bad;
    }
}

TEST(CommentText, StaysInItsLine) {
    EXPECT_EQ(comment_text("plain"), "\"plain\"");
    EXPECT_EQ(comment_text("a\r\n#error\n"), "\"a #error\"");
    EXPECT_EQ(comment_text("ends in \\"), "\"ends in \\\"");
    EXPECT_EQ(comment_text("\xE2\x80\xAE turned \xE2\x80\xA8 split \xC2\x85"),
              "\" turned  split\"");
    EXPECT_EQ(comment_text("Größe 料"), "\"Größe 料\"");
    EXPECT_EQ(comment_text("\xFF"), "\"\xEF\xBF\xBD\"");
    EXPECT_LE(comment_text(std::string(100'000, 'x')).size(), 1100U);
}

TEST(StringLiteral, EscapesWhatEndsIt) {
    EXPECT_EQ(string_literal("a\"b\\c?\n1"), "\"a\\042b\\134c\\077\\0121\"");
    EXPECT_EQ(string_literal("é"), "\"\\303\\251\"");
}

} // namespace
} // namespace etl::authoring::cpp_names_test
