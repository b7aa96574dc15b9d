#include "base/byte_writer.hpp"
#include "schema/file_text.hpp"
#include "tests/unit/meaning/schema/manifest/manifest_in.hpp"

#include <gtest/gtest.h>

namespace etl::schema::manifest_text_test {
namespace {

std::string repaired(std::string_view text) {
    const RepairedText result = repair_attributes(text);
    return result.repaired.empty() ? "unchanged" : result.text;
}

TEST(ManifestText, LeavesWellFormedTextAlone) {
    EXPECT_EQ(repaired(R"(<?xml version="1.0"?><a b="1" c='it"s'  d = "x > y"/><!-- "<" -->)"),
              "unchanged");
    EXPECT_EQ(repaired(R"(<a b="1"><![CDATA[ <x y="z"z"> ]]></a>)"), "unchanged");
}

TEST(ManifestText, EscapesQuotesInsideOfValues) {
    EXPECT_EQ(repaired(R"x(<map message="$(string.x"No mode")"/>)x"),
              R"x(<map message="$(string.x&quot;No mode&quot;)"/>)x");
    EXPECT_EQ(repaired(R"(<map m="run "CHECK /SCAN" locally via" n="2"/>)"),
              R"(<map m="run &quot;CHECK /SCAN&quot; locally via" n="2"/>)");
    EXPECT_EQ(repaired("<map m='it's' n='2'/>"), "<map m='it&apos;s' n='2'/>");
}

TEST(ManifestText, EscapesBracketsInsideOfValues) {
    EXPECT_EQ(repaired(R"(<map m="Token<Property>"/><next/>)"),
              R"(<map m="Token&lt;Property>"/><next/>)");
}

TEST(ManifestText, SaysWhereItRepaired) {
    const RepairedText result = repair_attributes("<a>\n\n<b c=\"x<y\"/>\n<d e=\"p\"q\"/>");
    ASSERT_EQ(result.repaired.size(), 2U);
    const LineIndex lines(result.text);
    EXPECT_EQ(lines.line_of(result.repaired[0]), 3U);
    EXPECT_EQ(lines.line_of(result.repaired[1]), 4U);
}

TEST(ManifestText, LeavesAnUnfinishedValueToTheParser) {
    EXPECT_EQ(repaired(R"(<a b="no end)"), "unchanged");
    EXPECT_EQ(repaired("<a"), "unchanged");
    EXPECT_EQ(repaired("<!-- no end"), "unchanged");
    EXPECT_EQ(repaired(""), "unchanged");
}

TEST(ManifestText, IsLinearInHostileQuotes) {
    std::string text = "<a b=\"";
    for (int i = 0; i < 400'000; ++i) {
        text += "\" c ";
    }
    EXPECT_EQ(repaired(text), "unchanged");
}

TEST(LineIndex, CountsLinesAcrossBlocks) {
    std::string text;
    for (int i = 0; i < 50'000; ++i) {
        text += "line\n";
    }
    const LineIndex lines(text);
    EXPECT_EQ(lines.line_of(0), 1U);
    EXPECT_EQ(lines.line_of(4), 1U) << "the line end belongs to its line";
    EXPECT_EQ(lines.line_of(5), 2U);
    EXPECT_EQ(lines.line_of(5 * 40'000 + 2), 40'001U);
    EXPECT_EQ(lines.line_of(text.size()), 50'001U);
    EXPECT_EQ(LineIndex("").line_of(0), 1U);
}

ByteWriter utf16(std::u16string_view text, bool big_endian) {
    ByteWriter out;
    for (const char16_t unit : text) {
        out.u8(static_cast<std::uint8_t>(big_endian ? unit >> 8U : unit & 0xFFU));
        out.u8(static_cast<std::uint8_t>(big_endian ? unit & 0xFFU : unit >> 8U));
    }
    return out;
}

TEST(ManifestText, DecodesEveryEncodingThatOccurs) {
    EXPECT_EQ(decode_text(utf16(u"\uFEFF<ä/>", false).view()).utf8, "<ä/>");
    EXPECT_EQ(decode_text(utf16(u"\uFEFF<ä/>", true).view()).utf8, "<ä/>");
    EXPECT_EQ(decode_text(utf16(u"<ä/>", false).view()).utf8, "<ä/>") << "no byte order mark";
    EXPECT_EQ(decode_text(utf16(u"<ä/>", true).view()).utf8, "<ä/>") << "no byte order mark";
    EXPECT_EQ(decode_text(as_bytes_of("\xEF\xBB\xBF<ä/>")).utf8, "<ä/>");
    EXPECT_EQ(decode_text(as_bytes_of("<ä/>")).utf8, "<ä/>");
    EXPECT_FALSE(decode_text(as_bytes_of("<ä/>")).assumed_ansi);
    const DecodedText ansi = decode_text(as_bytes_of("<\xE4/>"));
    EXPECT_EQ(ansi.utf8, "<ä/>");
    EXPECT_TRUE(ansi.assumed_ansi);
}

} // namespace
} // namespace etl::schema::manifest_text_test
