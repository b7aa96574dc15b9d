#include <etl/byte_writer.hpp>

#include "base/json_object.hpp"
#include "base/json_text.hpp"
#include "base/text.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string_view>

namespace etl::json_text_test {

// Integers in JSON that readers with 53 bits would round.

namespace {

std::string quoted(std::string json, std::size_t begin = 0,
                   std::uint64_t largest = max_exact_integer) {
    quote_large_integers(json, begin, largest);
    return json;
} // namespace

TEST(QuoteLargeIntegers, LeavesWhatADoubleRepresents) {
    for (const char* const json :
         {"", "{}", R"({"a":1,"b":[9007199254740992,-9007199254740992],"c":null})",
          R"({"9007199254740993":"9007199254740993"})", R"(["\"9007199254740993"])",
          "1.8446744073709551615e19", "9007199254740993.0", R"("9007199254740993)"}) {
        EXPECT_EQ(quoted(json), json);
    }
}

TEST(QuoteLargeIntegers, QuotesLargerOnes) {
    EXPECT_EQ(quoted("9007199254740993"), R"("9007199254740993")");
    EXPECT_EQ(quoted(R"({"a":-9007199254740993,"b":[18446744073709551615,2,1e3]})"),
              R"({"a":"-9007199254740993","b":["18446744073709551615",2,1e3]})");
    EXPECT_EQ(quoted("[99999999999999999999]"), R"(["99999999999999999999"])");
}

TEST(QuoteLargeIntegers, BeginsAndEndsWhereAsked) {
    EXPECT_EQ(quoted("[9007199254740993]\n[9007199254740993]\n", 19),
              "[9007199254740993]\n[\"9007199254740993\"]\n");
    constexpr std::uint64_t signed_max = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(quoted("[9223372036854775807,9223372036854775808]", 0, signed_max),
              R"([9223372036854775807,"9223372036854775808"])");
    EXPECT_EQ(quoted("[-9223372036854775808,-9223372036854775809]", 0, signed_max),
              R"([-9223372036854775808,"-9223372036854775809"])");
}

TEST(QuoteLargeIntegers, HasAnyLimit) {
    EXPECT_EQ(quoted("[99,100,101,-101]", 0, 100), R"([99,100,"101","-101"])");
}

} // namespace

} // namespace etl::json_text_test

namespace etl::json_text_test {

namespace {

TEST(JsonObject, PutsMembersInTheirOrder) {
    JsonObject json;
    json.text("name", "a \"b\"\n").number("count", 7).number("least", -1).boolean("whole", true);
    json.time("never", std::nullopt).time("then", Filetime{}).raw("list", "[1]");
    EXPECT_EQ(json.take(), R"({"name":"a \"b\"\n","count":7,"least":-1,"whole":true,)"
                           R"("never":null,"then":"1601-01-01T00:00:00.0000000Z","list":[1]})");
}

TEST(JsonObject, IsEmptyWithoutMembersAndAfterItWasTaken) {
    JsonObject json;
    EXPECT_EQ(json.take(), "{}");
    json.number("a", 1);
    json.take();
    EXPECT_EQ(json.take(), "{}");
}

TEST(JsonList, PutsElementsInTheirOrder) {
    JsonList list;
    EXPECT_EQ(list.take(), "[]");
    list.text("a\\").raw("{}").text("");
    EXPECT_EQ(list.take(), R"(["a\\",{},""])");
    EXPECT_EQ(list.take(), "[]");
}

TEST(JsonText, ListsTexts) {
    const std::string_view texts[] = {"a", "\"", ""};
    std::string text = "x";
    append_json_strings(text, texts);
    EXPECT_EQ(text, R"(x["a","\"",""])");
    append_json_strings(text, {});
    EXPECT_TRUE(text.ends_with("[]"));
}

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
