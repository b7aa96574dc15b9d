#include "trace/ordering/merge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

namespace etl::trace::merge_test {
namespace {

std::vector<flow::Event> events_at(const std::vector<std::int64_t>& times) {
    std::vector<flow::Event> events;
    for (const std::int64_t time : times) {
        events.push_back({.raw_time = time});
    }
    return events;
}

/// (time, which array, place in it) of all events in the order given.
using Order = std::vector<std::tuple<std::int64_t, std::size_t, std::size_t>>;

Order merged(Merge& merge, const std::vector<std::vector<flow::Event>>& arrays) {
    Order order;
    while (!merge.empty()) {
        const flow::Run run = merge.next();
        EXPECT_FALSE(run.empty());
        for (const flow::Event& event : run) {
            for (std::size_t i = 0; i < arrays.size(); ++i) {
                const auto* first = arrays[i].data();
                if (&event >= first && &event < first + arrays[i].size()) {
                    order.emplace_back(event.raw_time, i, static_cast<std::size_t>(&event - first));
                }
            }
        }
    }
    return order;
}

TEST(Merge, OfNothingIsEmpty) {
    EXPECT_TRUE(Merge().empty());
}

TEST(Merge, GivesOneArrayAsOneRun) {
    const auto events = events_at({1, 2, 3});
    Merge merge;
    merge.add(events, 0);
    EXPECT_EQ(merge.next().size(), 3U);
    EXPECT_TRUE(merge.slot_ended());
    EXPECT_TRUE(merge.empty());
}

TEST(Merge, GivesTiesToTheLowerRankWhateverTheSlot) {
    const std::vector<std::vector<flow::Event>> arrays{events_at({5, 5, 7}), events_at({5, 6, 7})};
    Merge merge;
    merge.add(arrays[0], 9);
    merge.add(arrays[1], 1);
    EXPECT_EQ(merged(merge, arrays),
              (Order{{5, 1, 0}, {5, 0, 0}, {5, 0, 1}, {6, 1, 1}, {7, 1, 2}, {7, 0, 2}}));
}

TEST(Merge, SurvivesTheEndsOfTime) {
    constexpr auto low = std::numeric_limits<std::int64_t>::min();
    constexpr auto high = std::numeric_limits<std::int64_t>::max();
    const std::vector<std::vector<flow::Event>> arrays{events_at({low, high}),
                                                       events_at({low, low, high})};
    Merge merge;
    merge.add(arrays[0], 1);
    merge.add(arrays[1], 0);
    EXPECT_EQ(merged(merge, arrays),
              (Order{{low, 1, 0}, {low, 1, 1}, {low, 0, 0}, {high, 1, 2}, {high, 0, 1}}));
}

TEST(Merge, TakesMoreArraysWhileItRuns) {
    const auto first = events_at({1, 10});
    const auto second = events_at({2});
    const auto third = events_at({5});
    Merge merge;
    merge.add(first, 0);
    merge.add(second, 1);
    EXPECT_EQ(merge.next().front().raw_time, 1);
    EXPECT_EQ(merge.next().front().raw_time, 2);
    ASSERT_TRUE(merge.slot_ended());
    merge.add(third, 2);
    EXPECT_EQ(merge.next().front().raw_time, 5);
    EXPECT_EQ(merge.next().front().raw_time, 10);
    EXPECT_TRUE(merge.empty());
}

TEST(Merge, EqualsAStableSortOfRandomArrays) {
    for (unsigned seed = 0; seed < 200; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        std::vector<std::vector<flow::Event>> arrays(1 + random() % 9);
        Order expected;
        for (std::size_t i = 0; i < arrays.size(); ++i) {
            std::vector<std::int64_t> times(1 + random() % 40);
            std::ranges::generate(times, [&] { return random() % 30; });
            std::ranges::sort(times);
            arrays[i] = events_at(times);
            for (std::size_t at = 0; at < times.size(); ++at) {
                expected.emplace_back(times[at], i, at);
            }
        }
        std::ranges::sort(expected);
        Merge merge;
        for (std::size_t i = 0; i < arrays.size(); ++i) {
            merge.add(arrays[i], i);
        }
        EXPECT_EQ(merged(merge, arrays), expected);
    }
}

} // namespace
} // namespace etl::trace::merge_test
