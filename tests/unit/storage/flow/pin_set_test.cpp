#include "flow/pin_set.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace etl::flow::pin_set_test {
namespace {

TEST(PinSet, KeepsEachPinOnceUntilCleared) {
    PinSet set;
    std::vector<std::shared_ptr<int>> buffers;
    for (int i = 0; i < 200; ++i) {
        buffers.push_back(std::make_shared<int>(i));
    }
    for (int round = 0; round < 3; ++round) {
        for (const auto& buffer : buffers) {
            set.add(buffer, 4096);
        }
    }
    EXPECT_FALSE(set.is_full());
    for (const auto& buffer : buffers) {
        EXPECT_EQ(buffer.use_count(), 2);
    }
    set.clear();
    for (const auto& buffer : buffers) {
        EXPECT_EQ(buffer.use_count(), 1);
    }
    set.add(buffers.front(), 4096);
    EXPECT_EQ(buffers.front().use_count(), 2);
}

TEST(PinSet, IsFullByNumber) {
    PinSet set;
    set.add(nullptr, PinSet::max_bytes);
    for (std::size_t i = 0; i < PinSet::max_pins; ++i) {
        EXPECT_FALSE(set.is_full()) << i;
        set.add(std::make_shared<int>(), 1);
    }
    EXPECT_TRUE(set.is_full());
}

TEST(PinSet, IsFullByBytesOfDistinctBuffers) {
    PinSet set;
    const auto buffer = std::make_shared<int>();
    for (int i = 0; i < 100; ++i) {
        set.add(buffer, PinSet::max_bytes / 2);
    }
    EXPECT_FALSE(set.is_full());
    set.add(std::make_shared<int>(), PinSet::max_bytes / 2);
    EXPECT_TRUE(set.is_full());
}

} // namespace
} // namespace etl::flow::pin_set_test
