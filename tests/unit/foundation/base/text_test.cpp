#include <etl/byte_writer.hpp>

#include "base/file_name.hpp"
#include "base/text.hpp"
#include "base/text_appender.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

namespace etl::text_test {

namespace {

constexpr std::string_view bad = "\xEF\xBF\xBD"; // U+FFFD

Bytes bytes_of(std::string_view text) {
    return std::as_bytes(std::span(text));
}

std::string from_utf16(std::u16string_view text) {
    ByteWriter units;
    units.text16(text);
    std::string result;
    append_utf16le(result, units.view());
    return result;
}

std::string from_utf8(std::string_view text) {
    std::string result;
    append_utf8(result, bytes_of(text));
    return result;
}

std::string from_ansi(std::string_view text) {
    std::string result;
    append_ansi(result, bytes_of(text));
    return result;
}

std::string repeat(std::string_view text, int times) {
    std::string result;
    for (int i = 0; i < times; ++i) {
        result.append(text);
    }
    return result;
}

// One unit after the other, as the Unicode standard tells it.
std::string slow_utf16(Bytes units) {
    std::string text;
    for (std::size_t i = 0; i < units.size(); i += 2) {
        if (units.size() - i == 1) {
            append_code_point(text, 0xFFFD);
            break;
        }
        const std::uint32_t unit = load_le<std::uint16_t>(units.data() + i);
        const std::uint32_t next =
            units.size() - i >= 4 ? load_le<std::uint16_t>(units.data() + i + 2) : 0U;
        if (unit >= 0xD800 && unit < 0xDC00 && next >= 0xDC00 && next < 0xE000) {
            append_code_point(text, 0x10000 + (unit - 0xD800) * 0x400 + (next - 0xDC00));
            i += 2;
        } else {
            append_code_point(text, unit);
        }
    }
    return text;
}

TEST(Utf16, BecomesUtf8) {
    EXPECT_EQ(from_utf16(u""), "");
    EXPECT_EQ(from_utf16(u"plain ASCII that fills a block"), "plain ASCII that fills a block");
    EXPECT_EQ(from_utf16(u"\u00E4\u20AC\U0001F600"), "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80");
    EXPECT_EQ(from_utf16(u"\u007F\u0080\u07FF\u0800\uFFFF"),
              "\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF");
    EXPECT_EQ(from_utf16(std::u16string_view(u"a\0b", 3)), std::string_view("a\0b", 3));
}

TEST(Utf16, ReplacesUnpairedSurrogates) {
    const std::u16string high(1, char16_t{0xD83D});
    const std::u16string low(1, char16_t{0xDE00});
    EXPECT_EQ(from_utf16(high), bad);
    EXPECT_EQ(from_utf16(low), bad);
    EXPECT_EQ(from_utf16(high + u"a"), std::string(bad) + "a");
    EXPECT_EQ(from_utf16(low + high), repeat(bad, 2));
    EXPECT_EQ(from_utf16(high + high + low), std::string(bad) + "\xF0\x9F\x98\x80");
}

TEST(Utf16, ReplacesAnOddLastByte) {
    for (const std::size_t units : {0U, 1U, 7U, 8U, 9U, 16U}) {
        ByteWriter bytes;
        bytes.text16(std::u16string(units, u'a')).u8('b');
        std::string text;
        append_utf16le(text, bytes.view());
        EXPECT_EQ(text, std::string(units, 'a') + std::string(bad));
    }
    ByteWriter split; // a pair of which half a unit is missing
    split.u16(0xD83D).u8(0x00);
    std::string text;
    append_utf16le(text, split.view());
    EXPECT_EQ(text, repeat(bad, 2));
}

TEST(Utf16, FindsAPairAcrossTheEdgeOfABlock) {
    for (std::size_t before = 0; before < 20; ++before) {
        EXPECT_EQ(from_utf16(std::u16string(before, u'a') + u"\U0001F600tail of the text"),
                  std::string(before, 'a') + "\xF0\x9F\x98\x80tail of the text");
    }
}

TEST(Utf16, AgreesWithTheSlowWayOnRandomUnits) {
    std::mt19937 random(5);
    for (int i = 0; i < 20'000; ++i) {
        ByteWriter bytes;
        const auto kind = random() % 4;
        for (auto left = random() % 40; left > 0; --left) {
            const auto unit = random();
            bytes.u16(static_cast<std::uint16_t>(kind == 0   ? unit % 0x80
                                                 : kind == 1 ? unit
                                                 : kind == 2 ? 0xD800 + unit % 0x800
                                                 : unit % 3  ? unit % 0x80
                                                             : unit >> 8U));
        }
        if (random() % 4 == 0) {
            bytes.u8(static_cast<std::uint8_t>(random()));
        }
        std::string text = "before";
        append_utf16le(text, bytes.view());
        ASSERT_EQ(text, "before" + slow_utf16(bytes.view()));
        ASSERT_TRUE(is_valid_utf8(text));
    }
}

TEST(Utf8, KeepsWhatIsValid) {
    for (const std::string_view text :
         {"", "ascii", "\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF",
          "\xEE\x80\x80", "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF",
          "long enough for a block \xC3\xA4"}) {
        EXPECT_TRUE(is_valid_utf8(text)) << text;
        EXPECT_EQ(from_utf8(text), text);
    }
}

TEST(Utf8, RejectsOverlongSurrogateAndTooLargeForms) {
    for (const std::string_view text :
         {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80",
          "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xC3", "\xE2\x82",
          "\xF0\x9F\x98", "aaaaaaa\xC3", "aaaaaaaa\xC3"}) {
        EXPECT_FALSE(is_valid_utf8(text)) << text;
        EXPECT_TRUE(is_valid_utf8(from_utf8(text)));
    }
}

TEST(Utf8, ReplacesEachBadSequenceOnce) {
    EXPECT_EQ(from_utf8("a\x80z"), "a" + std::string(bad) + "z");
    EXPECT_EQ(from_utf8("\xE2\x82z"), std::string(bad) + "z"); // one sequence cut short
    EXPECT_EQ(from_utf8("\xF0\x9F\x98"), bad);
    EXPECT_EQ(from_utf8("\xED\xA0\x80"), repeat(bad, 3)); // no part could begin a good one
    EXPECT_EQ(from_utf8("\xC0\xAF\xE2\x82\xAC"), repeat(bad, 2) + "\xE2\x82\xAC");
    // The example of the Unicode standard, table 3-8.
    EXPECT_EQ(from_utf8("\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64"),
              "a" + repeat(bad, 3) + "b" + std::string(bad) + "c" + repeat(bad, 2) + "d");
}

TEST(Utf8, IsValidAfterReplacementWhateverTheBytes) {
    std::mt19937 random(6);
    for (int i = 0; i < 20'000; ++i) {
        std::string text;
        for (auto left = random() % 24; left > 0; --left) {
            text.push_back(
                static_cast<char>(random() % 3 == 0 ? random() % 0x80 : 0x80 + random() % 0x80));
        }
        const std::string clean = from_utf8(text);
        ASSERT_TRUE(is_valid_utf8(clean));
        ASSERT_EQ(clean == text, is_valid_utf8(text));
    }
}

TEST(Ansi, KeepsUtf8AndReadsTheRestAsWindows1252) {
    EXPECT_EQ(from_ansi("plain"), "plain");
    EXPECT_EQ(from_ansi("\xC3\xA4"), "\xC3\xA4");
    EXPECT_EQ(from_ansi("\xE4"), "\xC3\xA4");
    EXPECT_EQ(from_ansi("gr\xF6\xDF"
                        "er"),
              "gr\xC3\xB6\xC3\x9F"
              "er");
    // One bad byte: all of the text is of the other kind.
    EXPECT_EQ(from_ansi("\xC3\xA4\xFF"), "\xC3\x83\xC2\xA4\xC3\xBF");
}

TEST(Ansi, MapsTheC1RangeAsWindowsDoes) {
    // 0x80..0x9F, followed by a byte that makes the whole invalid as UTF-8.
    std::string in;
    for (int c = 0x80; c < 0xA0; ++c) {
        in.push_back(static_cast<char>(c));
    }
    const std::u16string expected = u"\u20AC\u0081\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030"
                                    u"\u0160\u2039\u0152\u008D\u017D\u008F\u0090\u2018\u2019\u201C"
                                    u"\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153\u009D"
                                    u"\u017E\u0178";
    EXPECT_EQ(to_utf16(from_ansi(in)), expected);
    for (int c = 0xA0; c < 0x100; ++c) {
        EXPECT_EQ(to_utf16(from_ansi(std::string(1, static_cast<char>(c)))),
                  std::u16string(1, static_cast<char16_t>(c)));
    }
}

TEST(CodePoint, OutsideUnicodeIsReplaced) {
    for (const std::uint32_t value : {0xD800U, 0xDFFFU, 0x110000U, 0xFFFFFFFFU}) {
        std::string text;
        append_code_point(text, value);
        EXPECT_EQ(text, bad);
    }
    std::string text;
    append_code_point(text, 0x10FFFF);
    EXPECT_EQ(text, "\xF4\x8F\xBF\xBF");
}

TEST(CodePoint, GoesThroughUtf16AndBack) {
    for (std::uint32_t value = 0; value < 0x110000; value += value < 0x11000 ? 1 : 61) {
        if (value >= 0xD800 && value < 0xE000) {
            continue;
        }
        std::string text;
        append_code_point(text, value);
        ASSERT_TRUE(is_valid_utf8(text)) << value;
        ASSERT_EQ(from_utf16(to_utf16(text)), text) << value;
    }
}

TEST(ToUtf16, ReplacesBadSequences) {
    EXPECT_EQ(to_utf16("a\x80\xF0\x9F\x98\x80"), u"a\uFFFD\U0001F600");
    EXPECT_EQ(to_utf16(""), u"");
}

TEST(PutUtf16Le, WritesWhatToUtf16Gives) {
    for (const std::string_view text :
         {"", "plain", "n\xC3\xA9-", "a\x80\xF0\x9F\x98\x80z", "\xEF\xBF\xBD"}) {
        std::vector<std::byte> bytes(2 * text.size() + 1, std::byte{0xEE});
        const std::byte* const end = put_utf16le(bytes.data(), text);
        const auto units = to_utf16(text);
        ASSERT_EQ(end, bytes.data() + 2 * units.size());
        for (std::size_t i = 0; i < units.size(); ++i) {
            EXPECT_EQ(load_le<std::uint16_t>(bytes.data() + 2 * i), units[i]);
        }
        EXPECT_EQ(bytes.back(), std::byte{0xEE});
    }
}

TEST(PutWindows1252, GivesBackEveryByte) {
    for (unsigned value = 0; value < 256; ++value) {
        // Behind a byte that is no UTF-8, so that the other one is none either.
        const std::byte pair[] = {std::byte{0xFF}, static_cast<std::byte>(value)};
        std::string text;
        append_ansi(text, pair);
        std::vector<std::byte> bytes(text.size());
        const std::byte* const end = put_windows_1252(bytes.data(), text);
        ASSERT_EQ(end, bytes.data() + 2) << value;
        EXPECT_EQ(bytes[1], pair[1]);
    }
    std::byte room[8];
    EXPECT_EQ(put_windows_1252(room, "\xE3\x83\x84"), nullptr);
    EXPECT_EQ(put_windows_1252(room, ""), room);
}

TEST(TextAppender, AppendsBehindWhatIsThere) {
    std::string text = "before:";
    {
        TextAppender tail(text);
        tail.reserve(64);
        tail.put('a');
        tail.put("bc");
        tail.put(std::string_view("d"));
        tail.put_decimal(-12);
        tail.put_hex(0x1F);
        EXPECT_EQ(tail.size(), 18U);
        EXPECT_EQ(tail.back(), 'f');
        tail.drop(4);
        tail.put_at(0, 'B');
    }
    EXPECT_EQ(text, "Before:abcd-12");
}

TEST(TextAppender, KeepsItsTextWhenItMakesRoom) {
    std::string text;
    std::string expected;
    {
        TextAppender tail(text);
        for (int i = 0; i < 10'000; ++i) {
            tail.text("tea ");
            expected += "tea ";
        }
        tail.text('!');
    }
    EXPECT_EQ(text, expected + "!");
}

TEST(TextAppender, LendsTheStringToOthers) {
    std::string text = "a";
    {
        TextAppender tail(text);
        tail.text("b");
        tail.append_with([](std::string& string) {
            EXPECT_EQ(string, "ab");
            string.append(1000, 'c');
        });
        tail.text("d");
    }
    EXPECT_EQ(text, "ab" + std::string(1000, 'c') + "d");
}

TEST(TextAppender, WritesNumbersAndIdentifiersLikeTheOtherAppenders) {
    for (const std::uint64_t value :
         {std::uint64_t{0}, std::uint64_t{15}, std::uint64_t{16}, std::uint64_t{0x12345},
          std::numeric_limits<std::uint64_t>::max()}) {
        std::string text;
        std::string expected;
        append_hex(expected, value);
        append_decimal(expected, value);
        {
            TextAppender tail(text);
            tail.reserve(64);
            tail.put_hex(value);
            tail.put_decimal(value);
        }
        EXPECT_EQ(text, expected);
    }
    using namespace literals;
    constexpr Guid guid = "68fdd900-4a3e-11d1-84f4-0000f80464e3"_guid;
    std::string text;
    {
        TextAppender tail(text);
        tail.reserve(36);
        tail.put_guid(guid);
        tail.hex_bytes(guid.bytes);
    }
    EXPECT_EQ(text, "68fdd900-4a3e-11d1-84f4-0000f80464e300d9fd683e4ad11184f40000f80464e3");
}

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

std::string in_quotes(std::string_view text) {
    std::string to = "before";
    append_csv_quoted(to, text);
    return to;
}

TEST(CsvText, QuotesAreDoubled) {
    EXPECT_EQ(in_quotes(""), "before\"\"");
    EXPECT_EQ(in_quotes("a,b\r\n"), "before\"a,b\r\n\"");
    EXPECT_EQ(in_quotes("\""), "before\"\"\"\"");
    EXPECT_EQ(in_quotes("\"a\""), "before\"\"\"a\"\"\"");
}

// Blocks and the rest behind them, with quotes at every place.
TEST(CsvText, QuotesAtEveryPlaceOfEveryLengthAreDoubled) {
    for (std::size_t length = 1; length < 70; ++length) {
        for (std::size_t place = 0; place < length; ++place) {
            for (const std::size_t step : {1U, 2U, 7U, 100U}) {
                std::string text, expected = "before\"";
                for (std::size_t i = 0; i < length; ++i) {
                    const bool is_quote = i >= place && (i - place) % step == 0;
                    text.push_back(is_quote ? '"' : static_cast<char>(0x80U + i));
                    expected.append(is_quote ? 2 : 1, text.back());
                }
                EXPECT_EQ(in_quotes(text), expected + '"');
            }
        }
    }
}

} // namespace

} // namespace etl::text_test
