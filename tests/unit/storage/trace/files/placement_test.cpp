#include "trace/files/placement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::trace::placement_test {
namespace {

using testing::ElementsAre;

constexpr std::uint32_t size = 0x1000;

/// The slots of the next `count` buffers.
std::vector<std::uint64_t> slots(Placement& placement, unsigned count) {
    std::vector<std::uint64_t> all;
    for (unsigned i = 0; i < count; ++i) {
        all.push_back(placement.next(size)->where.value / size);
        placement.written(size);
    }
    return all;
}

TEST(Placement, GrowsToTheLimitAndNotBeyond) {
    const auto grow = grow_from({size}, 3 * std::uint64_t{size});
    EXPECT_THAT(slots(*grow, 2), ElementsAre(1, 2));
    EXPECT_FALSE(grow->next(size));
    EXPECT_EQ(grow->end().value, 3U * size);
}

TEST(Placement, GrowsWithoutEndWhenThereIsNoLimit) {
    const auto grow = grow_from({size}, 0);
    grow->written(std::uint64_t{1} << 40U);
    EXPECT_EQ(grow->next(size)->kind, Place::Kind::new_ground);
    EXPECT_EQ(grow->next(size)->where.value, (std::uint64_t{1} << 40U) + size);
}

TEST(Placement, CountsBytesAsTheyLieInTheFile) {
    const auto grow = grow_from({0x200}, 0x1000);
    grow->written(0xD00);
    EXPECT_EQ(grow->next(0x100)->kind, Place::Kind::new_ground);
    EXPECT_FALSE(grow->next(0x101));
}

TEST(Placement, KeepsRoomForTheTable) {
    const Table table{.bytes = 17, .bytes_per_buffer = 12};
    // One of the entries is for the header buffer.
    const auto grow = grow_from({0x200}, 0x400, table);
    EXPECT_EQ(grow->next(0x200 - 17 - 24)->kind, Place::Kind::new_ground);
    EXPECT_FALSE(grow->next(0x200 - 17 - 23));
}

TEST(Placement, RotatesBehindTheHeaderBuffer) {
    const auto ring = rotate_within(4 * std::uint64_t{size} + 1, size);
    EXPECT_EQ(ring->next(size)->kind, Place::Kind::new_ground);
    EXPECT_THAT(slots(*ring, 3), ElementsAre(1, 2, 3));
    EXPECT_EQ(ring->end().value, 4U * size);
    EXPECT_EQ(ring->next(size)->kind, Place::Kind::old_buffer);
    EXPECT_THAT(slots(*ring, 7), ElementsAre(1, 2, 3, 1, 2, 3, 1));
    EXPECT_EQ(ring->end().value, 4U * size) << "it stays as large as it is";
}

TEST(Placement, RotatesWithinOneBufferAtLeast) {
    const auto ring = rotate_within(1, size);
    EXPECT_THAT(slots(*ring, 3), ElementsAre(1, 1, 1));
    EXPECT_EQ(ring->end().value, 2U * size);
}

TEST(Placement, StaysWhereItIsUntilSomethingIsWritten) {
    const auto ring = rotate_within(4 * std::uint64_t{size}, size);
    EXPECT_EQ(ring->next(size)->where, ring->next(size)->where);
}

} // namespace
} // namespace etl::trace::placement_test
