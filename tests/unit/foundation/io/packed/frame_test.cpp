// What one frame holds, whole and damaged.
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

namespace etl::io::frame_test {
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

} // namespace
} // namespace etl::io::frame_test
