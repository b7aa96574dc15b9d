#include "base/xml_text.hpp"

#include <gtest/gtest.h>

namespace etl::xml_text_test {
namespace {

std::string escaped(std::string_view text, XmlPlace place = XmlPlace::content) {
    std::string to = "-";
    append_xml_escaped(to, text, place);
    std::string in_place = "-" + std::string(text);
    escape_xml_from(in_place, 1, place);
    EXPECT_EQ(in_place, to);
    return to.substr(1);
}

TEST(XmlText, EscapesMarkup) {
    EXPECT_EQ(escaped("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &apos;d&apos;");
    EXPECT_EQ(escaped(""), "");
    EXPECT_EQ(escaped("plain \xE8\x8C\xB6"), "plain \xE8\x8C\xB6");
}

TEST(XmlText, KeepsLineEndsInContentAndRefersToThemInAttributes) {
    EXPECT_EQ(escaped("a\tb\r\nc"), "a\tb&#13;\nc");
    EXPECT_EQ(escaped("a\tb\r\nc", XmlPlace::attribute), "a&#9;b&#13;&#10;c");
}

TEST(XmlText, ReplacesForbiddenCharacters) {
    const std::string replacement = "\xEF\xBF\xBD";
    EXPECT_EQ(escaped(std::string_view("a\0b\x1F", 4)), "a" + replacement + "b" + replacement);
    EXPECT_EQ(escaped("\xEF\xBF\xBE\xEF\xBF\xBF"), replacement + replacement);
    EXPECT_EQ(escaped("\xEF\xBF\xBC\xEF\xBB\xBF"), "\xEF\xBF\xBC\xEF\xBB\xBF");
    EXPECT_EQ(escaped("\x7F\xC2\x85"), "\x7F\xC2\x85");
}

/// Eight characters are looked at together: none may hide another.
TEST(XmlText, FindsEveryCharacterAtEveryPlace) {
    for (unsigned character = 0; character < 0x80; ++character) {
        for (std::size_t at = 0; at < 20; ++at) {
            const char c = static_cast<char>(character);
            const std::string before(at, 'x'), after("<\x7F=%#!?\n abcdefghij");
            std::string alone, rest, all;
            append_xml_escaped(alone, std::string_view(&c, 1));
            append_xml_escaped(rest, std::string_view(after).substr(1));
            append_xml_escaped(all, before + c + after);
            EXPECT_EQ(all, before + alone + "&lt;" + rest) << character << " at " << at;
            std::string in_place = before + c + after;
            escape_xml_from(in_place, 0, XmlPlace::content);
            EXPECT_EQ(in_place, all) << character << " at " << at;
        }
    }
}

} // namespace
} // namespace etl::xml_text_test
