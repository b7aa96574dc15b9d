#include "base/byte_writer.hpp"
#include "base/json_text.hpp"
#include "base/text.hpp"

#include <gtest/gtest.h>

#include <random>

namespace etl::json_text_test {
namespace {

std::string escaped(std::string_view text) {
    std::string result;
    append_json_escaped(result, text);
    return result;
}

std::string escaped16(Bytes units) {
    std::string result;
    append_json_utf16le(result, units);
    return result;
}

// RFC 8259, section 7, a character at a time.
std::string slow_escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
        case '"':
            result += "\\\"";
            break;
        case '\\':
            result += "\\\\";
            break;
        case '\b':
            result += "\\b";
            break;
        case '\f':
            result += "\\f";
            break;
        case '\n':
            result += "\\n";
            break;
        case '\r':
            result += "\\r";
            break;
        case '\t':
            result += "\\t";
            break;
        default:
            if (static_cast<unsigned char>(c) < 0x20) {
                constexpr std::string_view digits = "0123456789abcdef";
                result += "\\u00";
                result += digits[static_cast<unsigned char>(c) / 16];
                result += digits[static_cast<unsigned char>(c) % 16];
            } else {
                result += c;
            }
        }
    }
    return result;
}

TEST(JsonText, ComesBackFromItsEscapes) {
    std::string all;
    for (int c = 0; c < 128; ++c) {
        all.push_back(static_cast<char>(c));
    }
    for (const std::string& text :
         {all, std::string("\\\\"), std::string("tea \u8336\n"), std::string()}) {
        std::string plain = "> ";
        append_json_unescaped(plain, escaped(text));
        EXPECT_EQ(plain, "> " + text);
    }
}

TEST(JsonText, EscapesWhatTheStandardAsksFor) {
    EXPECT_EQ(escaped("a\"b\\c/d"), "a\\\"b\\\\c/d");
    EXPECT_EQ(escaped("\b\f\n\r\t"), "\\b\\f\\n\\r\\t");
    EXPECT_EQ(escaped(std::string_view("\0\x01\x1F", 3)), "\\u0000\\u0001\\u001f");
}

TEST(JsonText, LeavesEverythingElseAlone) {
    EXPECT_EQ(escaped("\x7F'<>&"), "\x7F'<>&");
    EXPECT_EQ(escaped("\xE2\x80\xA8\xE2\x80\xA9"), "\xE2\x80\xA8\xE2\x80\xA9"); // U+2028, U+2029
    EXPECT_EQ(escaped(""), "");
}

TEST(JsonText, PutsQuotesAroundAString) {
    std::string text = ":";
    append_json_string(text, "a\"");
    append_json_string(text, "");
    EXPECT_EQ(text, ":\"a\\\"\"\"\"");
}

TEST(JsonText, EscapesEachCharacterAtEachPlaceOfABlock) {
    for (unsigned c = 0; c < 0x80; ++c) {
        for (std::size_t before = 0; before < 40; ++before) {
            const std::string text =
                std::string(before, 'x') + static_cast<char>(c) + std::string(40 - before, 'y');
            ASSERT_EQ(escaped(text), slow_escaped(text));
        }
    }
}

TEST(JsonText, AgreesWithTheSlowWayOnRandomText) {
    std::mt19937 random(7);
    for (int i = 0; i < 20'000; ++i) {
        std::string text;
        const auto plain = random() % 20 + 1;
        for (auto left = random() % 80; left > 0; --left) {
            append_code_point(
                text, static_cast<std::uint32_t>(random() % plain == 0   ? random() % 0x30
                                                 : random() % plain == 0 ? random() % 0x110000
                                                                         : 'a' + random() % 26));
        }
        ASSERT_EQ(escaped(text), slow_escaped(text));
    }
}

TEST(JsonText, Utf16IsUtf8Escaped) {
    std::mt19937 random(8);
    for (int i = 0; i < 20'000; ++i) {
        ByteWriter units;
        const auto plain = random() % 20 + 1;
        for (auto left = random() % 60; left > 0; --left) {
            units.u16(static_cast<std::uint16_t>(random() % plain == 0   ? random() % 0x60
                                                 : random() % plain == 0 ? random()
                                                                         : 'a' + random() % 26));
        }
        if (random() % 5 == 0) {
            units.u8('"');
        }
        std::string utf8;
        append_utf16le(utf8, units.view());
        ASSERT_EQ(escaped16(units.view()), slow_escaped(utf8));
    }
}

TEST(JsonText, DoesNotTakeTheLowByteOfAUnitForAQuote) {
    ByteWriter units;
    units.text16(u"\u0122\u225C\u0A0A\u2222 and so on for a block");
    EXPECT_EQ(escaped16(units.view()),
              "\xC4\xA2\xE2\x89\x9C\xE0\xA8\x8A\xE2\x88\xA2 and so on for a block");
}

} // namespace
} // namespace etl::json_text_test
