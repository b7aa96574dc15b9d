#include "base/layout.hpp"
#include "base/limits.hpp"
#include "tests/support/counting_new.hpp"
#include "tests/support/folders.hpp"
#include "tests/unit/storage/trace/packed_traces.hpp"
#include "trace/inputs.hpp"
#include "trace/limits.hpp"
#include "trace/summary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
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
         std::filesystem::directory_iterator(test::source_dir() + "/corpus/good")) {
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

using namespace test;
using io::Container;

class DamagedContainers : public testing::TestWithParam<ContainerCase> {
protected:
    PackedImage packed(const Image& plain) const { return GetParam().pack(plain); }
};

INSTANTIATE_TEST_SUITE_P(PackedTrace, DamagedContainers, container_cases, name_of_case);

TEST_P(DamagedContainers, ReadOnWhenAnyByteOfAFrameIsDamaged) {
    const PackedImage container = packed(busy_trace());
    const Reading whole = read(container.file);
    const io::Frame& frame = container.frames[9];
    for (std::uint32_t at = 0; at < frame.packed_size; at += at < 100 ? 1 : 37) {
        const Reading reading = read(flip(container.file, frame.where.value + at));
        ASSERT_FALSE(reading.error) << at;
        EXPECT_GT(reading.damage, 0U) << at;
        const auto others = [&](const Reading& from) {
            return std::ranges::count_if(from.events, [&](const Seen& event) {
                return from.buffers[event.buffer].where != whole.buffers[9].where;
            });
        };
        EXPECT_EQ(others(reading), others(whole)) << at;
        const bool names_frame =
            std::ranges::any_of(reading.findings, [&](const Diagnostic& finding) {
                return finding.packed && finding.packed->value >= frame.where.value &&
                       finding.packed->value <= frame.where.value + frame.packed_size;
            });
        EXPECT_TRUE(names_frame) << at;
    }
}

TEST_P(DamagedContainers, GiveWhatContradictsItsChecksumAsItIs) {
    const PackedImage container = packed(busy_trace());
    const io::Frame& frame = container.frames[9];
    const Reading reading = read(flip(container.file, frame.where.value + frame.packed_size - 1));
    EXPECT_EQ(reading.ids().size(), 24U * 60U);
    EXPECT_EQ(reading.damage, 1U);
    EXPECT_TRUE(reading.found("checksum mismatch"));
}

TEST_P(DamagedContainers, AreReadUpToTheCut) {
    const PackedImage container = packed(busy_trace());
    const Reading whole = read(container.file, {.order = Order::file});
    for (std::size_t i = 1; i < container.frames.size(); ++i) {
        const std::size_t edge = container.frames[i].where.value;
        for (const std::size_t size : {edge - 1, edge, edge + 1, edge + 15, edge + 60, edge + 95,
                                       edge + container.frames[i].packed_size / 2}) {
            const Reading reading = read(truncate_at(container.file, size), {.order = Order::file});
            if (i == 1 && size < edge) {
                continue; // not even the header buffer is whole
            }
            ASSERT_FALSE(reading.error) << size;
            const std::size_t whole_frames = size < edge ? i - 1 : i;
            ASSERT_GE(reading.events.size(), 1 + 60 * (whole_frames - 1)) << size;
            ASSERT_LE(reading.events.size(), 1 + 60 * whole_frames) << size;
            EXPECT_TRUE(
                std::equal(reading.events.begin(), reading.events.end(), whole.events.begin()))
                << size;
            // The cut, and that buffers are missing, unless a part of the last one is left.
            EXPECT_GE(reading.damage, 1U) << size;
            EXPECT_LE(reading.damage, size == edge ? 1U : 2U) << size;
        }
    }
}

TEST_P(DamagedContainers, StepOverFramesThatAreNone) {
    const PackedImage container = packed(busy_trace());
    const Reading whole = read(container.file);
    const io::Frame& frame = container.frames[9];
    const Reading reading =
        read(overwrite(container.file, frame.where.value, Image(frame.packed_size)));
    EXPECT_EQ(reading.ids().size(), 23U * 60U);
    ASSERT_EQ(reading.damage, 2U); // the frame, and that its buffer is missing
    EXPECT_EQ(reading.findings[0].where, whole.buffers[9].where);
    EXPECT_EQ(reading.findings[0].packed, frame.where);
    EXPECT_EQ(reading.findings[0].bytes_skipped, 0x4000U);
    EXPECT_EQ(reading.buffers.back().where, whole.buffers.back().where);
}

class DamagedKinds : public testing::TestWithParam<Container> {};

INSTANTIATE_TEST_SUITE_P(PackedTrace, DamagedKinds, container_kinds, name_of_kind);

TEST_P(DamagedKinds, DoNotBelieveATableThatFramesContradict) {
    const Image plain = busy_trace();
    const PackedImage right = pack(plain, GetParam(), SeekTable::none);
    std::vector<io::Frame> wrong = right.frames;
    const auto with_table = [&](std::span<const io::Frame> frames) {
        Image file = right.file;
        io::encode_seek_table(GetParam(), sizes_of(frames), file);
        return file;
    };
    // Sizes of contents, then sizes of frames, then one frame too few.
    wrong[3].content_size += 512;
    expect_same(read(plain), read(with_table(wrong)));
    wrong = right.frames;
    wrong[3].packed_size += 7;
    wrong[4].packed_size -= 7;
    expect_same(read(plain), read(with_table(wrong)));
    wrong = right.frames;
    wrong[3].packed_size += wrong[4].packed_size;
    wrong[3].content_size += wrong[4].content_size;
    wrong.erase(wrong.begin() + 4);
    expect_same(read(plain), read(with_table(wrong)));
}

TEST_P(DamagedKinds, ReadWhatAKilledWriterLeft) {
    // The header buffer is as it was at the start; there is no table.
    TraceFacts facts;
    facts.end_time.reset();
    facts.buffers_written = 0;
    TraceBuilder trace(facts);
    trace.buffer().add(format::EventRecord{.time = 2'000'000, .descriptor = {.id = 7}});
    const Image plain = trace.build();
    const PackedImage container = pack(plain, GetParam(), SeekTable::none);
    const Reading reading = read(container.file);
    EXPECT_TRUE(reading.info.is_unfinalized);
    expect_same(read(plain), reading);
}

TEST_P(DamagedKinds, TellOfTheRestWhenThereIsTooMuchDamage) {
    const PackedImage container = pack(busy_trace(), GetParam(), SeekTable::none);
    const io::Frame& second = container.frames[1];
    Image file = truncate_at(container.file, second.where.value);
    for (std::size_t i = 0; i < trace::limits::damaged_places + 10; ++i) {
        file = append(std::move(file), Bytes(container.file).subspan(second.where.value, 100));
    }
    const Reading reading = read(file);
    EXPECT_EQ(reading.buffers.size(), 1 + trace::limits::damaged_places);
    EXPECT_TRUE(reading.found("missing container frame"));
}

// Only the table knows how many frames there were.
TEST_P(DamagedKinds, TellOfEachOfTheFramesThatAreLostTogether) {
    const Image plain = busy_trace();
    const PackedImage container = pack(plain, GetParam());
    const Reading whole = read(container.file);
    const std::uint64_t from = container.frames[9].where.value;
    const Image file =
        overwrite(container.file, from, Image(container.frames[12].where.value - from));
    const Reading reading = read(file);
    EXPECT_EQ(reading.damage, 4U); // each frame, and that their buffers are missing
    EXPECT_EQ(reading.ids().size(), 21U * 60U);
    ASSERT_EQ(reading.buffers.size(), 22U);
    for (std::size_t i = 9; i < 22; ++i) {
        EXPECT_EQ(reading.buffers[i].where, whole.buffers[i + 3].where);
    }
}

// A table that lists frames where none are: each entry takes eight bytes, and the finding of it
// more.
TEST_P(DamagedKinds, DoNotBelieveATableOfNothing) {
    const PackedImage container = pack(busy_trace(), GetParam(), SeekTable::none);
    for (const std::uint32_t size : {0U, 24U}) {
        Image file = container.file;
        std::vector<io::FrameSizes> sizes = sizes_of(container.frames);
        const std::size_t lies = trace::limits::damaged_places + 100;
        sizes.insert(sizes.end(), lies, {.packed = size, .content = etl::limits::buffer_bytes});
        file.resize(file.size() + lies * size, std::byte{0xFF});
        io::encode_seek_table(GetParam(), sizes, file);
        const Reading reading = read(file);
        EXPECT_EQ(reading.ids().size(), 24U * 60U);
        EXPECT_LE(reading.findings.size(), 1U);
        EXPECT_EQ(reading.info.container.frames, size == 0 ? 25U : 26U);
    }
}

TEST_P(DamagedKinds, AreNoTraceWhenHardlyAnyFrameIsABuffer) {
    const Image one = encode_frame(GetParam(), Image(1), 1);
    const Image buffers = pack(busy_trace(), GetParam(), SeekTable::none).file;
    const Image file = repeat(buffers, one, trace::limits::damaged_places + 100);
    EXPECT_TRUE(begins_packed_trace(file));
    EXPECT_TRUE(packed_trace(file).is_none());
    const Reading reading = read(file);
    ASSERT_TRUE(reading.error);
    EXPECT_EQ(reading.error->code, ErrorCode::not_a_trace);
    EXPECT_NE(std::string_view(reading.error->what).find("frame"), std::string_view::npos);
}

using namespace test;
using io::Container;

std::size_t events_of(Reader& reader) {
    std::size_t events = 0;
    for (flow::Run run = reader.next_run(); !run.empty(); run = reader.next_run()) {
        events += run.size();
    }
    return events;
}

TEST(PackedTraceMemory, IsThatOfAFewBuffers) {
    if (!can_count_allocations()) {
        GTEST_SKIP() << "allocations cannot be counted under this sanitizer";
    }
    for (const unsigned threads : {1U, 4U}) {
        std::array<std::size_t, 2> peaks{};
        for (const int buffers : {40, 400}) {
            TraceFacts facts;
            facts.processors = 4;
            facts.buffer_size = 0x10000;
            TraceBuilder trace(facts);
            for (int i = 0; i < buffers; ++i) {
                auto& buffer = trace.buffer({.processor = static_cast<std::uint16_t>(i % 4)});
                for (int k = 0; k < 500; ++k) {
                    buffer.add(format::EventRecord{.time = 1000 * (i / 4) + k});
                }
            }
            const auto file = in_memory(pack(trace.build(), Container::zstd).file);
            const std::size_t before = allocations().live;
            reset_peak();
            auto reader = Reader::open(file, {.threads = threads});
            ASSERT_TRUE(reader);
            EXPECT_EQ(events_of(**reader), 1U + 500U * static_cast<unsigned>(buffers));
            peaks[buffers == 40 ? 0 : 1] = allocations().peak - before;
        }
        // The plain buffers have 26 MB. How many threads ever unpack at one time is chance, and
        // each has tables of its own.
        EXPECT_LT(peaks[1], peaks[0] + 2'000'000) << threads;
    }
}

TEST(PackedTraceMemory, IsNotThatOfFill) {
    if (!can_count_allocations()) {
        GTEST_SKIP() << "allocations cannot be counted under this sanitizer";
    }
    // 8 processors with buffers of 16 MB, and a hundred records in each.
    TraceFacts facts;
    facts.processors = 8;
    facts.buffer_size = 16U << 20U;
    TraceBuilder trace(facts);
    for (std::uint16_t i = 0; i < 8; ++i) {
        auto& buffer = trace.buffer({.processor = i});
        for (int k = 0; k < 100; ++k) {
            buffer.add(format::EventRecord{.time = 1000 * i + k});
        }
    }
    const auto file = in_memory(pack(trace.build(), Container::zstd).file);
    auto reader = Reader::open(file);
    ASSERT_TRUE(reader);
    const std::size_t before = allocations().live;
    reset_peak();
    EXPECT_EQ(events_of(**reader), 1U + 800U);
    EXPECT_LT(allocations().peak - before, 18U << 20U); // one buffer at a time is unpacked
}

TEST(PackedTraceMemory, IsBoundedWhenFramesClaimMore) {
    // Frames of 16 MB in a few hundred bytes each, for more processors than any real trace.
    TraceFacts facts;
    facts.processors = 80;
    facts.buffer_size = 16U << 20U;
    TraceBuilder trace(facts);
    trace.buffer({.used = 16U << 20U}).add(format::EventRecord{.time = 2'000'000});
    const Image plain = trace.build();
    const PackedImage two = pack(plain, Container::zstd, SeekTable::none);
    const Bytes frame = Bytes(two.file).subspan(two.frames[1].where.value);
    Image file(two.file.begin(), two.file.end() - static_cast<std::ptrdiff_t>(frame.size()));
    for (std::uint16_t i = 0; i < 80; ++i) {
        Image next(frame.begin(), frame.end());
        const std::size_t head = io::stored_offset(Container::zstd);
        store_le<std::uint16_t>(next.data() + head + 0x28, i); // the processor
        file = append(std::move(file), next);
    }
    DiagnosticList findings;
    auto reader = Reader::open(in_memory(file), {.diagnostics = &findings});
    ASSERT_TRUE(reader);
    std::uint64_t claims = 0;
    for (const BufferEntry& entry : (*reader)->buffers()) {
        claims += entry.used;
    }
    EXPECT_LE(claims, trace::limits::inflated_bytes);
    EXPECT_EQ((*reader)->damage(), 81U); // and BuffersWritten is wrong
    if (can_count_allocations()) {
        const std::size_t before = allocations().live;
        reset_peak();
        EXPECT_GT(events_of(**reader), 80U);
        EXPECT_LT(allocations().peak - before, 64U << 20U); // one at a time is unpacked as a whole
    }
}

// Compressed buffers that say nothing are unpacked as far as a buffer of the session reaches.
TEST(PackedTraceMemory, IsBoundedWhenFramesClaimNothing) {
    constexpr std::uint32_t processors = 80;
    Image content = truncate_at(busy_trace(codec::Format::xpress), format::buffer_header::size);
    store_le<std::uint16_t>(content.data() + format::buffer_header::buffer_flag.offset,
                            format::buffer_flag::processor_index | format::buffer_flag::compressed);
    store_le<std::uint32_t>(content.data() + format::buffer_header::offset.offset, 0);
    store_le<std::uint32_t>(content.data() + format::buffer_header::saved_offset.offset, 0);
    content.resize(1000);
    store_le<std::uint32_t>(content.data(), 1000);
    Image file = first_frame(pack(busy_trace(), Container::zstd));
    for (std::uint16_t i = 0; i < processors; ++i) {
        store_le<std::uint16_t>(content.data() + 0x28, i);
        file = append(std::move(file),
                      encode_frame(Container::zstd, content, format::buffer_header::size));
    }
    const BufferIndex index =
        index_frames(packed_trace(file), {.buffer_size = etl::limits::buffer_bytes});
    ASSERT_EQ(index.entries.size(), 1 + processors);
    std::uint64_t claims = 0;
    for (const BufferEntry& entry : index.entries) {
        claims += entry.used;
        EXPECT_NE(entry.used, 0U);
    }
    EXPECT_LE(claims, trace::limits::inflated_bytes);
}

} // namespace

} // namespace etl::trace::packed_trace_test
