#include "flow/merge_order.hpp"

#include <gtest/gtest.h>

#include <random>
#include <tuple>

namespace etl::flow::merge_order_test {
namespace {

using Order = MergeOrder<int>;

constexpr auto earliest = std::numeric_limits<std::int64_t>::min();
constexpr auto latest = std::numeric_limits<std::int64_t>::max();

TEST(MergeOrder, OneAloneHasNoLimit) {
    Order order;
    order.add({5, 0, 7});
    EXPECT_EQ(order.first().what, 7);
    EXPECT_EQ(order.second(), nullptr);
    EXPECT_EQ(order.limit(), latest);
}

TEST(MergeOrder, ATieGoesToTheLowerRank) {
    Order order;
    order.add({5, 1, 1});
    order.add({5, 0, 0});
    EXPECT_EQ(order.first().what, 0);
    EXPECT_EQ(order.limit(), 5);
    order.replace_first({6, 0, 0});
    EXPECT_EQ(order.first().what, 1);
    EXPECT_EQ(order.limit(), 5); // at 6 it is the other's turn
}

TEST(MergeOrder, HoldsAtTheEndsOfTime) {
    Order order;
    order.add({earliest, 1, 1});
    order.add({earliest, 0, 0});
    EXPECT_EQ(order.limit(), earliest);
    order.remove_first();
    order.add({latest, 0, 0});
    EXPECT_EQ(order.first().what, 1);
    EXPECT_EQ(order.limit(), latest - 1);
}

TEST(MergeOrder, GivesWhatASortWouldGive) {
    std::mt19937 engine(1);
    std::uniform_int_distribution<std::int64_t> step(0, 19);
    std::uniform_int_distribution<std::uint64_t> few(0, 39);
    for (int round = 0; round < 200; ++round) {
        Order order;
        std::vector<std::tuple<std::int64_t, std::uint64_t>> sorted;
        const std::uint64_t count = few(engine);
        for (std::uint64_t rank = 0; rank < count; ++rank) {
            const std::int64_t time = step(engine);
            order.add({time, rank, 0});
            sorted.emplace_back(time, rank);
        }
        // Each of them moves on once before it leaves.
        for (std::uint64_t moves = 0; moves < count; ++moves) {
            const auto [time, rank, what] = order.first();
            std::ranges::sort(sorted);
            ASSERT_EQ(sorted.front(), std::tuple(time, rank));
            if (sorted.size() > 1) {
                ASSERT_EQ(std::tuple(order.second()->time, order.second()->rank), sorted[1]);
            }
            sorted.front() = {time + step(engine), rank};
            order.replace_first({std::get<0>(sorted.front()), rank, what});
        }
        for (std::ranges::sort(sorted); !sorted.empty(); sorted.erase(sorted.begin())) {
            ASSERT_EQ(std::tuple(order.first().time, order.first().rank), sorted.front());
            order.remove_first();
        }
        EXPECT_TRUE(order.empty());
    }
}

} // namespace
} // namespace etl::flow::merge_order_test
