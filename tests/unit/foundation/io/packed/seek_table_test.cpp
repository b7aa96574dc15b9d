#include "base/text.hpp"
#include "io/container.hpp"
#include "tests/unit/foundation/io/packed/containers.hpp"
#include "tests/unit/foundation/io/packing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::io::seek_table_test {
namespace {

using test::ByteVector;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::size_t header = 72; // as trace files store it

TEST(SeekTable, IsTheOneOfZstd) {
    // RFC 8878 skippable frame; contrib/seekable_format/zstd_seekable_compression_format.md.
    const std::vector<FrameSizes> frames{{0x11, 0x22}, {0x33, 0x44}};
    ByteVector table;
    encode_seek_table(Container::zstd, frames, table);
    EXPECT_EQ(table, test::from_hex("5e 2a 4d 18 19 00 00 00" // skippable, 25 bytes
                                    "11 00 00 00 22 00 00 00" // sizes: packed, content
                                    "33 00 00 00 44 00 00 00"
                                    "02 00 00 00"    // frames
                                    "00"             // no checksums
                                    "b1 ea 92 8f")); // magic
    ByteVector of_lz4;
    encode_seek_table(Container::lz4, frames, of_lz4);
    EXPECT_EQ(of_lz4, table);
}

TEST(SeekTable, OfAnotherWriterMayHaveChecksums) {
    const auto frame = test::frame_of({}, test::bytes_of("content"), 4);
    auto packed = frame;
    const auto size = static_cast<std::uint8_t>(frame.size());
    ByteWriter table;
    table.u32(0x184D2A5E).u32(12 + 9).u32(size).u32(7).u32(0xABCD).u32(1).u8(0x80).u32(0x8F92EAB1);
    packed.insert(packed.end(), table.view().begin(), table.view().end());
    const auto frames = frames_by_seek_table(Container::zstd, packed);
    ASSERT_THAT(frames, SizeIs(1));
    EXPECT_EQ(as_text(frames[0].stored), "cont");
}

TEST(SeekTable, MustTileTheFile) {
    const std::vector<ByteVector> contents(3, test::event_like_bytes(5'000, 1));
    const auto made = test::container_of({}, contents, header);
    const auto table = made.table + 8;
    for (const std::size_t entry : {0U, 1U, 2U}) {
        auto packed = made.packed;
        packed[table + 8 * entry] ^= std::byte{1}; // a packed size
        EXPECT_THAT(frames_by_seek_table(Container::zstd, packed), IsEmpty());
        packed = made.packed;
        packed[table + 8 * entry + 7] = std::byte{2}; // a content of 32 MB
        EXPECT_THAT(frames_by_seek_table(Container::zstd, packed), IsEmpty());
    }
    auto longer = made.packed;
    longer.insert(longer.begin(), std::byte{0});
    EXPECT_THAT(frames_by_seek_table(Container::zstd, longer), IsEmpty());
    auto more = made.packed;
    more[more.size() - 9] = std::byte{0xFF}; // frames
    EXPECT_THAT(frames_by_seek_table(Container::zstd, more), IsEmpty());
    EXPECT_THAT(frames_by_seek_table(Container::none, made.packed), IsEmpty());
}

// Entries take eight bytes each: without frames to go with them they would multiply what is read.
TEST(SeekTable, ListsNothingSmallerThanAFrame) {
    for (const auto kind : {Container::zstd, Container::lz4}) {
        const std::vector<ByteVector> contents(2, test::event_like_bytes(5'000, 1));
        const auto made = test::container_of({kind}, contents, header);
        const auto listed = [&](std::uint32_t packed_size, std::uint32_t content_size) {
            ByteVector packed(made.packed.begin(),
                              made.packed.begin() + static_cast<std::ptrdiff_t>(made.table));
            packed.resize(made.table + packed_size); // no frame, but room for one
            std::vector<Frame> frames = made.frames;
            frames.push_back({{made.table}, packed_size, content_size, {}, false});
            encode_seek_table(kind, test::sizes_of(frames), packed);
            return frames_by_seek_table(kind, packed).size();
        };
        const std::uint32_t smallest = kind == Container::zstd ? 10 : 24;
        for (const std::uint32_t size : {0U, 1U, 7U, 8U, 9U, smallest - 1}) {
            EXPECT_EQ(listed(size, 16U << 20U), 0U) << size;
            EXPECT_EQ(listed(size, 1), 0U) << size;
            EXPECT_EQ(listed(size, 0), size < 8 ? 0U : 2U) << size; // a skippable frame
        }
        EXPECT_EQ(listed(smallest, 1), 3U);
    }
}

TEST(SeekTable, SaysNothingOfContentsThatFramesContradict) {
    const std::vector<ByteVector> contents(2, test::event_like_bytes(5'000, 1));
    const auto made = test::container_of({}, contents, header);
    auto packed = made.packed;
    packed[made.table + 8 + 4] ^= std::byte{1}; // the first content's size
    auto frames = frames_by_seek_table(Container::zstd, packed);
    ASSERT_THAT(frames, SizeIs(2));
    EXPECT_THAT(frames[0].stored, IsEmpty());
    EXPECT_THAT(frames[1].stored, SizeIs(header));
    packed = made.packed;
    packed[1] ^= std::byte{1}; // the first frame's magic
    frames = frames_by_seek_table(Container::zstd, packed);
    ASSERT_THAT(frames, SizeIs(2));
    EXPECT_THAT(frames[0].stored, IsEmpty());
}

} // namespace
} // namespace etl::io::seek_table_test
