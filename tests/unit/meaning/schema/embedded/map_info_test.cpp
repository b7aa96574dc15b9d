#include "base/byte_writer.hpp"
#include "schema/event_info.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::schema::map_info_test {
namespace {

using namespace etl::literals;
using ::testing::ElementsAre;
using ::testing::Pair;

constexpr Guid provider = "11111111-2222-3333-4444-555555555555"_guid;

struct MapEntry {
    std::uint32_t value;
    std::u16string text;
};

// The provider, then EVENT_MAP_INFO with eight spare bytes behind its entries, as traces have it.
std::vector<std::byte> map_info(std::uint32_t flag, const std::vector<MapEntry>& entries,
                                std::uint32_t value_type = 0) {
    ByteWriter texts;
    const auto begin = static_cast<std::uint32_t>(24 + 8 * entries.size());
    const auto add = [&](std::u16string_view text) {
        const auto at = static_cast<std::uint32_t>(begin + texts.size());
        texts.zero_terminated16(text);
        return at;
    };
    ByteWriter out;
    out.guid(provider)
        .u32(add(u"MyMap"))
        .u32(flag)
        .u32(static_cast<std::uint32_t>(entries.size()))
        .u32(value_type);
    for (const MapEntry& entry : entries) {
        out.u32(add(entry.text)).u32(entry.value);
    }
    return out.u64(0).bytes(texts.view()).take();
}

EmbeddedMap parse(const std::vector<std::byte>& blob) {
    auto map = parse_map_info(blob);
    EXPECT_TRUE(map) << describe(map.error());
    return map ? std::move(*map) : EmbeddedMap{{}, std::make_shared<ValueMap>()};
}

TEST(MapInfo, ReadsAValueMap) {
    const EmbeddedMap map = parse(map_info(1, {{0, u"static "}, {5, u"dynamic\r\n"}}));
    EXPECT_EQ(map.provider, provider);
    EXPECT_EQ(map.map->name, "MyMap");
    EXPECT_EQ(map.map->kind, ValueMap::Kind::value);
    EXPECT_THAT(map.map->entries, ElementsAre(Pair(0U, "static"), Pair(5U, "dynamic")))
        << "without what the message compiler put behind them";
}

TEST(MapInfo, TellsBitMaps) {
    constexpr std::uint32_t manifest_bits = 2, wbem_values = 8, wbem_bits = 0x10, wbem_flag = 0x20;
    EXPECT_EQ(parse(map_info(manifest_bits, {{1, u"a"}})).map->kind, ValueMap::Kind::bits);
    EXPECT_EQ(parse(map_info(wbem_bits, {{1, u"a"}})).map->kind, ValueMap::Kind::bits);
    EXPECT_EQ(parse(map_info(wbem_values, {{1, u"a"}})).map->kind, ValueMap::Kind::value);
    EXPECT_EQ(parse(map_info(wbem_values | wbem_flag, {{1, u"a"}})).map->kind,
              ValueMap::Kind::bits);
}

TEST(MapInfo, NumbersTheEntriesOfClassesWithoutMap) {
    constexpr std::uint32_t wbem_values = 8, wbem_bits = 0x10, no_map = 0x40;
    EXPECT_THAT(parse(map_info(wbem_values | no_map, {{9, u"a"}, {9, u"b"}})).map->entries,
                ElementsAre(Pair(0U, "a"), Pair(1U, "b")));
    EXPECT_THAT(parse(map_info(wbem_bits | no_map, {{9, u"a"}, {9, u"b"}, {9, u"c"}})).map->entries,
                ElementsAre(Pair(1U, "a"), Pair(2U, "b"), Pair(4U, "c")));
}

TEST(MapInfo, RejectsPatternsAndStrings) {
    EXPECT_EQ(parse_map_info(map_info(4, {})).error().code, ErrorCode::unsupported);
    EXPECT_EQ(parse_map_info(map_info(8, {{1, u"a"}}, 1)).error().code, ErrorCode::unsupported);
}

TEST(MapInfo, RejectsWhatEndsEarly) {
    const auto blob = map_info(1, {{0, u"a"}, {1, u"b"}});
    for (std::size_t size = 0; size < 32 + 16; ++size) {
        const auto map = parse_map_info(Bytes(blob).first(size));
        ASSERT_FALSE(map) << size;
        EXPECT_EQ(map.error().code, ErrorCode::truncated) << size;
    }
    auto lying = blob;
    store_le<std::uint32_t>(lying.data() + 24, 0xFFFFFFFF);
    EXPECT_EQ(parse_map_info(lying).error().code, ErrorCode::truncated);
}

TEST(MapInfo, BoundsTextsThatOverlap) {
    auto blob = map_info(1, std::vector<MapEntry>(1000, {0, u""}));
    ByteWriter text;
    text.zero_terminated16(std::u16string(2000, u'x'));
    const auto at = static_cast<std::uint32_t>(blob.size() - 16);
    blob.insert(blob.end(), text.view().begin(), text.view().end());
    for (std::size_t i = 0; i < 1000; ++i) {
        store_le<std::uint32_t>(blob.data() + 32 + 8 * i, at);
    }
    EXPECT_EQ(parse_map_info(blob).error().code, ErrorCode::limit);
}

} // namespace
} // namespace etl::schema::map_info_test
