#include "base/culture.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace {

using etl::CultureChain;
using testing::ElementsAre;

TEST(Culture, NumbersAndNamesGoTogether) {
    EXPECT_EQ(etl::culture_of(0x0409), "en-US");
    EXPECT_EQ(etl::culture_of(0x0C07), "de-AT");
    EXPECT_EQ(etl::culture_of(0x0411), "ja-JP");
    EXPECT_EQ(etl::culture_of(0x0007), "de");
    EXPECT_EQ(etl::language_of("en-US"), 0x0409);
    EXPECT_EQ(etl::language_of("DE_at"), 0x0C07);
    EXPECT_EQ(etl::language_of("pt-BR"), 0x0416);
    EXPECT_EQ(etl::language_of("zh-TW"), 0x0404);
    EXPECT_EQ(etl::language_of("de"), 0x0007);
}

TEST(Culture, WhatMeansNothingIsNeutral) {
    EXPECT_EQ(etl::culture_of(etl::neutral_language), "");
    EXPECT_EQ(etl::language_of(""), etl::neutral_language);
    EXPECT_EQ(etl::language_of("../../etc"), etl::neutral_language);
    for (unsigned number = 0; number <= 0xFFFF; ++number) {
        const std::string name = etl::culture_of(static_cast<etl::LanguageId>(number));
        EXPECT_TRUE(name.empty() || etl::is_culture_name(name)) << number << " " << name;
    }
}

TEST(Culture, NamesHaveAShape) {
    EXPECT_TRUE(etl::is_culture_name("en"));
    EXPECT_TRUE(etl::is_culture_name("sr-Latn-RS"));
    EXPECT_TRUE(etl::is_culture_name("es-419"));
    EXPECT_FALSE(etl::is_culture_name(""));
    EXPECT_FALSE(etl::is_culture_name("e"));
    EXPECT_FALSE(etl::is_culture_name("english"));
    EXPECT_FALSE(etl::is_culture_name("en-"));
    EXPECT_FALSE(etl::is_culture_name("en--US"));
    EXPECT_FALSE(etl::is_culture_name("e1-US"));
    EXPECT_FALSE(etl::is_culture_name("en-unreasonable"));
}

TEST(CultureChain, AsksForParentsAndThenForEnglish) {
    EXPECT_THAT(CultureChain("de-AT").names(), ElementsAre("de-AT", "de", "en-US", "en"));
    EXPECT_THAT(CultureChain("zh-Hant-TW").names(),
                ElementsAre("zh-Hant-TW", "zh-Hant", "zh", "en-US", "en"));
    EXPECT_THAT(CultureChain("en-US").names(), ElementsAre("en-US", "en"));
    EXPECT_THAT(CultureChain("en-GB").names(), ElementsAre("en-GB", "en", "en-US"));
    EXPECT_THAT(CultureChain("").names(), ElementsAre("en-US", "en"));
}

TEST(CultureChain, RanksWhatThereIs) {
    const CultureChain chain("de-AT");
    std::vector<std::string> there{"fr-FR", "en-GB", "en", "en-US", "", "de-CH", "de", "DE_at"};
    std::ranges::sort(there, {},
                      [&](const auto& name) { return std::pair(chain.rank(name), name); });
    EXPECT_THAT(there, ElementsAre("DE_at", "de", "de-CH", "", "en-US", "en", "en-GB", "fr-FR"));
}

TEST(CultureChain, TakesEqualOnesAsEqual) {
    const CultureChain chain("de-AT");
    EXPECT_EQ(chain.rank("de-CH"), chain.rank("de-DE"));
    EXPECT_EQ(chain.rank("fr-FR"), chain.rank("ja-JP"));
    EXPECT_EQ(chain.rank("no culture at all"), chain.rank("fr"));
}

TEST(CultureChain, RanksNumbersLikeNames) {
    const CultureChain chain("de-AT");
    EXPECT_EQ(chain.rank(etl::LanguageId{0x0C07}), 0U);
    EXPECT_EQ(chain.rank(etl::LanguageId{0x0007}), 1U);
    EXPECT_EQ(chain.rank(etl::neutral_language), chain.rank(""));
    EXPECT_EQ(chain.rank(etl::LanguageId{0x0409}), chain.rank("en-US"));
}

} // namespace
