#include "facts/tables/method_lives.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace etl::facts::method_lives_test {
namespace {

constexpr std::uint32_t kettle = 1200;
constexpr std::size_t without_limit = std::numeric_limits<std::size_t>::max();

MethodLives::Seen seen(std::int64_t time, Moment moment, std::uint64_t start, std::uint32_t size,
                       NameId name) {
    MethodValue value;
    value.size = size;
    value.name = name;
    return {{kettle, start}, value, time, moment};
}

MethodLives lives_of(std::initializer_list<MethodLives::Seen> all,
                     MethodLives::Bounds bounds = {always, forever}) {
    MethodLives lives;
    for (const MethodLives::Seen& each : all) {
        EXPECT_TRUE(lives.add(each, without_limit));
    }
    lives.build([&](std::uint32_t, std::int64_t) { return bounds; });
    return lives;
}

NameId name_at(const MethodLives& lives, std::uint64_t address, std::int64_t time) {
    const auto* life = lives.find(kettle, address, time);
    return life != nullptr ? life->value.name : 0;
}

TEST(MethodLives, AMethodIsThereFromLoadToUnload) {
    const auto lives = lives_of(
        {seen(10, Moment::begin, 0x1000, 0x100, 7), seen(50, Moment::end, 0x1000, 0x100, 7)});
    EXPECT_EQ(name_at(lives, 0x1000, 9), 0U);
    EXPECT_EQ(name_at(lives, 0x1000, 10), 7U);
    EXPECT_EQ(name_at(lives, 0x10FF, 49), 7U);
    EXPECT_EQ(name_at(lives, 0x1100, 49), 0U) << "one behind the last byte";
    EXPECT_EQ(name_at(lives, 0x0FFF, 49), 0U);
    EXPECT_EQ(name_at(lives, 0x1000, 50), 0U);
    EXPECT_EQ(lives.find(1300, 0x1000, 20), nullptr) << "of another process";
}

TEST(MethodLives, ARundownAtTheEndCountsFromTheBeginning) {
    const auto lives = lives_of({seen(900, Moment::present, 0x1000, 0x100, 7)});
    EXPECT_EQ(name_at(lives, 0x1010, 1), 7U);
    EXPECT_EQ(name_at(lives, 0x1010, 2'000), 7U);
}

TEST(MethodLives, ARundownAtTheEndCountsFromTheLastConflictingRange) {
    const auto lives = lives_of({seen(10, Moment::begin, 0x1000, 0x100, 7),
                                 seen(50, Moment::end, 0x1000, 0x100, 7),
                                 seen(900, Moment::present, 0x10F0, 0x40, 8)});
    EXPECT_EQ(name_at(lives, 0x10F8, 49), 7U);
    EXPECT_EQ(name_at(lives, 0x10F8, 50), 8U);
    EXPECT_EQ(name_at(lives, 0x1110, 49), 0U) << "the method cannot have been there";
}

TEST(MethodLives, AnUnloadWithoutLoadCountsFromTheBeginning) {
    const auto lives = lives_of({seen(50, Moment::end, 0x1000, 0x100, 7)});
    EXPECT_EQ(name_at(lives, 0x1010, 1), 7U);
    EXPECT_EQ(name_at(lives, 0x1010, 50), 0U);
}

TEST(MethodLives, ALoadEndsWhatHadItsMemory) {
    const auto lives = lives_of({seen(10, Moment::begin, 0x1000, 0x1000, 7),
                                 seen(50, Moment::begin, 0x1800, 0x100, 8),
                                 seen(60, Moment::begin, 0x1100, 0x100, 9)});
    EXPECT_EQ(name_at(lives, 0x1850, 49), 7U) << "although others begin between";
    EXPECT_EQ(name_at(lives, 0x1850, 50), 8U);
    EXPECT_EQ(name_at(lives, 0x1000, 50), 0U);
    EXPECT_EQ(name_at(lives, 0x1150, 60), 9U);
    EXPECT_EQ(name_at(lives, 0x1850, 60), 8U);
}

TEST(MethodLives, TheSameMemoryIsGivenAgainAndAgain) {
    MethodLives lives;
    for (int i = 0; i < 1000; ++i) {
        const auto name = static_cast<NameId>(i + 1);
        lives.add(seen(10 * i, Moment::begin, 0x1000, 0x40, name), without_limit);
        lives.add(seen(10 * i + 10, Moment::end, 0x1000, 0x40, name), without_limit);
    }
    lives.build([](auto, auto) { return MethodLives::Bounds(always, forever); });
    for (int i = 0; i < 1000; ++i) {
        ASSERT_EQ(name_at(lives, 0x1020, 10 * i + 5), static_cast<NameId>(i + 1));
        ASSERT_EQ(name_at(lives, 0x1020, 10 * i), static_cast<NameId>(i + 1)) << "end before begin";
    }
}

TEST(MethodLives, RecordsWithoutNamesAreOfTheMethodThere) {
    const auto lives = lives_of({seen(10, Moment::begin, 0x1000, 0x100, 0),
                                 seen(20, Moment::present, 0x1000, 0x100, 7),
                                 seen(50, Moment::end, 0x1000, 0x100, 0)});
    ASSERT_EQ(lives.lives().size(), 1U);
    EXPECT_EQ(name_at(lives, 0x1010, 15), 7U);
    EXPECT_EQ(name_at(lives, 0x1010, 50), 0U);
}

TEST(MethodLives, AProcessTakesItsMethodsWithIt) {
    const auto lives = lives_of({seen(20, Moment::present, 0x1000, 0x100, 7)}, {10, 30});
    EXPECT_EQ(name_at(lives, 0x1010, 9), 0U);
    EXPECT_EQ(name_at(lives, 0x1010, 10), 7U);
    EXPECT_EQ(name_at(lives, 0x1010, 30), 0U);
}

TEST(MethodLives, RefusesMoreThanItsLimit) {
    MethodLives lives;
    EXPECT_TRUE(lives.add(seen(10, Moment::begin, 0x1000, 1, 7), 1));
    EXPECT_FALSE(lives.add(seen(20, Moment::begin, 0x2000, 1, 8), 1));
}

// Random loads and unloads of memory that is given again, asked for each byte and time.
TEST(MethodLives, AgreesWithAMapOfEachByteAndTime) {
    std::minstd_rand random(1);
    constexpr std::size_t bytes = 64, times = 200;
    std::vector<std::vector<NameId>> truth(times, std::vector<NameId>(bytes, 0));
    std::vector<NameId> now(bytes, 0);
    std::vector<MethodLives::Seen> open;
    MethodLives lives;
    for (std::size_t time = 0; time < times; ++time) {
        const auto at = static_cast<std::int64_t>(time);
        if (open.size() > 4 || (random() % 3 == 0 && !open.empty())) {
            const std::size_t i = random() % open.size();
            const auto gone = open[i];
            open.erase(open.begin() + static_cast<std::ptrdiff_t>(i));
            lives.add(seen(at, Moment::end, gone.key.second, gone.value.size, gone.value.name),
                      without_limit);
            std::ranges::replace(now, gone.value.name, NameId{0});
        } else {
            const std::uint64_t start = random() % bytes;
            const std::uint64_t size = 1 + random() % 20;
            const auto next = seen(at, Moment::begin, start,
                                   static_cast<std::uint32_t>(std::min(size, bytes - start)),
                                   static_cast<NameId>(time + 1));
            std::erase_if(open, [&](const MethodLives::Seen& other) {
                const bool conflicts = other.key.second < start + next.value.size &&
                                       start < other.key.second + other.value.size;
                if (conflicts) {
                    std::ranges::replace(now, other.value.name, NameId{0});
                }
                return conflicts;
            });
            lives.add(next, without_limit);
            open.push_back(next);
            std::fill_n(now.begin() + static_cast<std::ptrdiff_t>(start), next.value.size,
                        next.value.name);
        }
        truth[time] = now;
    }
    lives.build([](auto, auto) { return MethodLives::Bounds(always, forever); });
    for (std::size_t time = 0; time < times; ++time) {
        for (std::size_t byte = 0; byte < bytes; ++byte) {
            ASSERT_EQ(name_at(lives, byte, static_cast<std::int64_t>(time)), truth[time][byte])
                << "byte " << byte << " at " << time;
        }
    }
}

} // namespace
} // namespace etl::facts::method_lives_test
