#include "decode/messages/printf_text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

namespace etl::decode::printf_text_test {
namespace {

std::string integer(std::string_view notation, std::int64_t value, unsigned size = 4) {
    std::string text;
    const std::uint64_t mask = size == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8U * size) - 1;
    append_integer(text, static_cast<std::uint64_t>(value) & mask, size, parse_notation(notation));
    return text;
}

std::string real(std::string_view notation, double value) {
    std::string text;
    append_real(text, value, parse_notation(notation));
    return text;
}

std::string fitted(std::string_view notation, std::string text) {
    text.insert(0, "<");
    fit_text(text, 1, parse_notation(notation));
    return text.substr(1);
}

TEST(PrintfText, ReadsNotations) {
    const Notation notation = parse_notation("-+ #08.3I64X");
    EXPECT_TRUE(notation.is_left && notation.has_plus && notation.has_blank &&
                notation.is_alternate && notation.has_zeros);
    EXPECT_EQ(notation.width, 8U);
    EXPECT_EQ(notation.precision, 3U);
    EXPECT_EQ(notation.conversion, 'X');
    EXPECT_EQ(parse_notation("").conversion, 's');
    EXPECT_EQ(parse_notation("08U").conversion, 'u') << "as the small letter";
    EXPECT_EQ(parse_notation("hhd").conversion, 'd');
    EXPECT_EQ(parse_notation("999999999999999999999d").width, widest_notation);
}

// The C library's printf, for what both understand.
template <typename T>
std::string by_library(const std::string& notation, T value) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" // the point of the test
    char text[512];
    std::snprintf(text, sizeof text, ("%" + notation).c_str(), value);
#pragma GCC diagnostic pop
    return text;
}

TEST(PrintfText, WritesIntegersAsPrintfDoes) {
    const std::vector<std::string> flags{"", "-", "0", "+", " ", "#", "-0", "+0", "#0", "+-"};
    const std::vector<std::string> sizes{"", "1", "7", "12", ".0", ".3", "9.4", "3.9"};
    int compared = 0;
    for (const std::string& flag : flags) {
        for (const std::string& size : sizes) {
            for (const char conversion : std::string_view("diuxXo")) {
                for (const int value : {0, 1, -1, 255, -4096, 2147483647}) {
                    const bool differs =
                        (flag.find('#') != std::string::npos && conversion == 'o') ||
                        (size.ends_with(".0") && value == 0);
                    if (differs) {
                        continue; // `#o` counts its zero as a digit; precision 0 hides zero
                    }
                    const std::string notation = flag + size + conversion;
                    EXPECT_EQ(integer(notation, value), by_library(notation, value)) << notation;
                    ++compared;
                }
            }
        }
    }
    EXPECT_GT(compared, 2000);
}

TEST(PrintfText, TakesTheSizeOfIntegersFromTheValue) {
    EXPECT_EQ(integer("I64d", -1, 1), "-1");
    EXPECT_EQ(integer("hhu", -1, 2), "65535");
    EXPECT_EQ(integer("x", -1, 2), "ffff");
    EXPECT_EQ(integer("d", std::numeric_limits<std::int64_t>::min(), 8), "-9223372036854775808");
    EXPECT_EQ(integer("p", 0xAB, 4), "000000AB");
    EXPECT_EQ(integer("p", 0xAB, 8), "00000000000000AB");
    EXPECT_EQ(integer("18p", 0xAB, 8), "  00000000000000AB");
}

TEST(PrintfText, WritesRealsAsPrintfDoes) {
    for (const std::string notation :
         {"e", "E", "f", "g", "G", ".0f", ".3f", "12.2e", "-12.2f", "+g", "012.1f", " .2e", "a"}) {
        for (const double value : {0.0, -0.0, 1.5, -123456.789, 1e300, 1e-300, 0.1,
                                   std::numeric_limits<double>::infinity()}) {
            EXPECT_EQ(real(notation, value), by_library(notation, value)) << notation;
        }
    }
    EXPECT_EQ(real("g", std::nan("")), "nan");
    EXPECT_EQ(real(".999f", 0.5).size(), 102U) << "decimals are bounded";
}

TEST(PrintfText, CutsAndPadsByCharacters) {
    EXPECT_EQ(fitted("6s", "\u8336\u58F6"), "    \u8336\u58F6");
    EXPECT_EQ(fitted("-4.1s", "\u8336\u58F6"), "\u8336   ");
    EXPECT_EQ(fitted(".0s", "abc"), "");
    EXPECT_EQ(fitted("s", "abc"), "abc");
    EXPECT_EQ(fitted("2s", "abc"), "abc");
}

} // namespace
} // namespace etl::decode::printf_text_test
