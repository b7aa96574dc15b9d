// Integers in JSON that readers with 53 bits would round.
#include "base/json_text.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string_view>

namespace etl::json_numbers_test {
namespace {

std::string quoted(std::string json, std::size_t begin = 0,
                   std::uint64_t largest = max_exact_integer) {
    quote_large_integers(json, begin, largest);
    return json;
}

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
} // namespace etl::json_numbers_test
