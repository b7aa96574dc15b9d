#include "base/layout.hpp"
#include "base/limits.hpp"
#include "tests/unit/storage/trace/packed_traces.hpp"
#include "trace/index/frame_walk.hpp"
#include "trace/limits.hpp"

#include <gtest/gtest.h>

namespace etl::trace::frame_walk_test {
namespace {

using namespace test;
using io::Container;

constexpr std::size_t stored = format::buffer_header::size;

/// What FrameScanner::work may exceed the size of a file by.
constexpr std::uint64_t slack = 5U << 20U;

class FrameWalks : public testing::TestWithParam<Container> {
protected:
    Image begun() const { return first_frame(pack(busy_trace(), GetParam())); }

    /// A block header of a stored block.
    Image block_header(std::uint32_t size) const {
        Image header(4);
        const bool is_zstd = GetParam() == Container::zstd;
        store_le<std::uint32_t>(header.data(), is_zstd ? size << 3U : size | 0x80000000U);
        header.resize(is_zstd ? 3 : 4);
        return header;
    }

    /// The beginning of a frame that claims 16 MB and stores a block that ends with the header of
    /// the next of its like: one after the other they make a frame of each, to the end of all.
    Image link() const {
        const std::size_t block = block_header(0).size();
        const std::size_t size = io::stored_offset(GetParam());
        return truncate_at(encode_frame(GetParam(), Image(etl::limits::buffer_bytes), size - block),
                           size);
    }

    /// The same with the header of a buffer of 1 MB in it.
    Image link_with_buffer() const {
        constexpr std::uint32_t claim = 1U << 20U;
        Image content(claim);
        const Image header = busy_trace();
        std::copy_n(header.begin(), stored, content.begin());
        store_le<std::uint32_t>(content.data(), claim);
        const std::size_t size = io::stored_offset(GetParam()) + stored;
        return append(truncate_at(encode_frame(GetParam(), content, stored), size),
                      block_header(static_cast<std::uint32_t>(size)));
    }
};

INSTANTIATE_TEST_SUITE_P(FrameWalk, FrameWalks, testing::Values(Container::zstd, Container::lz4),
                         name_of_kind);

TEST_P(FrameWalks, LookAtBeginningsOfFramesWithinABufferOnlyOnce) {
    Image content = repeat(truncate_at(busy_trace(), stored), link(), 80'000);
    store_le<std::uint32_t>(content.data(), static_cast<std::uint32_t>(content.size()));
    const Image frame = encode_frame(GetParam(), content, content.size());
    const Image file = append(append(begun(), frame), Image(100, std::byte{'x'}));
    FrameWalk walk(GetParam(), file);
    const std::vector<io::Frame> frames = walk.run();
    EXPECT_EQ(count_fitting(frames), 2U);
    EXPECT_LT(walk.work(), 100'000U);
}

TEST_P(FrameWalks, HaveOneBudgetForAllFramesThatLeadAstray) {
    const Image file = repeat(begun(), link_with_buffer(), 60'000);
    FrameWalk walk(GetParam(), file);
    const std::vector<io::Frame> frames = walk.run();
    EXPECT_LE(walk.work(), file.size() + slack);
    EXPECT_GT(frames.size(), 10U);
    EXPECT_LE(frames.size(), 2 + trace::limits::damaged_places);
    // What was given up is told of.
    EXPECT_TRUE(is_lost(frames.back()));
    EXPECT_EQ(frames.back().where.value + frames.back().packed_size, file.size());
}

TEST_P(FrameWalks, GiveUpWhereHardlyAnyFrameIsABuffer) {
    const Image one = encode_frame(GetParam(), Image(1), 1);
    const Image buffers = pack(busy_trace(), GetParam(), SeekTable::none).file;
    const auto run = [&](std::size_t others) {
        const Image file = repeat(buffers, one, others);
        return FrameWalk(GetParam(), file).run().size();
    };
    EXPECT_EQ(run(trace::limits::damaged_places), 25 + trace::limits::damaged_places);
    EXPECT_EQ(run(trace::limits::damaged_places + 26), 0U);
}

TEST_P(FrameWalks, LoseNothingBehindTheLastDamage) {
    const PackedImage container = pack(busy_trace(), GetParam(), SeekTable::none);
    const Bytes cut = Bytes(container.file).subspan(container.frames[1].where.value, 100);
    for (const std::size_t places : {std::size_t{1}, trace::limits::damaged_places}) {
        const Image file = repeat(begun(), cut, places);
        const std::vector<io::Frame> frames = FrameWalk(GetParam(), file).run();
        EXPECT_EQ(frames.size(), 1 + places);
        EXPECT_FALSE(is_lost(frames.back()));
    }
}

TEST_P(FrameWalks, TellOfWhatACutFrameCannotReach) {
    const PackedImage container = pack(busy_trace(), GetParam(), SeekTable::none);
    const Bytes cut = Bytes(container.file).subspan(container.frames[1].where.value, 100);
    // Neither a block nor a frame begins with all bits set.
    const Image file = append(append(begun(), cut), Image(100'000, std::byte{0xFF}));
    const std::vector<io::Frame> frames = FrameWalk(GetParam(), file).run();
    ASSERT_GE(frames.size(), 3U);
    EXPECT_TRUE(is_lost(frames.back()));
    EXPECT_EQ(frames.back().where.value + frames.back().packed_size, file.size());
}

} // namespace
} // namespace etl::trace::frame_walk_test
