#include "facts/tables/interner.hpp"

#include <gmock/gmock.h>

#include <string_view>

namespace etl::facts::interner_test {
namespace {

using testing::ElementsAreArray;

std::optional<std::uint32_t> add(Interner<char>& interner, std::string_view text,
                                 std::uint64_t hash) {
    return interner.add({text.data(), text.size()}, hash);
}

TEST(Interner, GivesEqualItemsOneNumber) {
    Interner<char> interner(1000);
    const auto tea = add(interner, "tea", 1);
    const auto milk = add(interner, "milk", 2);
    EXPECT_NE(tea, milk);
    EXPECT_EQ(add(interner, "tea", 1), tea);
    EXPECT_EQ(interner.size(), 2U);
    EXPECT_THAT(interner[tea.value()], ElementsAreArray({'t', 'e', 'a'}));
}

TEST(Interner, TellsItemsOfOneHashApart) {
    Interner<char> interner(1000);
    EXPECT_NE(add(interner, "tea", 1), add(interner, "milk", 1));
}

TEST(Interner, NumberZeroIsTheEmptyItem) {
    Interner<char> interner(1000);
    EXPECT_EQ(add(interner, "", 5), 0U);
    EXPECT_TRUE(interner[0].empty());
    EXPECT_TRUE(interner[77].empty());
}

TEST(Interner, RefusesWhatIsNewOnceTheBudgetIsSpent) {
    Interner<char> interner(100);
    const auto tea = add(interner, "tea", 1);
    ASSERT_TRUE(tea);
    EXPECT_FALSE(add(interner, std::string(90, 'x'), 2));
    EXPECT_EQ(add(interner, "tea", 1), tea) << "what is known costs nothing";
    EXPECT_LE(interner.used(), 100U);
}

TEST(Interner, ManyItemsOfOneHashAreKeptThoughSomeTwice) {
    Interner<std::uint64_t> interner(1U << 20U);
    std::vector<std::uint32_t> ids;
    for (std::uint64_t i = 1; i <= 1000; ++i) {
        ids.push_back(interner.add(std::span(&i, 1), 99).value());
    }
    for (std::uint64_t i = 1; i <= 1000; ++i) {
        EXPECT_EQ(interner[ids[i - 1]].front(), i);
    }
}

TEST(Interner, KeepsItsPlaceWhileItGrows) {
    Interner<std::uint64_t> interner(8U << 20U);
    const std::uint64_t first = 42;
    const auto view = interner[interner.add(std::span(&first, 1), 42).value()];
    for (std::uint64_t i = 1000; i < 60'000; ++i) {
        ASSERT_TRUE(interner.add(std::span(&i, 1), i * 0x9E3779B97F4A7C15ULL));
    }
    EXPECT_EQ(view.front(), 42U);
    EXPECT_EQ(interner.add(std::span(&first, 1), 42), 1U);
}

} // namespace
} // namespace etl::facts::interner_test
