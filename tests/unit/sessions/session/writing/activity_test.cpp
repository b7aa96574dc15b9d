#include <etl/session.hpp>

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

namespace etl::session::activity_test {
namespace {

using namespace literals;

constexpr Guid order = "7f3b9d10-66aa-4c8e-8f21-0d9c5be1a442"_guid;

TEST(Activity, ThreadsBeginWithoutOne) { // V264
    set_activity(order);
    Guid seen = order;
    std::thread([&] { seen = current_activity(); }).join();
    EXPECT_EQ(seen, Guid{});
    EXPECT_EQ(set_activity({}), order);
}

TEST(Activity, SettingOneReturnsTheOneOfBefore) {
    EXPECT_EQ(set_activity(order), Guid{});
    EXPECT_EQ(current_activity(), order);
    EXPECT_EQ(set_activity({}), order);
    EXPECT_EQ(current_activity(), Guid{});
}

TEST(Activity, ScopesNest) {
    {
        const ActivityScope outer(order);
        {
            const ActivityScope inner;
            EXPECT_NE(current_activity(), order);
            EXPECT_NE(current_activity(), Guid{});
        }
        EXPECT_EQ(current_activity(), order);
    }
    EXPECT_EQ(current_activity(), Guid{});
}

TEST(Activity, NewOnesAreAllDifferentInAllThreads) {
    constexpr std::size_t each = 3000; // more than a thread takes at once
    std::vector<std::vector<Guid>> made(4);
    std::vector<std::thread> threads;
    for (auto& own : made) {
        threads.emplace_back([&own] {
            for (std::size_t i = 0; i < each; ++i) {
                own.push_back(new_activity());
            }
        });
    }
    for (auto& thread : threads) {
        thread.join();
    }
    std::set<Guid> all;
    for (const auto& own : made) {
        all.insert(own.begin(), own.end());
    }
    EXPECT_EQ(all.size(), made.size() * each);
    EXPECT_FALSE(all.contains(Guid{}));
}

} // namespace
} // namespace etl::session::activity_test
