#include "base/text.hpp"

#include <gtest/gtest.h>

#include <random>

namespace etl::glob_test {
namespace {

// The obvious, exponential matcher.
bool slow_glob(std::string_view pattern, std::string_view text) {
    if (pattern.empty()) {
        return text.empty();
    }
    if (pattern[0] == '*') {
        return slow_glob(pattern.substr(1), text) ||
               (!text.empty() && slow_glob(pattern, text.substr(1)));
    }
    return !text.empty() && (pattern[0] == '?' || pattern[0] == text[0]) &&
           slow_glob(pattern.substr(1), text.substr(1));
}

TEST(Glob, MatchesTheWholeText) {
    EXPECT_TRUE(matches_glob("abc", "abc"));
    EXPECT_FALSE(matches_glob("abc", "abcd"));
    EXPECT_FALSE(matches_glob("abcd", "abc"));
    EXPECT_TRUE(matches_glob("", ""));
    EXPECT_FALSE(matches_glob("", "a"));
    EXPECT_FALSE(matches_glob("?", ""));
}

TEST(Glob, LetsAStarStandForAnything) {
    EXPECT_TRUE(matches_glob("*", ""));
    EXPECT_TRUE(matches_glob("**", "abc"));
    EXPECT_TRUE(matches_glob("Microsoft-*-Kernel*", "Microsoft-Windows-Kernel-Process"));
    EXPECT_TRUE(matches_glob("*.etl", "a.etl.etl"));
    EXPECT_TRUE(matches_glob("*.etl.*", "trace.etl.001"));
    EXPECT_FALSE(matches_glob("*.etl", "a.etlx"));
}

TEST(Glob, IgnoresTheCaseOfAsciiLettersOnly) {
    EXPECT_TRUE(matches_glob("*.ETL", "a.etl"));
    EXPECT_TRUE(matches_glob("a?c", "ABC"));
    EXPECT_FALSE(matches_glob("\xC3\x84", "\xC3\xA4")); // A and a umlaut
    EXPECT_FALSE(matches_glob("[", "{"));
}

TEST(Glob, CountsACharacterOfUtf8AsOne) {
    EXPECT_TRUE(matches_glob("a?b", "a\xC3\xA4"
                                    "b"));
    EXPECT_TRUE(matches_glob("??", "\xE6\x97\xA5\xF0\x9F\x98\x80"));
    EXPECT_FALSE(matches_glob("??", "\xC3\xA4"));
    EXPECT_FALSE(matches_glob("*??", "\xE6\x97\xA5"));
    EXPECT_TRUE(matches_glob("*?", "\xE6\x97\xA5"));
}

TEST(Glob, AgreesWithTheObviousMatcher) {
    std::mt19937 random(1);
    const auto make = [&](std::string_view letters, std::size_t longest) {
        std::string text;
        for (auto left = random() % (longest + 1); left > 0; --left) {
            text.push_back(letters[random() % letters.size()]);
        }
        return text;
    };
    int matched = 0;
    for (int i = 0; i < 50'000; ++i) {
        const std::string pattern = make("ab*?", 7);
        const std::string text = make("ab", 9);
        const bool expected = slow_glob(pattern, text);
        matched += expected ? 1 : 0;
        ASSERT_EQ(matches_glob(pattern, text), expected) << pattern << " on " << text;
    }
    EXPECT_GT(matched, 1'000);
}

TEST(Glob, StaysLinearWithManyStars) {
    std::string pattern;
    for (int i = 0; i < 50; ++i) {
        pattern += "a*";
    }
    pattern += "b";
    const std::string text(200'000, 'a');
    // A matcher that goes back over each star would need longer than the universe has.
    EXPECT_FALSE(matches_glob(pattern, text));
}

} // namespace
} // namespace etl::glob_test
