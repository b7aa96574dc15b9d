// Frames in a container.
#include "base/text.hpp"
#include "io/container.hpp"
#include "tests/unit/foundation/io/packed/containers.hpp"
#include "tests/unit/foundation/io/packed/frames.hpp"
#include "tests/unit/foundation/io/packing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace etl::io::container_test {
namespace {

using test::ByteVector;
using test::scanned;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TEST_P(Frames, FollowEachOtherInAContainer) {
    const std::vector<ByteVector> buffers{test::event_like_bytes(65'536, 1),
                                          test::event_like_bytes(65'536, 2),
                                          test::random_bytes(131'072, 3)};
    const auto made = test::container_of(GetParam(), buffers, header);
    EXPECT_EQ(container_of(made.packed), kind());
    EXPECT_EQ(container_of(Bytes(made.packed).first(20)), kind());
    const auto frames = scanned(kind(), made.packed);
    const auto by_table = frames_by_seek_table(kind(), made.packed);
    ASSERT_THAT(frames, SizeIs(3));
    ASSERT_THAT(by_table, SizeIs(3));
    for (std::size_t i = 0; i < 3; ++i) {
        for (const Frame& frame : {frames[i], by_table[i]}) {
            EXPECT_EQ(frame.where, made.frames[i].where);
            EXPECT_EQ(frame.packed_size, made.frames[i].packed_size);
            EXPECT_EQ(frame.content_size, buffers[i].size());
            EXPECT_TRUE(std::ranges::equal(frame.stored, Bytes(buffers[i]).first(header)));
            EXPECT_FALSE(frame.is_truncated);
        }
        const Bytes from_there =
            Bytes(made.packed).subspan(static_cast<std::size_t>(frames[i].where.value));
        EXPECT_TRUE(decoded(kind(), from_there, buffers[i].size()).content == buffers[i]);
    }
}

TEST_P(Frames, AreReadWithoutTheTable) {
    const std::vector<ByteVector> buffers{test::event_like_bytes(65'536, 1),
                                          test::event_like_bytes(65'536, 2)};
    const auto made = test::container_of(GetParam(), buffers, header);
    const Bytes killed = Bytes(made.packed).first(made.table);
    EXPECT_THAT(scanned(kind(), killed), SizeIs(2));
    EXPECT_THAT(frames_by_seek_table(kind(), killed), IsEmpty());
}

TEST_P(Frames, AreGivenCutAtTheEndOfTheFile) {
    const std::vector<ByteVector> buffers{test::event_like_bytes(65'536, 1),
                                          test::event_like_bytes(65'536, 2)};
    const auto made = test::container_of(GetParam(), buffers, header);
    const std::size_t second = static_cast<std::size_t>(made.frames[1].where.value);
    for (std::size_t size = second + 1; size < made.table; size += size < second + 100 ? 1 : 511) {
        std::optional<Error> error;
        const auto frames = scanned(kind(), Bytes(made.packed).first(size), &error);
        ASSERT_TRUE(error);
        EXPECT_EQ(error->code, ErrorCode::truncated);
        EXPECT_GE(error->where.value, second);
        EXPECT_GT(error->need, error->have);
        if (size <= second + stored_offset(kind())) {
            EXPECT_THAT(frames, SizeIs(1));
            continue;
        }
        ASSERT_THAT(frames, SizeIs(2));
        EXPECT_FALSE(frames[0].is_truncated);
        EXPECT_TRUE(frames[1].is_truncated);
        EXPECT_EQ(frames[1].where.value + frames[1].packed_size, size);
        EXPECT_EQ(frames[1].stored.size(), std::min(header, size - second - stored_offset(kind())));
    }
}

TEST_P(Frames, AreFoundAgainBehindDamage) {
    std::vector<ByteVector> buffers;
    for (std::uint32_t i = 0; i < 4; ++i) {
        buffers.push_back(test::event_like_bytes(65'536, i));
    }
    auto made = test::container_of(GetParam(), buffers, header);
    const std::size_t second = static_cast<std::size_t>(made.frames[1].where.value);
    const std::size_t block = second + stored_offset(kind()) + header;
    for (const std::byte damage : {std::byte{0xFF}, std::byte{0}, std::byte{1}}) {
        auto damaged = made.packed;
        std::fill_n(damaged.begin() + static_cast<std::ptrdiff_t>(block), 3, damage);
        FrameScanner scanner(kind(), damaged);
        std::vector<std::uint64_t> places;
        for (int tries = 0; tries < 3; ++tries) {
            while (const auto frame = scanner.next()) {
                places.push_back(frame->where.value);
            }
            if (!scanner.error() || !scanner.resume()) {
                break;
            }
        }
        EXPECT_THAT(places, ElementsAre(made.frames[0].where.value, second,
                                        made.frames[2].where.value, made.frames[3].where.value));
        EXPECT_FALSE(scanner.error());
        EXPECT_THAT(frames_by_seek_table(kind(), damaged), SizeIs(4));
    }
}

TEST(ContainerName, IsAnEnding) {
    EXPECT_EQ(container_by_name("trace.etl.zst"), Container::zstd);
    EXPECT_EQ(container_by_name("TRACE.ETL.ZST"), Container::zstd);
    EXPECT_EQ(container_by_name("trace.lz4"), Container::lz4);
    EXPECT_EQ(container_by_name("trace.etl"), Container::none);
    EXPECT_EQ(container_by_name(".zst"), Container::none);
    EXPECT_EQ(container_by_name(""), Container::none);
}

TEST(ContainerKind, NoneMakesAndReadsNothing) {
    EXPECT_FALSE(FrameEncoder::create(Container::none));
    EXPECT_FALSE(FrameDecoder::create(Container::none));
    EXPECT_EQ(container_of(test::bytes_of("MZ and no container at all")), Container::none);
    EXPECT_EQ(container_of({}), Container::none);
}

TEST(FrameDecoder, NeedsRoomForTheContent) {
    const auto frame = test::frame_of({}, test::bytes_of("content"), 4);
    const auto got = decoded(Container::zstd, frame, 6);
    ASSERT_TRUE(got.error);
    EXPECT_EQ(got.error->code, ErrorCode::limit);
    EXPECT_THAT(got.content, IsEmpty());
    EXPECT_EQ(as_text(decoded(Container::zstd, frame, 100).content), "content");
}

} // namespace
} // namespace etl::io::container_test
