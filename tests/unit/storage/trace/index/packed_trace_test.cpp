#include "tests/unit/storage/trace/packed_traces.hpp"
#include "trace/inputs.hpp"
#include "trace/summary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace etl::trace::packed_trace_test {
namespace {

using namespace test;
using io::Container;

constexpr std::size_t stored = format::buffer_header::size;

class Containers : public testing::TestWithParam<ContainerCase> {
protected:
    PackedImage packed(const Image& plain) const { return GetParam().pack(plain); }
};

INSTANTIATE_TEST_SUITE_P(PackedTrace, Containers, container_cases, name_of_case);

TEST_P(Containers, GiveTheSameAsThePlainTrace) {
    for (const auto compression : {codec::Format::none, codec::Format::xpress}) {
        const Image plain = busy_trace(compression);
        const PackedImage container = packed(plain);
        for (const auto order : {Order::time, Order::file, Order::buffers}) {
            for (const unsigned threads : {1U, 4U}) {
                expect_same(read(plain, {.order = order}),
                            read(container.file, {.order = order, .threads = threads}));
            }
        }
    }
}

Image contents(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> text{std::istreambuf_iterator<char>(file), {}};
    const Bytes bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

TEST_P(Containers, GiveTheSameForEverySampleTrace) {
    int samples = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(ETL_SOURCE_DIR) + "/corpus/good")) {
        if (entry.path().extension() != ".etl") {
            continue;
        }
        SCOPED_TRACE(entry.path().filename());
        const Image plain = contents(entry.path());
        const Reading there = read(plain);
        std::vector<Place> buffers;
        for (const BufferEntry& buffer : there.buffers) {
            buffers.push_back({buffer.where.value, buffer.disk_size});
        }
        ASSERT_FALSE(buffers.empty());
        if (buffers.back().offset + buffers.back().size == plain.size()) {
            expect_same(there, read(pack(plain, buffers, GetParam().kind, GetParam().table).file));
            ++samples;
        }
    }
    EXPECT_GT(samples, 10);
}

TEST_P(Containers, TellOfTheirFrames) {
    const Image plain = busy_trace();
    const PackedImage container = packed(plain);
    const Reading reading = read(container.file);
    EXPECT_EQ(reading.info.container.name, container_name(GetParam().kind));
    EXPECT_EQ(reading.info.container.frames, 25U);
    EXPECT_EQ(reading.info.container.size, container.file.size());
    EXPECT_EQ(read(plain).info.container.name, "");
    for (std::size_t i = 0; i < reading.buffers.size(); ++i) {
        EXPECT_EQ(reading.buffers[i].packed_where, container.frames[i].where);
        EXPECT_EQ(reading.buffers[i].packed_size, container.frames[i].packed_size);
    }
}

TEST_P(Containers, AreVisitedInParallel) {
    const PackedImage container = packed(busy_trace());
    auto reader = Reader::open(in_memory(container.file));
    ASSERT_TRUE(reader);
    EXPECT_EQ(summarize(**reader, 4).events, 1U + 24 * 60);
}

TEST_P(Containers, KeepFindingsOfThePlainTraceWhereTheyAre) {
    Image plain = busy_trace();
    const auto buffers = buffers_of(plain);
    plain = flip(plain, buffers[5].offset + stored + 3); // the marker of the first record
    plain = overwrite(plain, buffers[7].offset, Image(4));
    const Reading there = read(plain);
    EXPECT_EQ(there.damage, 2U);
    const auto container = pack(plain, buffers, GetParam().kind, GetParam().table);
    expect_same(there, read(container.file));
}

class ForeignFrames : public testing::TestWithParam<Container> {
protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() /
                  ("etl-packed-trace-" + std::to_string(::getpid()));
        std::filesystem::create_directories(folder_);
    }

    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::string put(const Image& image) {
        const auto path = folder_ / "x.etl.packed";
        std::ofstream out(path, std::ios::binary | std::ios::trunc);
        for (const std::byte byte : image) {
            out.put(static_cast<char>(byte));
        }
        return path.string();
    }

    std::filesystem::path folder_;
};

INSTANTIATE_TEST_SUITE_P(PackedTrace, ForeignFrames, container_kinds, name_of_kind);

TEST_P(ForeignFrames, AreUnpackedAsAWhole) {
    const Image plain = busy_trace();
    const auto buffers = buffers_of(plain);
    const std::vector<Place> all{{0, plain.size()}};
    std::vector<Place> pairs{buffers[0]}, halves{buffers[0]};
    for (std::size_t i = 1; i < buffers.size(); i += 2) {
        pairs.push_back({buffers[i].offset, buffers[i].size * 2});
    }
    for (std::size_t i = 1; i < buffers.size(); ++i) {
        halves.push_back({buffers[i].offset, buffers[i].size / 2});
        halves.push_back({buffers[i].offset + buffers[i].size / 2, buffers[i].size / 2});
    }
    for (const auto& pieces : {all, pairs, halves}) {
        const PackedImage container = pack(plain, pieces, GetParam(), SeekTable::right);
        EXPECT_TRUE(packed_trace(container.file).is_none());
        const Inputs inputs = open_inputs({put(container.file)});
        ASSERT_EQ(inputs.files.size(), 1U);
        EXPECT_TRUE(inputs.problems.empty());
        EXPECT_TRUE(std::ranges::equal(inputs.files[0]->bytes(), plain));
    }
}

// What follows is not looked at twice.
TEST_P(ForeignFrames, AreToldByTheFirstOnes) {
    const Image plain = busy_trace();
    const Image buffers = pack(plain, GetParam(), SeekTable::none).file;
    const Image other = encode_frame(GetParam(), noise(1000), stored);
    EXPECT_TRUE(begins_packed_trace(buffers));
    EXPECT_TRUE(begins_packed_trace(repeat(buffers, other, 100)));
    const Image first = first_frame(pack(plain, GetParam()));
    EXPECT_TRUE(begins_packed_trace(first));
    EXPECT_FALSE(begins_packed_trace(repeat(first, other, 100)));
    EXPECT_FALSE(begins_packed_trace(other));
    const Image file = repeat(buffers, other, 100);
    const Inputs inputs = open_inputs({put(file)});
    ASSERT_EQ(inputs.files.size(), 1U);
    EXPECT_TRUE(std::ranges::equal(inputs.files[0]->bytes(), file));
}

TEST_P(ForeignFrames, AreTheOnlyOnesThatNeedRoomOnTheDisk) {
    const std::string path = put(pack(busy_trace(), GetParam()).file);
    ASSERT_EQ(::setenv("TMPDIR", "/nonexistent", 1), 0);
    const Inputs inputs = open_inputs({path}, {.max_unpacked = 1});
    ASSERT_EQ(::unsetenv("TMPDIR"), 0);
    ASSERT_EQ(inputs.files.size(), 1U);
    EXPECT_TRUE(inputs.problems.empty());
    auto reader = Reader::open(inputs.files[0]);
    ASSERT_TRUE(reader);
    EXPECT_EQ((*reader)->info().container.frames, 25U);
}

TEST(PackedTrace, OfSomethingElseIsNone) {
    EXPECT_TRUE(packed_trace({}).is_none());
    EXPECT_TRUE(packed_trace(busy_trace()).is_none());
    Image text;
    auto encoder = io::FrameEncoder::create(Container::zstd);
    ASSERT_TRUE(encoder->encode(noise(5000), stored, text));
    EXPECT_TRUE(packed_trace(text).is_none());
}

} // namespace
} // namespace etl::trace::packed_trace_test
