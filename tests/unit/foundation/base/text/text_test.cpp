#include "base/file_name.hpp"
#include "base/text.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <limits>
#include <random>

namespace etl::text_test {
namespace {

std::string hex(std::uint64_t value) {
    std::string text;
    append_hex(text, value);
    return text;
}

template <typename Float>
std::string number(Float value) {
    std::string text;
    append_float(text, value);
    return text;
}

TEST(Text, WritesDecimals) {
    std::string text;
    append_decimal(text, std::numeric_limits<std::uint64_t>::max());
    append_decimal(text.append(" "), std::numeric_limits<std::int64_t>::min());
    append_decimal(text.append(" "), std::int8_t{-128});
    append_decimal(text.append(" "), std::uint8_t{65});
    EXPECT_EQ(text, "18446744073709551615 -9223372036854775808 -128 65");
}

TEST(Text, WritesHexWithoutLeadingZeros) {
    EXPECT_EQ(hex(0), "0x0");
    EXPECT_EQ(hex(0xF), "0xf");
    EXPECT_EQ(hex(0x10), "0x10");
    EXPECT_EQ(hex(0xABC), "0xabc");
    EXPECT_EQ(hex(std::numeric_limits<std::uint64_t>::max()), "0xffffffffffffffff");
    for (unsigned bit = 0; bit < 64; ++bit) {
        const std::uint64_t value = (std::uint64_t{1} << bit) | 1U;
        ASSERT_EQ(std::strtoull(hex(value).c_str(), nullptr, 16), value);
        ASSERT_EQ(hex(value).size(), 2U + bit / 4U + 1U);
    }
}

TEST(Text, AppendsBehindWhatIsThere) {
    std::string text = "a";
    append_hex(text, 0x123);
    append_hex_bytes(text, std::as_bytes(std::span("\x01\xFF", 2)));
    append_hex_bytes(text, {});
    EXPECT_EQ(text, "a0x12301ff");
}

TEST(Text, WritesFloatsInTheShortestFormThatReadsBack) {
    EXPECT_EQ(number(0.1), "0.1");
    EXPECT_EQ(number(0.1F), "0.1");
    EXPECT_EQ(number(-0.0), "-0");
    EXPECT_EQ(number(1.0), "1");
    EXPECT_EQ(number(16777216.0F), "16777216");
    EXPECT_EQ(number(1e300), "1e+300");
    EXPECT_EQ(number(5e-324), "5e-324");
    std::mt19937_64 random(4);
    for (int i = 0; i < 20'000; ++i) {
        const auto value = std::bit_cast<double>(random());
        const std::string text = number(value);
        if (value == value) { // NaN reads back as NaN, which equals nothing
            ASSERT_EQ(std::strtod(text.c_str(), nullptr), value) << text;
        } else {
            ASSERT_EQ(text, "NaN");
        }
    }
}

TEST(Text, WritesNoNumberForNoNumber) {
    EXPECT_EQ(number(std::numeric_limits<double>::quiet_NaN()), "NaN");
    EXPECT_EQ(number(-std::numeric_limits<float>::quiet_NaN()), "NaN");
    EXPECT_EQ(number(std::numeric_limits<double>::infinity()), "Infinity");
    EXPECT_EQ(number(-std::numeric_limits<float>::infinity()), "-Infinity");
}

TEST(Text, ReadsNumbers) {
    EXPECT_EQ(parse_number("0"), 0U);
    EXPECT_EQ(parse_number("18446744073709551615"), ~std::uint64_t{0});
    EXPECT_EQ(parse_number("0xFf"), 255U);
    for (const char* none : {"", "0x", "-1", "+1", " 1", "1 ", "1h", "18446744073709551616"}) {
        EXPECT_EQ(parse_number(none), std::nullopt) << none;
    }
}

TEST(Text, ComparesWithoutTheCaseOfAsciiLetters) {
    EXPECT_TRUE(equals_ignoring_case("System", "sYSTEM"));
    EXPECT_FALSE(equals_ignoring_case("System", "System "));
    EXPECT_FALSE(equals_ignoring_case("@", "`"));
    EXPECT_FALSE(equals_ignoring_case("\xC3\x84", "\xC3\xA4"));
    EXPECT_EQ(to_lower_ascii("A[Z]{z} \xC3\x84"), "a[z]{z} \xC3\x84");
}

TEST(Trimmed, OmitsBlanksAtBothEnds) {
    EXPECT_EQ(trimmed(" \t a b\r\n"), "a b");
    EXPECT_EQ(trimmed("a"), "a");
}

TEST(Trimmed, IsEmptyWithoutOtherCharacters) {
    EXPECT_EQ(trimmed(""), "");
    EXPECT_EQ(trimmed(" \r\n\t"), "");
}

TEST(Trimmed, OmitsOnlyWhatIsAskedFor) {
    EXPECT_EQ(trimmed(" a\n", " \t"), "a\n");
    EXPECT_EQ(trimmed("\t a ", " "), "\t a");
}

TEST(WholeCharacters, EndBeforeACharacterThatIsTooLong) {
    constexpr std::string_view text = "a\xC3\xA9\xE2\x80\xA6"; // 1, 2, and 3 bytes
    const std::size_t sizes[] = {0, 1, 1, 3, 3, 3, 6, 6};
    for (std::size_t max = 0; max < std::size(sizes); ++max) {
        EXPECT_EQ(whole_characters(text, max), text.substr(0, sizes[max])) << max;
    }
    EXPECT_EQ(whole_characters("\x80\x80", 1), "");
}

TEST(FileName, FollowsTheLastSeparatorOfEitherSystem) {
    EXPECT_EQ(file_name_of(R"(C:\Windows\System32\ntdll.dll)"), "ntdll.dll");
    EXPECT_EQ(file_name_of("/usr/lib/libc.so.6"), "libc.so.6");
    EXPECT_EQ(file_name_of(R"(C:\a/b\c)"), "c");
}

TEST(FileName, IsTheWholePathWithoutSeparators) {
    EXPECT_EQ(file_name_of("a.exe"), "a.exe");
    EXPECT_EQ(file_name_of(""), "");
}

TEST(FileName, IsEmptyAfterASeparatorAtTheEnd) {
    EXPECT_EQ(file_name_of(R"(C:\a\)"), "");
}

TEST(FileName, CanFollowTheColonOfADrive) {
    EXPECT_EQ(file_name_of("C:a.exe"), "C:a.exe");
    EXPECT_EQ(file_name_of("C:a.exe", path_separators_and_drive), "a.exe");
}

} // namespace
} // namespace etl::text_test
