#include "base/readable_text.hpp"

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
    EXPECT_EQ(readable("\u2027\u202f\u4e2d\U0001F600"), "\u2027\u202f\u4e2d\U0001F600");
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
}

TEST(ReadableText, WhatIsNotUtf8IsEscaped) {
    EXPECT_EQ(readable("a\xC2"), "a\\xc2");
    EXPECT_EQ(readable("\x9Bz"), "\\x9bz"); // CSI of ISO 8859 terminals
    EXPECT_EQ(readable("\xE2\x80z, \xFF"), "\"\\xe2\\x80z, \\xff\"");
}

/// `exe.gpj` after U+202E is shown as `jpg.exe`.
TEST(ReadableText, CharactersThatReorderSeparateOrAreInvisibleAreEscaped) {
    EXPECT_EQ(readable("a\u202Egpj.exe"), "a\\u{202e}gpj.exe");
    EXPECT_EQ(readable("a\u2028b\u2029"), "a\\u{2028}b\\u{2029}");
    EXPECT_EQ(readable("\u061C\u200B\u200F\u2066\u2069\uFEFF"),
              "\\u{61c}\\u{200b}\\u{200f}\\u{2066}\\u{2069}\\u{feff}");
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

TEST(VisibleText, IsTheSameInPiecesOfEverySize) {
    const std::string text = "a\tb\r\n\x1B]0;x\x07 \u202Egpj \u4e2d\U0001F600 \xE2\x80 \xF0\x9F";
    const std::string expected = "a\tb\r\n\\x1b]0;x\\x07 \\u{202e}gpj \u4e2d\U0001F600 "
                                 "\\xe2\\x80 \\xf0\\x9f";
    for (std::size_t size = 1; size <= text.size(); ++size) {
        VisibleText visible;
        std::string shown;
        for (std::size_t at = 0; at < text.size(); at += size) {
            shown += visible.add(std::string_view(text).substr(at, size));
        }
        shown += visible.finish();
        EXPECT_EQ(shown, expected) << size;
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
