#include "symbols/stream_file.hpp"
#include "tests/support/codecs/packed_bytes.hpp"
#include "tests/support/damage.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::symbols::stream_file_test {
namespace {

using test::Image;

std::vector<Image> streams() {
    std::vector<Image> result;
    for (const std::size_t size : {0U, 1300U, 40U, 512U, 0U, 3000U}) {
        result.push_back(test::noise(size));
    }
    return result;
}

const std::vector<test::MsfzPacking> packings{{}, {1, test::zstd_of}, {2, test::deflate_of}};

void expect_streams(const Image& file) {
    const auto opened = StreamFile::open(file);
    ASSERT_TRUE(opened) << describe(opened.error());
    const auto expected = streams();
    ASSERT_EQ(opened->streams(), expected.size());
    std::vector<std::byte> content;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(opened->size_of(i), expected[i].size());
        EXPECT_EQ(opened->read(i, content), !expected[i].empty());
        EXPECT_EQ(content, expected[i]) << "stream " << i;
        for (std::size_t at = 0; at < expected[i].size(); at += 97) {
            const Bytes whole = clamped(expected[i], at, 700);
            EXPECT_THAT(opened->part(i, at, whole.size(), content),
                        testing::ElementsAreArray(whole));
            EXPECT_TRUE(opened->part(i, at, expected[i].size(), content).empty() || at == 0);
        }
    }
    EXPECT_EQ(opened->size_of(6), 0);
    EXPECT_FALSE(opened->read(6, content));
}

TEST(StreamFile, ReadsPagesInAnyOrder) {
    expect_streams(test::msf_of(streams()));
    expect_streams(test::msf_of(streams(), 1024, true));
}

TEST(StreamFile, ViewsNeighboringPages) {
    const Image file = test::msf_of(streams(), 512, true);
    const auto opened = StreamFile::open(file);
    ASSERT_TRUE(opened);
    std::vector<std::byte> scratch;
    EXPECT_EQ(opened->part(5, 100, 2500, scratch).size(), 2500U);
    EXPECT_TRUE(scratch.empty());
}

TEST(StreamFile, ReadsCompressedChunks) {
    for (const auto& packing : packings) {
        expect_streams(test::msfz_of(streams(), packing));
        expect_streams(test::msfz_of(streams(), packing, 100'000));
    }
}

TEST(StreamFile, RejectsWhatIsNoneAndNamesOldOnes) {
    EXPECT_FALSE(StreamFile::is_likely({}));
    EXPECT_EQ(StreamFile::open({}).error().code, ErrorCode::malformed);
    const std::string_view old = "Microsoft C/C++ program database 2.00\r\n\x1AJG";
    EXPECT_EQ(StreamFile::open(std::as_bytes(std::span(old))).error().code, ErrorCode::unsupported);
}

TEST(StreamFile, RejectsStreamsThatShareBytes) {
    Image file = test::msf_of(streams());
    const std::uint32_t map = load_le<std::uint32_t>(file.data() + 52) * 512;
    const std::uint32_t directory = load_le<std::uint32_t>(file.data() + map) * 512;
    store_le<std::uint32_t>(file.data() + directory + 8, 0x7000'0000);
    EXPECT_EQ(StreamFile::open(file).error().code, ErrorCode::malformed);
}

TEST(StreamFile, HasNoPreviousDirectoryLargerThanTheFile) {
    Image file = test::msf_of(streams());
    const std::uint32_t map = load_le<std::uint32_t>(file.data() + 52) * 512;
    const std::uint32_t directory = load_le<std::uint32_t>(file.data() + map) * 512;
    store_le<std::uint32_t>(file.data() + directory + 4, 0x7000'0000);
    const auto opened = StreamFile::open(file);
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->size_of(0), 0U);
    std::vector<std::byte> content;
    EXPECT_FALSE(opened->read(0, content));
}

TEST(StreamFile, RejectsStreamsThatExpandTooFar) {
    std::vector<Image> large{{}, {}, Image(200'000'000)};
    const Image file = test::msfz_of(large, packings[1], 200'000'000);
    ASSERT_LT(file.size(), 100'000U);
    const auto opened = StreamFile::open(file);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::limit);
}

TEST(StreamFile, SurvivesTruncationAnywhere) {
    std::vector<Image> files{test::msf_of(streams())};
    for (const auto& packing : packings) {
        files.push_back(test::msfz_of(streams(), packing));
    }
    for (const Image& file : files) {
        const std::size_t padding = &file == files.data() ? 512 : 16;
        for (std::size_t size = 0; size + padding < file.size(); size += 61) {
            const auto opened = StreamFile::open(test::truncate_at(file, size));
            EXPECT_FALSE(opened) << "the directory is at the end";
        }
    }
}

} // namespace
} // namespace etl::symbols::stream_file_test
