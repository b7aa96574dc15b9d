#include "facts/tables/timeline.hpp"

#include <gtest/gtest.h>

namespace etl::facts::timeline_test {
namespace {

using Line = Timeline<int, int>;

Line line_of(std::initializer_list<Line::Seen> seen) {
    Line line;
    for (const Line::Seen& each : seen) {
        line.add(each);
    }
    line.build();
    return line;
}

int value_at(const Line& line, int key, std::int64_t time) {
    const Line::Life* life = line.latest(key, time);
    return life != nullptr ? life->value : -1;
}

TEST(Timeline, KnowsNothingOfAKeyNeverSeen) {
    EXPECT_EQ(value_at(line_of({{7, 70, 5, Moment::begin}}), 8, 9), -1);
}

TEST(Timeline, BeginsWhereTheBeginIsSeen) {
    const Line line = line_of({{7, 70, 5, Moment::begin}});
    EXPECT_EQ(value_at(line, 7, 4), -1);
    EXPECT_EQ(value_at(line, 7, 5), 70);
    EXPECT_EQ(value_at(line, 7, forever), 70);
}

TEST(Timeline, WhatIsPresentWasThereFromTheBeginning) {
    const Line line = line_of({{7, 70, 100, Moment::present}});
    EXPECT_EQ(value_at(line, 7, always), 70);
    EXPECT_EQ(line.lives().front().end, forever);
}

TEST(Timeline, ARundownAtTheEndAddsNothingToALifeThatIsKnown) {
    const Line line = line_of({{7, 70, 5, Moment::begin}, {7, 70, 90, Moment::present}});
    ASSERT_EQ(line.lives().size(), 1U);
    EXPECT_EQ(line.lives().front().begin, 5);
}

TEST(Timeline, TakesTheRecordsOfTwoRecordersForOneChange) {
    constexpr Recorder provider = Recorder::provider;
    const Line line = line_of({{7, 70, 5, Moment::begin, true, provider},
                               {7, 70, 6, Moment::begin},
                               {7, 70, 90, Moment::end, true, provider},
                               {7, 70, 91, Moment::end},
                               {7, 70, 95, Moment::begin},
                               {7, 70, 96, Moment::begin, true, provider}});
    ASSERT_EQ(line.lives().size(), 2U);
    EXPECT_EQ(line.lives().front().begin, 5);
    EXPECT_EQ(line.lives().front().end, 91);
    EXPECT_EQ(line.lives().back().begin, 95);
}

TEST(Timeline, WhatIsGoneMayHaveEndedBefore) {
    const Line ended =
        line_of({{7, 70, 5, Moment::begin}, {7, 70, 9, Moment::end}, {7, 70, 20, Moment::gone}});
    ASSERT_EQ(ended.lives().size(), 1U);
    EXPECT_EQ(ended.lives().front().end, 9);
    EXPECT_EQ(value_at(line_of({{7, 70, 20, Moment::gone}}), 7, 10), 70);
    const Line other =
        line_of({{7, 70, 5, Moment::begin}, {7, 70, 9, Moment::end}, {7, 71, 20, Moment::gone}});
    EXPECT_EQ(value_at(other, 7, 20), 71);
}

TEST(Timeline, DoesNotMixChangesOfDifferentThings) {
    constexpr Recorder provider = Recorder::provider;
    EXPECT_EQ(line_of({{7, 70, 5, Moment::begin}, {7, 71, 6, Moment::begin, true, provider}})
                  .lives()
                  .size(),
              2U);
    EXPECT_EQ(line_of({{7, 70, 5, Moment::begin}, {7, 70, 6, Moment::begin}}).lives().size(), 2U)
        << "one recorder writes two records for two changes";
}

TEST(Timeline, WhatOnlyEndsWasThereBefore) {
    const Line line = line_of({{7, 70, 50, Moment::end}});
    EXPECT_EQ(value_at(line, 7, always), 70);
    EXPECT_EQ(line.lives().front().end, 50);
}

TEST(Timeline, TellsTheOwnersOfAReusedKeyApartByTime) {
    const Line line = line_of({{7, 72, 80, Moment::present},
                               {7, 71, 30, Moment::begin},
                               {7, 71, 40, Moment::end},
                               {7, 70, 20, Moment::end}});
    ASSERT_EQ(line.lives().size(), 3U);
    EXPECT_EQ(value_at(line, 7, 10), 70);
    EXPECT_EQ(value_at(line, 7, 30), 71);
    EXPECT_EQ(value_at(line, 7, 41), 72) << "it must have begun behind the one before";
    EXPECT_EQ(value_at(line, 7, 90), 72);
}

TEST(Timeline, ABeginWithoutTheEndBeforeItEndsTheOtherOne) {
    const Line line = line_of({{7, 70, 10, Moment::begin}, {7, 71, 20, Moment::begin}});
    EXPECT_EQ(line.lives().front().end, 20);
    EXPECT_EQ(value_at(line, 7, 19), 70);
    EXPECT_EQ(value_at(line, 7, 20), 71);
}

TEST(Timeline, AnEndThatDoesNotSayOfWhatEndsWhatIsThere) {
    const Line line = line_of({{7, 70, 10, Moment::begin},
                               {7, 0, 20, Moment::end, false},
                               {8, 0, 5, Moment::end, false}});
    ASSERT_EQ(line.lives().size(), 1U);
    EXPECT_EQ(line.lives().front().end, 20);
}

TEST(Timeline, RepetitionsDoNotCountTowardsItsLimit) {
    Line line;
    for (int round = 0; round < 10; ++round) {
        for (int key = 0; key < 60; ++key) {
            EXPECT_TRUE(line.add({key, 70 + key, 5, Moment::begin}, 100));
        }
    }
    int added = 0;
    for (int key = 100; key < 300; ++key) {
        added += line.add({key, 1, 5, Moment::begin}, 100) ? 1 : 0;
    }
    EXPECT_EQ(added, 40);
    line.build();
    EXPECT_EQ(line.lives().size(), 100U);
    EXPECT_EQ(value_at(line, 59, 6), 129);
}

TEST(Timeline, DoesNotDependOnTheOrderOfObservations) {
    const std::vector<Line::Seen> seen{{1, 1, 5, Moment::begin},
                                       {1, 1, 9, Moment::end},
                                       {1, 2, 9, Moment::begin},
                                       {2, 3, 4, Moment::present},
                                       {2, 4, 6, Moment::present}};
    const auto build = [](const auto& list) {
        Line line;
        for (const auto& each : list) {
            line.add(each);
        }
        line.build();
        std::vector<std::tuple<int, int, std::int64_t, std::int64_t>> lives;
        for (const auto& life : line.lives()) {
            lives.emplace_back(life.key, life.value, life.begin, life.end);
        }
        return lives;
    };
    auto turned = seen;
    const auto expected = build(seen);
    for (std::size_t i = 0; i < seen.size(); ++i) {
        std::ranges::rotate(turned, turned.begin() + 1);
        EXPECT_EQ(build(turned), expected);
    }
}

} // namespace
} // namespace etl::facts::timeline_test
