#include "schema/wpp_format.hpp"

#include <gtest/gtest.h>

#include <string>

namespace etl::schema::wpp_format_test {
namespace {

/// `text|10:d|<FUNC>`
std::string pieces(std::string_view text) {
    std::string result;
    std::string whole;
    WppFormat format(text);
    for (WppPiece piece; format.next(piece);) {
        result += result.empty() ? "" : "|";
        switch (piece.kind) {
        case WppPiece::Kind::text:
            result += piece.text;
            break;
        case WppPiece::Kind::variable:
            result += std::to_string(piece.number) + ":" + std::string(piece.text);
            break;
        case WppPiece::Kind::name:
            result += "<" + std::string(piece.text) + ">";
            break;
        }
    }
    return result;
}

TEST(WppFormat, TellsVariablesFromText) {
    EXPECT_EQ(pieces("%0depth=%10!d!, at %11!08I64X!"), "depth=|10:d|, at |11:08I64X");
    EXPECT_EQ(pieces("%10 %9!04X!.%3"), "10:s| |9:04X|.|3:s");
    EXPECT_EQ(pieces("%105"), "10:s|5") << "as FormatMessage reads it";
    EXPECT_EQ(pieces("%105!d!"), "105:d");
}

TEST(WppFormat, KnowsNames) {
    EXPECT_EQ(pieces("%!FUNC!: %!LEVEL!%!x"), "<FUNC>|: |<LEVEL>|!|x");
    EXPECT_EQ(pieces("a%!!b"), "a|!|!b");
}

TEST(WppFormat, ResolvesEscapes) {
    EXPECT_EQ(pieces("100%%%n%t%r%b%."), "100|%|\n|\t|\r| |.");
    EXPECT_EQ(pieces("%"), "%");
    EXPECT_EQ(pieces("%0%0"), "");
    EXPECT_EQ(pieces("%10!d"), "10:s|!d") << "no end of the notation";
}

TEST(WppFormat, FindsTheConversion) {
    EXPECT_EQ(conversion_of("-08I64d"), 'd');
    EXPECT_EQ(conversion_of("s"), 's');
    EXPECT_EQ(conversion_of("08"), 's');
    EXPECT_EQ(conversion_of(""), 's');
}

} // namespace
} // namespace etl::schema::wpp_format_test
