#include <etl/bytes.hpp>
#include <etl/guid.hpp>

#include "base/layout.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>

namespace etl::layout_test {
namespace {

// A structure that has every kind of field, one of them unaligned.
constexpr LayoutField<std::uint8_t> kind{0};
constexpr LayoutField<std::uint32_t> count{1};
constexpr LayoutField<std::int16_t> delta{5};
constexpr LayoutField<std::uint64_t> time_stamp{7};
constexpr LayoutField<Guid> provider{15};
constexpr std::size_t size = 31;
static_assert(tiles<size>(kind, count, delta, time_stamp, provider));
static_assert(!tiles<size + 1>(kind, count, delta, time_stamp, provider), "a tail is missing");
static_assert(!tiles<size>(kind, delta, count, time_stamp, provider), "out of order");
static_assert(!tiles<7>(kind, count), "a gap at the end");
static_assert(!tiles<5>(LayoutField<std::uint8_t>{0}, LayoutField<std::uint32_t>{2}), "a gap");
static_assert(!tiles<5>(LayoutField<std::uint16_t>{0}, LayoutField<std::uint32_t>{1}),
              "an overlap");

TEST(Layout, LoadsBackWhatWasStored) {
    std::array<std::byte, size> bytes{};
    const std::span<std::byte, size> all(bytes);
    const Guid guid = *parse_guid("68fdd900-4a3e-11d1-84f4-0000f80464e3");
    store<kind>(all, std::uint8_t{0xFE});
    store<count>(all, 0x89ABCDEFU);
    store<delta>(all, std::int16_t{-2});
    store<time_stamp>(all, 0x0123456789ABCDEFULL);
    store<provider>(all, guid);
    const std::span<const std::byte, size> view(bytes);
    EXPECT_EQ(load<kind>(view), 0xFE);
    EXPECT_EQ(load<count>(view), 0x89ABCDEFU);
    EXPECT_EQ(load<delta>(view), -2);
    EXPECT_EQ(load<time_stamp>(view), 0x0123456789ABCDEFULL);
    EXPECT_EQ(load<provider>(view), guid);
}

TEST(Layout, IsLittleEndianOnEveryMachine) {
    std::array<std::byte, 8> bytes{};
    store_le<std::uint32_t>(bytes.data(), 0x04030201U);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(std::to_integer<unsigned>(bytes[i]), i + 1);
    }
    EXPECT_EQ(load_le<std::uint16_t>(bytes.data() + 1), 0x0302);
}

TEST(Layout, LoadsInConstantExpressions) {
    constexpr std::array<std::byte, 2> bytes{std::byte{0x34}, std::byte{0x12}};
    static_assert(load<LayoutField<std::uint16_t>{0}>(std::span<const std::byte, 2>(bytes)) ==
                  0x1234);
    SUCCEED();
}

TEST(Bytes, ClampedNeverReachesBehindTheEnd) {
    const std::array<std::byte, 4> four{};
    const Bytes bytes(four);
    EXPECT_EQ(clamped(bytes, 0).size(), 4U);
    EXPECT_EQ(clamped(bytes, 1, 2).size(), 2U);
    EXPECT_EQ(clamped(bytes, 3, 2).size(), 1U);
    EXPECT_TRUE(clamped(bytes, 4, 1).empty());
    EXPECT_TRUE(clamped(bytes, std::numeric_limits<std::size_t>::max(), 1).empty());
    EXPECT_EQ(clamped(bytes, 2).data(), four.data() + 2);
}

TEST(Bytes, HoldsDoesNotOverflow) {
    const std::array<std::byte, 4> four{};
    const Bytes bytes(four);
    constexpr auto huge = std::numeric_limits<std::size_t>::max();
    EXPECT_TRUE(has_range(bytes, 0, 4));
    EXPECT_TRUE(has_range(bytes, 4, 0));
    EXPECT_FALSE(has_range(bytes, 5, 0));
    EXPECT_FALSE(has_range(bytes, 1, 4));
    EXPECT_FALSE(has_range(bytes, 2, huge));
    EXPECT_FALSE(has_range(bytes, huge, 2));
}

} // namespace
} // namespace etl::layout_test
