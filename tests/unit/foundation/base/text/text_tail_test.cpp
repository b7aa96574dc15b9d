#include "base/text_appender.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace etl::text_tail_test {
namespace {

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

} // namespace
} // namespace etl::text_tail_test
