#include "base/code_page.hpp"
#include "base/text.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace etl::code_page_test {
namespace {

std::shared_ptr<const CodePage> page(std::string_view name) {
    const auto opened = CodePage::open(name);
    EXPECT_TRUE(opened) << name;
    return opened ? *opened : nullptr;
}

Bytes bytes_of(std::string_view text) {
    return std::as_bytes(std::span(text));
}

std::string decoded(std::string_view name, std::string_view text) {
    std::string to = "<";
    page(name)->append(to, bytes_of(text));
    return to.substr(1);
}

TEST(CodePage, ReadsPagesOfOneByte) {
    EXPECT_EQ(decoded("1252", "caf\xE9 \x80 \x81"), "café € \u0081");
    EXPECT_EQ(decoded("1251", "\xCF\xF0\xE8\xE2\xE5\xF2"), "Привет");
    EXPECT_EQ(decoded("1253", "\xC3\xE5\xE9\xDC"), "Γειά");
    EXPECT_EQ(decoded("874", "\xE4\xB7\xC2"), "ไทย");
    EXPECT_EQ(decoded("437", "\x80\xE1\xB0"), "Çß░");
    EXPECT_EQ(decoded("28592", "\xB1"), "ą");
}

TEST(CodePage, ReadsPagesOfTwoBytes) {
    EXPECT_EQ(decoded("932", "\x93\xFA\x96\x7B a\\b \xB1\xB2"), "日本 a\\b ｱｲ");
    EXPECT_EQ(decoded("936", "\xC4\xE3\xBA\xC3!"), "你好!");
    EXPECT_EQ(decoded("949", "\xC7\xD1\xB1\xDB"), "한글");
    EXPECT_EQ(decoded("950", "\xA4\xA4\xA4\xE5"), "中文");
}

TEST(CodePage, ReadsPagesOfMoreBytes) {
    EXPECT_EQ(decoded("54936", "x\xC4\xE3\x90\x30\x81\x30y"), "x你\U00010000y");
    EXPECT_EQ(decoded("65001", "caf\xC3\xA9 \xFF"), "café \ufffd");
    EXPECT_EQ(decoded("euc-jp", "\x8F\xB0\xA1"), "丂");
}

TEST(CodePage, KnowsNamesToo) {
    EXPECT_EQ(decoded("cp932", "\x93\xFA"), "日");
    EXPECT_EQ(decoded("CP1252", "\xE9"), "é");
    EXPECT_EQ(decoded("windows-1251", "\xCF"), "П");
    EXPECT_EQ(decoded("shift_jis", "\x93\xFA"), "日");
    EXPECT_EQ(decoded("GB18030", "\xC4\xE3"), "你");
    EXPECT_EQ(decoded("utf8", "\xC3\xA9"), "é");
}

TEST(CodePage, RefusesWhatItDoesNotKnow) {
    for (const unsigned number : {0U, 1U, 1200U, 1201U, 37U, 65000U, 50220U, 99999U, 4000000000U}) {
        const auto opened = CodePage::open(number);
        ASSERT_FALSE(opened) << number;
        EXPECT_EQ(opened.error().code, ErrorCode::unsupported) << number;
        EXPECT_EQ(opened.error().have, number);
    }
    for (const std::string_view name :
         {"", "utf-16", "utf-7", "ebcdic-xml-us", "iso-2022-jp", "hz", "scsu", "no such page",
          "../../etc/passwd", "cp", "cp12x"}) {
        EXPECT_FALSE(CodePage::open(name)) << name;
    }
    EXPECT_FALSE(CodePage::open(std::string(1000, 'a')));
}

TEST(CodePage, KeepsAsciiAsItIs) {
    std::string ascii;
    for (char c = 0; c < 0x7F; ++c) {
        ascii.push_back(c);
    }
    for (const char* name : {"1252", "437", "932", "936", "949", "950", "54936", "65001"}) {
        EXPECT_EQ(decoded(name, ascii), ascii) << name;
    }
}

TEST(CodePage, AgreesWithTheGuessOnWindows1252) {
    for (unsigned byte = 0x80; byte < 0x100; ++byte) {
        const std::string text(1, static_cast<char>(byte));
        std::string guessed;
        append_ansi(guessed, bytes_of(text));
        EXPECT_EQ(decoded("1252", text), guessed) << byte;
    }
}

TEST(CodePage, TakesThePageAtItsWord) {
    // Valid UTF-8, but that is not what was asked for.
    EXPECT_EQ(decoded("1252", "\xC3\xA9"), "Ã©");
    std::string guessed;
    append_narrow(guessed, bytes_of("\xC3\xA9"), nullptr);
    EXPECT_EQ(guessed, "é");
}

TEST(CodePage, ReplacesHalfCharacters) {
    EXPECT_EQ(decoded("932", "a\x93"), "a\ufffd");
    EXPECT_EQ(decoded("932", "\x93\"b"), "\ufffd\"b");
    EXPECT_EQ(decoded("936", "\x80\x81\xFF!"), "€\ufffd!");
    EXPECT_EQ(decoded("54936", "a\x90\x30"), "a\ufffd");
}

TEST(CodePage, GivesValidUtf8WhateverTheBytes) {
    std::string all;
    for (unsigned first = 0; first < 256; ++first) {
        for (unsigned second = 0; second < 256; ++second) {
            all.push_back(static_cast<char>(first));
            all.push_back(static_cast<char>(second));
        }
    }
    for (const char* name : {"1252", "1255", "874", "437", "932", "936", "949", "950", "54936",
                             "65001", "euc-jp", "20127"}) {
        EXPECT_TRUE(is_valid_utf8(decoded(name, all))) << name;
    }
}

TEST(CodePage, ServesSeveralThreads) {
    for (const char* name : {"932", "54936"}) {
        const auto shared = page(name);
        const std::string expected = decoded(name, "\xC4\xE3 x \xC4\xE3");
        std::vector<std::thread> threads;
        std::array<bool, 4> good{};
        for (bool& is_good : good) {
            threads.emplace_back([&] {
                is_good = true;
                for (int i = 0; i < 1000; ++i) {
                    std::string to;
                    shared->append(to, bytes_of("\xC4\xE3 x \xC4\xE3"));
                    is_good &= to == expected;
                }
            });
        }
        for (std::thread& thread : threads) {
            thread.join();
        }
        EXPECT_EQ(good, (std::array<bool, 4>{true, true, true, true})) << name;
    }
}

} // namespace
} // namespace etl::code_page_test
