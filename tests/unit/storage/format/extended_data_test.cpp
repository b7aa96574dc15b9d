#include "format/encode.hpp"
#include "format/limits.hpp"

#include <gtest/gtest.h>

#include <array>

namespace etl::format::extended_data_test {
namespace {

// One item as it lies on disk.
std::vector<std::byte> item(std::uint16_t total, std::uint16_t type, std::uint16_t linkage,
                            std::uint16_t size, std::size_t behind) {
    ByteWriter to;
    to.u16(total).u16(type).u16(linkage).u16(size).fill(behind, std::byte{7});
    return to.take();
}

TEST(ExtendedItems, GivesWhatWasEncodedAndStopsAtThePayload) {
    const std::array<std::byte, 5> data{};
    const std::array<ExtendedItem, 3> items{{{ItemType::sid, data},
                                             {static_cast<ItemType>(999), {}},
                                             {ItemType::event_schema_tl, data}}};
    ByteWriter to;
    ASSERT_TRUE(encode_items(items, to));
    const std::size_t end = to.size();
    to.u64(0x0008'0001'0001'0010); // a payload that would pass for an item
    ExtendedItems walk(to.view());
    ExtendedItem found;
    for (const ExtendedItem& expected : items) {
        ASSERT_TRUE(walk.next(found));
        EXPECT_EQ(found.type, expected.type);
        EXPECT_EQ(found.data.size(), expected.data.size());
    }
    EXPECT_FALSE(walk.next(found));
    EXPECT_FALSE(walk.is_malformed());
    EXPECT_EQ(walk.position(), end);
}

TEST(ExtendedItems, IgnoresTheReservedBitsOfLinkage) {
    const auto bytes = item(16, 1, 0xFFFE, 8, 8);
    ExtendedItems walk(bytes);
    ExtendedItem found;
    EXPECT_TRUE(walk.next(found));
    EXPECT_FALSE(walk.next(found));
    EXPECT_FALSE(walk.is_malformed());
}

TEST(ExtendedItems, BreaksOnATotalBelowItsHead) {
    const auto bytes = item(7, 1, 0, 0, 8);
    ExtendedItems walk(bytes);
    ExtendedItem found;
    EXPECT_FALSE(walk.next(found));
    EXPECT_TRUE(walk.is_malformed());
}

TEST(ExtendedItems, BreaksOnDataThatDoesNotFitItsItem) {
    const auto bytes = item(16, 1, 0, 9, 16);
    ExtendedItems walk(bytes);
    ExtendedItem found;
    EXPECT_FALSE(walk.next(found));
    EXPECT_TRUE(walk.is_malformed());
}

TEST(ExtendedItems, BreaksOnAnItemThatPassesTheEndOfTheRecord) {
    const auto bytes = item(24, 1, 0, 8, 15);
    ExtendedItems walk(bytes);
    ExtendedItem found;
    EXPECT_FALSE(walk.next(found));
    EXPECT_TRUE(walk.is_malformed());
    EXPECT_EQ(walk.position(), 0U);
}

TEST(ExtendedItems, BreaksWhenTheLastItemPromisesAnother) {
    const auto bytes = item(16, 1, 1, 8, 8);
    ExtendedItems walk(bytes);
    ExtendedItem found;
    EXPECT_TRUE(walk.next(found));
    EXPECT_FALSE(walk.next(found));
    EXPECT_TRUE(walk.is_malformed());
    EXPECT_EQ(walk.position(), 16U);
}

TEST(ExtendedItems, StopsAtTheLimit) {
    ByteWriter to;
    for (unsigned i = 0; i <= ExtendedItems::max; ++i) {
        to.bytes(item(8, 1, 1, 0, 0));
    }
    ExtendedItems walk(to.view());
    ExtendedItem found;
    unsigned count = 0;
    while (walk.next(found)) {
        ++count;
    }
    EXPECT_EQ(count, ExtendedItems::max);
    EXPECT_TRUE(walk.is_malformed());
}

} // namespace
} // namespace etl::format::extended_data_test
