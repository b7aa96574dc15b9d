#include "io/spilled_blocks.hpp"
#include "tests/support/environment.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace etl::io {
namespace {

std::vector<std::byte> block(std::size_t number) {
    return std::vector<std::byte>(1000 * number, static_cast<std::byte>(number));
}

void expect_blocks(SpilledBlocks& blocks, std::size_t count) {
    const auto all = blocks.take();
    ASSERT_TRUE(all);
    ASSERT_EQ(all->size(), count);
    for (std::size_t i = 0; i < count; ++i) {
        EXPECT_TRUE(std::ranges::equal((*all)[i].view(), block(i))) << i;
    }
}

TEST(SpilledBlocks, AreTheSameWhereverTheyAre) {
    for (const std::size_t kept : {0U, 3'000U, 1'000'000U}) {
        SpilledBlocks blocks(kept);
        for (std::size_t i = 0; i < 10; ++i) {
            blocks.add(block(i));
            EXPECT_LE(blocks.bytes_in_memory(), kept);
        }
        expect_blocks(blocks, 10);
    }
}

TEST(SpilledBlocks, OutliveTheirOwner) {
    std::vector<SharedBytes> all;
    {
        SpilledBlocks blocks(0);
        blocks.add(block(3));
        all = *blocks.take();
    }
    EXPECT_TRUE(std::ranges::equal(all.front().view(), block(3)));
}

TEST(SpilledBlocks, StayInMemoryWithoutAPlaceForAFile) {
    const test::Environment nowhere("TMPDIR", "/nowhere/at/all");
    SpilledBlocks blocks(0);
    for (std::size_t i = 0; i < 4; ++i) {
        blocks.add(block(i));
    }
    EXPECT_EQ(blocks.bytes_in_memory(), 6'000U);
    expect_blocks(blocks, 4);
}

TEST(SpilledBlocks, CanBeNone) {
    SpilledBlocks blocks(0);
    expect_blocks(blocks, 0);
}

} // namespace
} // namespace etl::io
