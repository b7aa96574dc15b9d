#include "base/byte_writer.hpp"
#include "base/text.hpp"

#include <gtest/gtest.h>

#include <random>

namespace etl::utf_test {
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

} // namespace
} // namespace etl::utf_test
