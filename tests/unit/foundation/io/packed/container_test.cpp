// Frames in a container.
#include "base/layout.hpp"
#include "base/limits.hpp"
#include "base/text.hpp"
#include "io/container.hpp"
#include "io/packed/frame_format.hpp"
#include "io/unpack.hpp"
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

// What one frame holds, whole and damaged.

namespace {

using test::ByteVector;
using test::FrameKind;
using test::scanned;
using testing::IsEmpty;
using testing::SizeIs;

/// Contents of every shape that a buffer has, and some that it has not.
std::vector<ByteVector> contents(ContainerLevel level) {
    std::vector<ByteVector> all{ByteVector(1, std::byte{7}),  ByteVector(header, std::byte{1}),
                                ByteVector(header + 1),       ByteVector(65'536),
                                test::random_bytes(1'000, 1), test::random_bytes(300'000, 2)};
    std::uint32_t seed = 3;
    for (const std::size_t size : {100U, 255U, 256U, 4'096U, 65'535U, 65'536U, 131'072U, 131'200U,
                                   131'145U, 262'144U, 1'000'000U, 5'000'000U}) {
        all.push_back(test::event_like_bytes(size, seed++));
    }
    if (level == ContainerLevel::small) { // which takes its time
        std::erase_if(all, [](const auto& content) { return content.size() > 300'000; });
    }
    return all;
}

TEST_P(Frames, GiveBackTheirContent) {
    for (const auto& content : contents(GetParam().level)) {
        const bool is_slow = GetParam().level == ContainerLevel::small && content.size() > 10'000;
        for (const std::size_t stored :
             {std::size_t{0}, std::size_t{1}, header, std::size_t{200'000}, content.size() - 1,
              content.size()}) {
            if (is_slow && stored != header) {
                continue;
            }
            const auto frame = test::frame_of(GetParam(), content, stored);
            const auto back = decoded(kind(), frame, content.size());
            EXPECT_FALSE(back.error) << describe(*back.error) << " of " << content.size();
            ASSERT_TRUE(back.content == content) << content.size() << " stored " << stored;
        }
    }
}

TEST_P(Frames, StoreTheirFirstBytesWhereTheySaySo) {
    const auto content = test::event_like_bytes(10'000, 1);
    const auto frame = test::frame_of(GetParam(), content, header);
    const Bytes stored = Bytes(frame).subspan(stored_offset(kind()), header);
    EXPECT_TRUE(std::ranges::equal(stored, Bytes(content).first(header)));
    const auto frames = scanned(kind(), frame);
    ASSERT_THAT(frames, SizeIs(1));
    EXPECT_EQ(frames[0].stored.data(), stored.data());
    EXPECT_EQ(frames[0].stored.size(), header);
}

TEST_P(Frames, CanBeOverwrittenInPlace) {
    auto content = test::event_like_bytes(65'536, 1);
    const auto before = test::frame_of(GetParam(), content, 1'000);
    std::ranges::copy(test::random_bytes(1'000, 1), content.begin());
    const auto after = test::frame_of(GetParam(), content, 1'000);
    EXPECT_EQ(before.size(), after.size());
    EXPECT_TRUE(decoded(kind(), after, content.size()).content == content);
}

TEST_P(Frames, AreTheSameWhateverWasEncodedBefore) {
    auto used = FrameEncoder::create(kind(), GetParam().level);
    const std::uint32_t end = GetParam().level == ContainerLevel::small ? 10 : 40;
    for (std::uint32_t seed = 1; seed < end; ++seed) {
        const auto content = seed % 3 == 0 ? test::structured_bytes(60'000 + 7'919 * seed, seed)
                                           : test::event_like_bytes(65'536, seed % 5);
        ByteVector frame;
        ASSERT_TRUE(used->encode(content, header, frame));
        ASSERT_TRUE(frame == test::frame_of(GetParam(), content, header)) << seed;
    }
}

TEST_P(Frames, AreAppended) {
    auto encoder = FrameEncoder::create(kind(), GetParam().level);
    ByteVector to(3, std::byte{1});
    ASSERT_TRUE(encoder->encode(test::bytes_of("content"), 4, to));
    EXPECT_TRUE(std::ranges::equal(Bytes(to).first(3), ByteVector(3, std::byte{1})));
    EXPECT_EQ(as_text(decoded(kind(), Bytes(to).subspan(3), 7).content), "content");
}

TEST_P(Frames, CanBeEmpty) {
    const auto frame = test::frame_of(GetParam(), {}, header);
    EXPECT_FALSE(decoded(kind(), frame, 0).error);
    EXPECT_THAT(scanned(kind(), frame), IsEmpty()); // passed over
}

TEST_P(Frames, TakeNoMoreThanABuffer) {
    auto encoder = FrameEncoder::create(kind(), ContainerLevel::fast);
    ByteVector content(etl::limits::buffer_bytes + 1);
    ByteVector frame;
    const auto result = encoder->encode(content, header, frame);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::limit);
    EXPECT_THAT(frame, IsEmpty());
    content.pop_back();
    EXPECT_TRUE(encoder->encode(content, header, frame));
    EXPECT_TRUE(decoded(kind(), frame, content.size()).content == content);
}

// Every cut gives an error and the beginning of the content.
TEST_P(Frames, GiveTheirBeginningWhenCut) {
    const auto content = test::event_like_bytes(200'000, 1);
    const auto frame = test::frame_of(GetParam(), content, header);
    std::size_t before = 0;
    for (std::size_t size = 0; size < frame.size(); size += size < 100 ? 1 : 997) {
        const auto got = decoded(kind(), Bytes(frame).first(size), content.size());
        ASSERT_TRUE(got.error) << size;
        EXPECT_EQ(got.error->code, ErrorCode::truncated);
        EXPECT_TRUE(std::ranges::equal(got.content, Bytes(content).first(got.content.size())));
        EXPECT_GE(got.content.size(), before);
        before = got.content.size();
        const std::size_t offset = stored_offset(kind());
        EXPECT_GE(before, size < offset ? 0 : std::min(size - offset, header));
    }
    EXPECT_GE(before, kind() == Container::zstd ? 131'072U : 190'000U);
}

// A few bits of packed blocks mean nothing; all others are noticed.
TEST_P(Frames, TellEveryFlippedBit) {
    const auto content = test::event_like_bytes(3'000, 1);
    auto frame = test::frame_of(GetParam(), content, header);
    for (std::size_t bit = 0; bit < frame.size() * 8; bit += 5) {
        const auto mask = static_cast<std::byte>(1U << bit % 8);
        frame[bit / 8] ^= mask;
        const auto got = decoded(kind(), frame, content.size());
        EXPECT_TRUE(got.error || got.content == content) << "bit " << bit;
        frame[bit / 8] ^= mask;
    }
}

TEST_P(Frames, GiveWhatComesBeforeABadBlock) {
    const auto content = test::event_like_bytes(200'000, 1);
    auto frame = test::frame_of(GetParam(), content, header);
    // In the one packed block of LZ4 behind the middle, of zstd where the second one begins.
    BlockWalk walk(kind(), frame, read_frame_head(kind(), frame, {}).value(), {});
    Bytes last;
    while (const auto block = walk.next()) {
        last = block->bytes;
    }
    const std::size_t skip = kind() == Container::lz4 ? last.size() * 3 / 4 : 0;
    const auto at = last.data() + skip - frame.data();
    std::fill_n(frame.begin() + at, 300, std::byte{0xFF});
    const auto got = decoded(kind(), frame, content.size());
    ASSERT_TRUE(got.error);
    EXPECT_EQ(got.error->code, ErrorCode::malformed);
    EXPECT_GT(got.error->where.value, 0U);
    EXPECT_LT(got.content.size(), content.size());
    ASSERT_GE(got.content.size(), content.size() / 2);
    EXPECT_TRUE(std::ranges::equal(Bytes(got.content).first(content.size() / 2),
                                   Bytes(content).first(content.size() / 2)));
}

TEST_P(Frames, GiveAllOfAContentThatFailsItsChecksum) {
    const auto content = test::event_like_bytes(5'000, 1);
    auto frame = test::frame_of(GetParam(), content, header);
    frame.back() ^= std::byte{1};
    const auto got = decoded(kind(), frame, content.size());
    ASSERT_TRUE(got.error);
    EXPECT_EQ(got.error->code, ErrorCode::malformed);
    EXPECT_EQ(got.error->where.value, frame.size() - 4);
    EXPECT_TRUE(got.content == content);
}

TEST_P(Frames, OfOtherShapesAreForeign) {
    const std::string filter(test::name(kind()));
    const auto packed = test::compress(filter, std::string(100'000, 'x'));
    EXPECT_EQ(container_of(packed), Container::none);
    std::optional<Error> error;
    EXPECT_THAT(scanned(kind(), packed, &error), IsEmpty());
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code, ErrorCode::unsupported);
    const auto got = decoded(kind(), packed, 100'000);
    ASSERT_TRUE(got.error);
    EXPECT_EQ(got.error->code, ErrorCode::unsupported);
}

TEST_P(Frames, AreUnpackedByTheGeneralWayAsWell) {
    const auto made = test::container_of(GetParam(), contents(GetParam().level), header);
    const auto unpacked = unpack(*test::as_input(made.packed, "trace.etl.packed"),
                                 [](std::string_view, Bytes) { return true; });
    ASSERT_TRUE(unpacked) << describe(unpacked.error());
    ASSERT_THAT(unpacked->members, SizeIs(1));
    EXPECT_FALSE(unpacked->members[0]->damage());
    EXPECT_TRUE(std::ranges::equal(unpacked->members[0]->bytes(), made.plain));
}

// The programs that everybody has.
TEST_P(Frames, AreUnpackedByTheStockTool) {
    const std::string tool(test::name(kind()));
    if (std::system(("command -v " + tool + " >/dev/null").c_str()) != 0) {
        GTEST_SKIP() << "no program " << tool;
    }
    const test::TemporaryFolder folder;
    const auto made = test::container_of(GetParam(), contents(GetParam().level), header);
    const std::string packed = folder.file("trace.etl." + tool, as_text(made.packed));
    const std::string out = folder.path("trace.etl");
    const std::string test = tool + " -q -t " + packed + " 2>/dev/null";
    ASSERT_EQ(std::system(test.c_str()), 0);
    ASSERT_EQ(std::system((tool + " -q -d -c " + packed + " >" + out).c_str()), 0);
    EXPECT_TRUE(test::content_of(out) == as_text(made.plain));

    auto rotten = made.packed;
    rotten[made.table - 100] ^= std::byte{1};
    folder.file("trace.etl." + tool, as_text(rotten));
    EXPECT_NE(std::system(test.c_str()), 0);
}

INSTANTIATE_TEST_SUITE_P(AllKinds, Frames,
                         testing::Values(FrameKind{Container::zstd, ContainerLevel::fast},
                                         FrameKind{Container::zstd, ContainerLevel::normal},
                                         FrameKind{Container::zstd, ContainerLevel::small},
                                         FrameKind{Container::lz4, ContainerLevel::fast},
                                         FrameKind{Container::lz4, ContainerLevel::normal},
                                         FrameKind{Container::lz4, ContainerLevel::small}),
                         [](const auto& of) { return testing::PrintToString(of.param); });

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

} // namespace etl::io::container_test
