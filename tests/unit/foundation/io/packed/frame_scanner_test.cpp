#include "base/layout.hpp"
#include "io/container.hpp"
#include "tests/unit/foundation/io/packed/containers.hpp"
#include "tests/unit/foundation/io/packing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::io::frame_scanner_test {
namespace {

using test::ByteVector;
using test::scanned;
using testing::IsEmpty;
using testing::SizeIs;

TEST(FrameScanner, PassesOverWhatIsSkippable) {
    ByteWriter packed;
    packed.u32(0x184D2A50).u32(3).text8("abc");
    packed.bytes(test::frame_of({}, test::bytes_of("content"), 4));
    packed.u32(0x184D2A5F).u32(0);
    EXPECT_THAT(scanned(Container::zstd, packed.view()), SizeIs(1));
    std::optional<Error> error;
    packed.u32(0x184D2A50).u32(1);
    EXPECT_THAT(scanned(Container::zstd, packed.view(), &error), SizeIs(1));
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code, ErrorCode::truncated);
}

TEST(FrameScanner, StopsAtWhatIsNoFrame) {
    auto packed = test::frame_of({}, test::bytes_of("content"), 4);
    const std::size_t end = packed.size();
    packed.resize(end + 100); // zeros
    std::optional<Error> error;
    EXPECT_THAT(scanned(Container::zstd, packed, &error), SizeIs(1));
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code, ErrorCode::malformed);
    EXPECT_EQ(error->where.value, end);
}

TEST(FrameScanner, BelievesNoSize) {
    auto packed = test::frame_of({}, test::bytes_of("content"), 4);
    store_le<std::uint32_t>(packed.data() + 5, 0xFFFFFFF0); // the content
    std::optional<Error> error;
    EXPECT_THAT(scanned(Container::zstd, packed, &error), IsEmpty());
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code, ErrorCode::limit);
    EXPECT_EQ(error->have, 0xFFFFFFF0U);
}

TEST(FrameScanner, CountsBlocks) {
    auto packed = test::frame_of({}, ByteVector(1), 1);
    packed.resize(stored_offset(Container::zstd) + 1);
    packed[9] &= std::byte{0xFE};           // not the last block
    packed.resize(packed.size() + 300'000); // 100,000 stored blocks of no bytes
    std::optional<Error> error;
    const auto frames = scanned(Container::zstd, packed, &error);
    ASSERT_THAT(frames, SizeIs(1));
    EXPECT_TRUE(frames[0].is_truncated);
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code, ErrorCode::limit);
}

/// The beginning of a frame with blocks to come.
ByteVector begun_frame() {
    auto head = test::frame_of({}, ByteVector(1), 1);
    head.resize(stored_offset(Container::zstd) + 1);
    head[9] &= std::byte{0xFE};
    return head;
}

ByteVector repeated(const ByteVector& unit, std::size_t size) {
    ByteVector bytes;
    while (bytes.size() < size) {
        bytes.insert(bytes.end(), unit.begin(), unit.end());
    }
    return bytes;
}

// Beginnings of frames over and over, each followed by thousands of empty blocks.
TEST(FrameScanner, GivesUpOnAFileMadeToKeepItBusy) {
    auto unit = begun_frame();
    unit.resize(unit.size() + 3 * std::size_t{20});
    const auto packed = repeated(unit, 8U << 20U);
    FrameScanner scanner(Container::zstd, packed);
    std::size_t frames = 0;
    do {
        while (scanner.next()) {
            ++frames;
        }
    } while (scanner.error() && scanner.resume());
    EXPECT_GT(frames, 0U);
    EXPECT_LE(frames, packed.size() / unit.size());
    EXPECT_LE(scanner.work(), packed.size() + (5U << 20U));
}

TEST(FrameScanner, FindsFramesWithinWhatItTookForOne) {
    const std::vector<ByteVector> contents{test::event_like_bytes(65'536, 1),
                                           test::event_like_bytes(65'536, 2)};
    auto made = test::container_of({}, contents, 72);
    const std::size_t block = stored_offset(Container::zstd) + 72;
    // The packed block takes the beginning of the second frame in.
    const auto size = static_cast<std::uint32_t>(made.frames[1].where.value + 50 - block - 3);
    store_le<std::uint16_t>(made.packed.data() + block,
                            static_cast<std::uint16_t>(size << 3U | 2U << 1U));
    made.packed[block + 2] = static_cast<std::byte>(size >> 13U);
    FrameScanner scanner(Container::zstd, made.packed);
    ASSERT_TRUE(scanner.next());
    ASSERT_GT(scanner.where(), made.frames[1].where);
    ASSERT_TRUE(scanner.resume({1}));
    EXPECT_FALSE(scanner.error());
    EXPECT_EQ(scanner.where(), made.frames[1].where);
    const auto begun = scanner.peek();
    ASSERT_TRUE(begun);
    EXPECT_EQ(begun->where, made.frames[1].where);
    EXPECT_EQ(begun->content_size, 65'536U);
    EXPECT_THAT(begun->stored, SizeIs(72));
    EXPECT_EQ(scanner.next()->packed_size, made.frames[1].packed_size);
}

TEST(FrameScanner, SeesNoFrameWhereNoneBegins) {
    const auto packed = test::frame_of({}, test::bytes_of("content"), 4);
    FrameScanner scanner(Container::zstd, packed);
    EXPECT_TRUE(scanner.peek());
    ASSERT_TRUE(scanner.next());
    EXPECT_FALSE(scanner.peek()); // the end
    EXPECT_FALSE(scanner.resume({1}));
}

// Whoever goes back to every beginning of a frame within another walks over the same blocks again
// and again.
TEST(FrameScanner, BoundsItsWorkWhenItGoesBack) {
    const auto packed = repeated(begun_frame(), 1U << 20U);
    FrameScanner scanner(Container::zstd, packed);
    FileOffset from{};
    std::size_t frames = 0;
    while (scanner.resume(from) && scanner.next()) {
        from = from + begun_frame().size();
        ++frames;
    }
    EXPECT_GT(frames, 100U);
    EXPECT_LE(scanner.work(), packed.size() + (5U << 20U));
}

} // namespace
} // namespace etl::io::frame_scanner_test
