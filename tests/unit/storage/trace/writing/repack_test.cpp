#include "tests/support/damage.hpp"
#include "tests/support/traces/written.hpp"
#include "trace/repack.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::trace::repack_test {
namespace {

using namespace test;
using io::Container;

Image small_trace() {
    TraceBuilder trace({.processors = 2});
    for (std::uint16_t i = 0; i < 20; ++i) {
        auto& buffer = trace.buffer({.processor = static_cast<std::uint16_t>(i % 2)});
        for (std::uint16_t k = 0; k < 30; ++k) {
            buffer.add(
                format::EventRecord{.time = 2'000'000 + i * 100 + k, .descriptor = {.id = k}});
        }
    }
    return trace.build();
}

/// More than one thread takes at once.
Image large_trace() {
    TraceBuilder trace({.buffer_size = 0x10000});
    for (std::uint16_t i = 0; i < 30; ++i) {
        trace.buffer().add(format::EventRecord{.time = 2'000'000 + i, .descriptor = {.id = i}});
    }
    return trace.build();
}

struct Made {
    Result<RepackResult> result{RepackResult{}};
    Image bytes;
};

template <typename Repack>
Made made(Repack repack) {
    io::MemoryFiles files;
    const auto output = files.open("out", io::FileFactory::Open::replace);
    Made made{.result = repack(**output), .bytes = {}};
    made.bytes = files.files().at("out");
    return made;
}

Made packed(const Image& plain, Container kind, unsigned threads = 1) {
    return made([&](io::WritableFile& output) {
        return pack(in_memory(plain), output, kind, {.threads = threads});
    });
}

Made unpacked(const Image& bytes, unsigned threads = 1) {
    return made([&](io::WritableFile& output) {
        return unpack(in_memory(bytes), output, {.threads = threads});
    });
}

class Repack : public testing::TestWithParam<Container> {};

TEST_P(Repack, GivesBackEveryByte) {
    const Image whole = small_trace();
    Image with_noise = whole;
    with_noise.resize(with_noise.size() + 777, std::byte{0x42});
    for (const Image& plain : {whole, truncate_at(whole, whole.size() - 1000), flip(whole, 0x5000),
                               with_noise, truncate_at(whole, 0x1000)}) {
        const Made container = packed(plain, GetParam());
        ASSERT_TRUE(container.result) << describe(container.result.error());
        EXPECT_EQ(container.result->plain_bytes, plain.size());
        EXPECT_EQ(container.result->packed_bytes, container.bytes.size());
        const Made back = unpacked(container.bytes);
        ASSERT_TRUE(back.result) << describe(back.result.error());
        EXPECT_TRUE(back.bytes == plain);
    }
}

TEST_P(Repack, IsReadInPlaceWithTheSameEvents) {
    const Image plain = small_trace();
    const Made container = packed(plain, GetParam());
    const Reading reading = read(container.bytes);
    EXPECT_EQ(reading.info.container.frames, reading.buffers.size());
    EXPECT_EQ(reading.events, read(plain).events);
}

TEST_P(Repack, MakesTheSameFileWithAnyNumberOfThreads) {
    const Image plain = large_trace();
    const Image container = packed(plain, GetParam(), 1).bytes;
    EXPECT_TRUE(container == packed(plain, GetParam(), 3).bytes);
    EXPECT_TRUE(unpacked(container, 1).bytes == plain);
    EXPECT_TRUE(unpacked(container, 3).bytes == plain);
}

TEST_P(Repack, RefusesDamagedContainers) {
    const Image container = packed(small_trace(), GetParam()).bytes;
    EXPECT_FALSE(unpacked(flip(container, container.size() / 2)).result);
    const auto cut = unpacked(truncate_at(container, container.size() / 2)).result;
    EXPECT_FALSE(cut);
}

TEST_P(Repack, WritesWhatPrecedesTheDamage) {
    const Image plain = large_trace();
    const Image container = packed(plain, GetParam()).bytes;
    for (const unsigned threads : {1U, 3U}) {
        const Made back = unpacked(truncate_at(container, container.size() / 2), threads);
        ASSERT_FALSE(back.result);
        EXPECT_EQ(back.result.error().code, ErrorCode::truncated);
        EXPECT_GT(back.bytes.size(), 0x10000U);
        EXPECT_EQ(back.bytes.size() % 0x10000, 0U);
        EXPECT_TRUE(back.bytes == truncate_at(plain, back.bytes.size()));
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Repack, testing::Values(Container::zstd, Container::lz4));

TEST(Repack, RefusesWhatItIsNotMeantFor) {
    const Image plain = small_trace();
    EXPECT_EQ(packed(plain, Container::none).result.error().code, ErrorCode::invalid_option);
    const Image container = packed(plain, Container::zstd).bytes;
    EXPECT_EQ(packed(container, Container::lz4).result.error().code, ErrorCode::invalid_option);
    EXPECT_EQ(packed(Image(5000, std::byte{1}), Container::lz4).result.error().code,
              ErrorCode::not_a_trace);
    EXPECT_EQ(unpacked(plain).result.error().code, ErrorCode::unsupported);
}

TEST_P(Repack, RefusesAContainerWithoutAFrame) {
    std::vector<std::byte> table;
    io::encode_seek_table(GetParam(), {}, table);
    const Made back = unpacked(table);
    EXPECT_FALSE(back.result);
}

TEST(Repack, StopsWhenProgressSaysSo) {
    io::MemoryFiles files;
    const auto output = files.open("out", io::FileFactory::Open::replace);
    const auto result = pack(in_memory(large_trace()), **output, Container::lz4,
                             {.progress = [](double done) { return done < 0.2; }});
    ASSERT_TRUE(result);
    EXPECT_TRUE(result->stopped);
    EXPECT_LT(result->plain_bytes, large_trace().size());
    const Image container = packed(large_trace(), Container::lz4).bytes;
    const auto back = unpack(in_memory(container), **output,
                             {.threads = 2, .progress = [](double) { return false; }});
    ASSERT_TRUE(back);
    EXPECT_TRUE(back->stopped);
    EXPECT_LT(back->plain_bytes, large_trace().size());
}

} // namespace
} // namespace etl::trace::repack_test
