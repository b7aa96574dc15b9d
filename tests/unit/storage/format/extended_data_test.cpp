#include <etl/byte_writer.hpp>

#include "format/encode.hpp"
#include "format/extended_data.hpp"
#include "format/limits.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

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

ItemLayout layout(ItemType type, Bytes data) {
    return layout_of({type, data});
}

/// The sizes up to 100 that zeros of this type may have.
std::vector<std::size_t> sizes_of(ItemType type) {
    std::vector<std::size_t> sizes;
    for (std::size_t size = 0; size <= 100; ++size) {
        if (layout(type, std::vector<std::byte>(size)) != ItemLayout::unknown) {
            sizes.push_back(size);
        }
    }
    return sizes;
}

TEST(ItemLayout, OfNumbersNeedsTheExactSize) {
    using Sizes = std::vector<std::size_t>;
    const Sizes key{8}, guid{16};
    EXPECT_EQ(sizes_of(ItemType::related_activity_id), guid);
    EXPECT_EQ(sizes_of(ItemType::control_guid), guid);
    EXPECT_EQ(sizes_of(ItemType::container_id), guid);
    EXPECT_EQ(sizes_of(ItemType::terminal_session_id), Sizes{4});
    EXPECT_EQ(sizes_of(ItemType::instance_info), Sizes{24});
    EXPECT_EQ(sizes_of(ItemType::pebs_index), key);
    EXPECT_EQ(sizes_of(ItemType::psm_key), key);
    EXPECT_EQ(sizes_of(ItemType::event_key), key);
    EXPECT_EQ(sizes_of(ItemType::process_start_key), key);
    EXPECT_EQ(sizes_of(ItemType::qpc_delta), key);
    EXPECT_EQ(sizes_of(ItemType::stack_key32), (Sizes{12, 16}));
    EXPECT_EQ(sizes_of(ItemType::stack_key64), guid);
    const auto has_all = [](const Sizes& sizes, std::size_t first, std::size_t step) {
        return std::ranges::all_of(
                   sizes,
                   [&](std::size_t size) { return size >= first && (size - first) % step == 0; }) &&
               sizes.size() == (100 - first) / step + 1;
    };
    EXPECT_TRUE(has_all(sizes_of(ItemType::stack_trace32), 8, 4));
    EXPECT_TRUE(has_all(sizes_of(ItemType::stack_trace64), 8, 8));
    EXPECT_TRUE(has_all(sizes_of(ItemType::pmc_counters), 0, 8));
}

TEST(ItemLayout, OfUnknownTypesIsUnknown) {
    for (const unsigned type : {0U, 19U, 1000U, 0xFFFFU}) {
        EXPECT_TRUE(sizes_of(static_cast<ItemType>(type)).empty());
    }
}

TEST(ItemLayout, OfASidNeedsAllOfIt) {
    for (std::uint8_t parts = 0; parts <= 16; ++parts) {
        for (const std::size_t more : {0U, 1U, 4U}) {
            ByteWriter sid;
            sid.u8(1).u8(parts).fill(6U + 4U * parts + more);
            const bool is_sid = parts <= 15 && more == 0;
            EXPECT_EQ(layout(ItemType::sid, sid.view()),
                      is_sid ? ItemLayout::sid : ItemLayout::unknown);
            if (more == 0) {
                const Bytes cut = sid.view().first(sid.size() - 1);
                EXPECT_EQ(layout(ItemType::sid, cut), ItemLayout::unknown);
            }
        }
    }
    EXPECT_TRUE(sizes_of(ItemType::sid).empty()) << "revision 0";
}

TEST(ItemLayout, OfASchemaNeedsItsSize) {
    for (const auto& [type, expected] :
         {std::pair(ItemType::event_schema_tl, ItemLayout::event_schema),
          std::pair(ItemType::provider_traits, ItemLayout::provider_traits)}) {
        EXPECT_EQ(layout(type, ByteWriter().u16(4).u16(0).view()), expected);
        EXPECT_EQ(layout(type, ByteWriter().u16(4).u32(0).view()), expected);
        EXPECT_EQ(layout(type, ByteWriter().u16(5).u16(0).view()), ItemLayout::unknown);
        EXPECT_EQ(layout(type, ByteWriter().u16(1).u16(0).view()), ItemLayout::unknown);
        EXPECT_EQ(layout(type, ByteWriter().u8(2).view()), ItemLayout::unknown);
    }
}

TEST(ItemLayout, OfAContainerIsAGuidAsText) {
    constexpr std::string_view guid = "5a1e0000-0000-4000-8000-00000000cafe";
    const auto of_text = [](std::string_view text, bool is_wide) {
        ByteWriter data;
        for (const char c : text) {
            is_wide ? data.u16(static_cast<unsigned char>(c))
                    : data.u8(static_cast<unsigned char>(c));
        }
        return layout(ItemType::container_id, data.view());
    };
    for (const bool is_wide : {false, true}) {
        EXPECT_EQ(of_text(guid, is_wide), ItemLayout::numbers);
        EXPECT_EQ(of_text("{" + std::string(guid) + "}", is_wide), ItemLayout::numbers);
        EXPECT_EQ(of_text(std::string(guid) + std::string(1, '\0'), is_wide), ItemLayout::numbers);
        EXPECT_EQ(of_text("x" + std::string(guid).substr(1), is_wide), ItemLayout::unknown);
        EXPECT_EQ(of_text(std::string(guid) + "abcd", is_wide), ItemLayout::unknown);
        EXPECT_EQ(of_text(guid.substr(1), is_wide), ItemLayout::unknown);
    }
    EXPECT_EQ(of_text(std::string(36, '\xE9'), false), ItemLayout::unknown);
}

} // namespace

} // namespace etl::format::extended_data_test
