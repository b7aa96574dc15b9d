#include "io/packed/frame_format.hpp"
#include "tests/support/traces/sample_bytes.hpp"

#include <gtest/gtest.h>

namespace etl::io::frame_format_test {

namespace {

using test::bytes_of;

// The values are those of the xxhsum program of the authors.
TEST(ContentHash, IsTheAuthorsOwn) {
    EXPECT_EQ(xxh32({}), 0x02CC5D05U);
    EXPECT_EQ(xxh64({}), 0xEF46DB3751D8E999U);
    EXPECT_EQ(xxh32(bytes_of("abc")), 0x32D153FFU);
    EXPECT_EQ(xxh64(bytes_of("abc")), 0x44BC2CF5AD770999U);
    EXPECT_EQ(xxh32(bytes_of("Nobody inspects the spammish repetition")), 0xE2293B2FU);
    EXPECT_EQ(xxh64(bytes_of("Nobody inspects the spammish repetition")), 0xFBCEA83C8A378BF1U);
}

TEST(ContentHash, TakesEveryByteIn) {
    auto bytes = test::random_bytes(100, 1);
    for (std::size_t size = 1; size <= bytes.size(); ++size) {
        const Bytes part = Bytes(bytes).first(size);
        const auto small = xxh32(part);
        const auto large = xxh64(part);
        EXPECT_NE(small, xxh32(part.first(size - 1)));
        EXPECT_NE(large, xxh64(part.first(size - 1)));
        for (std::size_t i = 0; i < size; ++i) {
            bytes[i] ^= std::byte{1};
            EXPECT_NE(small, xxh32(part));
            EXPECT_NE(large, xxh64(part));
            bytes[i] ^= std::byte{1};
        }
    }
}

} // namespace

} // namespace etl::io::frame_format_test
