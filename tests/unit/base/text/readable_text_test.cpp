#include <etl/base/readable_text.hpp>

#include <gtest/gtest.h>

#include <string>

namespace etl {
namespace {

std::string readable(std::string_view text) {
    std::string to = "before ";
    append_readable(to, text);
    EXPECT_TRUE(to.starts_with("before "));
    return to.substr(7);
}

TEST(ReadableText, PlainTextStaysAsItIs) {
    EXPECT_EQ(readable("kettle.exe"), "kettle.exe");
    EXPECT_EQ(readable("\\Device\\HarddiskVolume3\\Windows\\System32\\x.dll"),
              "\\Device\\HarddiskVolume3\\Windows\\System32\\x.dll");
    EXPECT_EQ(readable("t\xC3\xA9"), "t\xC3\xA9");
    EXPECT_EQ(readable("\xC2\xA0"), "\xC2\xA0"); // led by the byte that leads controls, too
}

TEST(ReadableText, EmptyTextAndTextWithSeparatorsIsQuoted) {
    EXPECT_EQ(readable(""), "\"\"");
    for (const char c : std::string_view(" \",[]{}")) {
        const std::string text = std::string("a") + c + "b";
        EXPECT_EQ(readable(text), '"' + text + '"');
    }
    EXPECT_EQ(readable("a\tb"), "\"a\\tb\"");
}

TEST(ReadableText, ControlsAreEscaped) {
    EXPECT_EQ(readable("a\x1B[31m"), "\"a\\x1b[31m\"");
    EXPECT_EQ(readable("a\x1B"), "a\\x1b");
    EXPECT_EQ(readable("a\x7F"), "a\\x7f");
    EXPECT_EQ(readable("a\xC2\x9Bz"), "a\\x9bz");
    EXPECT_EQ(readable("a\xC2"), "a\xC2");
}

// Blocks and what follows them, with each character at every place.
TEST(ReadableText, EachCharacterIsFoundAtEveryPlaceOfEveryLength) {
    for (std::size_t length = 1; length < 40; ++length) {
        for (std::size_t place = 0; place < length; ++place) {
            for (unsigned c = 0; c < 0x80; ++c) {
                std::string text(length, 'a');
                text[place] = static_cast<char>(c);
                std::string expected;
                append_escaped(expected, text);
                if (std::string_view(" \t\r\n\",[]{}").contains(text[place])) {
                    expected = '"' + expected + '"';
                }
                ASSERT_EQ(readable(text), expected) << c << " at " << place << " of " << length;
            }
        }
    }
}

TEST(ReadableText, OnlyTheEndOfATextIsMadeReadable) {
    std::string text = "a b ";
    const std::size_t begin = text.size();
    text += "c\nd";
    make_readable(text, begin);
    EXPECT_EQ(text, "a b \"c\\nd\"");
}

} // namespace
} // namespace etl
