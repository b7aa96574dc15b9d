#include "verbs/xperf/atl_regex.hpp"

#include <gtest/gtest.h>

#include <random>

namespace cli::xperf {
namespace {

std::string icu(std::string_view expression) {
    const auto translated = icu_of_atl(expression);
    return translated ? *translated : "error: " + translated.error();
}

bool finds(std::string_view expression, std::string_view text) {
    const auto regex = compile_atl(expression);
    EXPECT_TRUE(regex) << expression;
    return regex && (*regex)->finds(text);
}

TEST(AtlRegex, HasGroupsAndRepetition) {
    EXPECT_EQ(icu("^a(b|c)*?{d}+$"), "^a(?:b|c)*?(?:d)+$");
    EXPECT_EQ(icu("a$b^c"), "a\\$b\\^c"); // anchors only at the ends
    EXPECT_EQ(icu("tea.dll"), "tea.dll");
    EXPECT_EQ(icu("tea\\.dll"), "tea\\.dll");
    EXPECT_EQ(icu("a-b:c"), "a\\-b\\:c");
}

TEST(AtlRegex, HasClassesAndAbbreviations) {
    EXPECT_EQ(icu("[^a-z&\\]]"), "[^a-z\\&\\]]");
    EXPECT_EQ(icu("[]a]"), "[\\]a]");
    EXPECT_EQ(icu("[a-]"), "[a\\-]");
    EXPECT_EQ(icu("\\d\\a?"), "[0-9][a-zA-Z0-9]?");
    EXPECT_TRUE(finds("^\\q \\z\\b\\w$", "'a b' 12 Tea"));
    EXPECT_FALSE(finds("^\\w$", "tea1"));
    EXPECT_TRUE(finds("\\h\\h:\\n", "aF:\r\n"));
}

TEST(AtlRegex, ExcludesWhatFollows) {
    EXPECT_TRUE(finds("tea!(pot)", "teacup"));
    EXPECT_FALSE(finds("^tea!(pot)", "teapot"));
    EXPECT_TRUE(finds("TEA\\!Boil", "tea!boil"));
    EXPECT_FALSE(finds("tea!Boil", "tea!boil"));
}

TEST(AtlRegex, ReportsErrors) {
    EXPECT_EQ(icu(""), "error: empty expression");
    EXPECT_EQ(icu("a(b"), "error: '(' is not closed");
    EXPECT_EQ(icu("a(b}"), "error: '(' is not closed");
    EXPECT_EQ(icu("a)"), "error: unmatched ')'");
    EXPECT_EQ(icu("|*"), "error: nothing precedes '*'");
    EXPECT_EQ(icu("[a"), "error: '[' is not closed");
    EXPECT_EQ(icu("a\\"), "error: nothing follows '\\'");
    EXPECT_EQ(icu("!"), "error: nothing follows '!'");
    EXPECT_EQ(icu(std::string(1025, 'a')), "error: more than 1024 characters");
    EXPECT_EQ(icu(std::string(1000, '(')), "error: too many groups inside of each other");
    EXPECT_EQ(icu(std::string(1000, '!')), "error: too many groups inside of each other");
}

TEST(AtlRegex, TranslationsAreValid) {
    std::mt19937 random(18);
    constexpr std::string_view characters = "ab(){}[]^$|!\\*+?.-&~ dq";
    for (int i = 0; i < 20'000; ++i) {
        std::string expression;
        for (auto size = random() % 12; size > 0; --size) {
            expression += characters[random() % characters.size()];
        }
        if (icu_of_atl(expression)) {
            const auto regex = compile_atl(expression);
            const bool is_bad_range =
                !regex && regex.error().contains("U_REGEX_INVALID_RANGE"); // such as [b-a]
            EXPECT_TRUE(regex || is_bad_range) << expression << " is " << icu(expression);
        }
    }
}

} // namespace
} // namespace cli::xperf
