#include "allocations.hpp"

#include <etl/base/limits.hpp>
#include <etl/trace/inputs.hpp>
#include <etl/trace/summary.hpp>

#include "tests/support/packed_image.hpp"
#include "tests/support/reading.hpp"
#include "trace/packed_trace.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace etl::trace {
namespace {

using namespace test;
using io::Container;

constexpr std::size_t stored = format::buffer_header::size;

/// Four processors, 24 buffers; the payloads are partly noise, so that frames have both kinds of
/// blocks.
Image busy_trace(codec::Format compression = codec::Format::none) {
    TraceFacts facts;
    facts.lineage = compression == codec::Format::none ? Lineage::session : Lineage::relogger;
    facts.reference_time = 0;
    facts.processors = 4;
    facts.buffer_size = 0x4000;
    TraceBuilder trace(facts);
    for (std::uint16_t i = 0; i < 24; ++i) {
        auto& buffer = trace.buffer(
            {.processor = static_cast<std::uint16_t>(i % 4), .compression = compression});
        for (std::uint16_t k = 0; k < 60; ++k) {
            const Image payload = noise(40, i * 100U + k);
            buffer.add(format::EventRecord{.time = 1000 * (i / 4) + 10 * k + i % 4,
                                           .id = static_cast<std::uint16_t>(i * 100 + k),
                                           .payload = payload});
        }
    }
    return trace.build();
}

Image append(Image to, Bytes more) {
    to.insert(to.end(), more.begin(), more.end());
    return to;
}

struct Case {
    Container kind;
    SeekTable table;
};

class Containers : public testing::TestWithParam<Case> {
protected:
    PackedImage packed(const Image& plain) const {
        return pack(plain, GetParam().kind, GetParam().table);
    }
};

std::string name_of(const testing::TestParamInfo<Case>& info) {
    return std::string(container_name(info.param.kind)) +
           (info.param.table == SeekTable::right ? "" : "_without_table");
}

INSTANTIATE_TEST_SUITE_P(PackedTrace, Containers,
                         testing::Values(Case{Container::zstd, SeekTable::right},
                                         Case{Container::zstd, SeekTable::none},
                                         Case{Container::lz4, SeekTable::right},
                                         Case{Container::lz4, SeekTable::none}),
                         name_of);

void expect_same(const Reading& one, const Reading& other) {
    EXPECT_FALSE(other.error);
    EXPECT_EQ(one.events, other.events);
    EXPECT_EQ(one.damage, other.damage);
    ASSERT_EQ(one.findings.size(), other.findings.size());
    for (std::size_t i = 0; i < one.findings.size(); ++i) {
        EXPECT_STREQ(one.findings[i].what, other.findings[i].what);
        EXPECT_EQ(one.findings[i].where, other.findings[i].where);
        EXPECT_EQ(one.findings[i].buffer, other.findings[i].buffer);
        EXPECT_EQ(one.findings[i].offset, other.findings[i].offset);
        EXPECT_EQ(one.findings[i].bytes_skipped, other.findings[i].bytes_skipped);
    }
    ASSERT_EQ(one.buffers.size(), other.buffers.size());
    for (std::size_t i = 0; i < one.buffers.size(); ++i) {
        EXPECT_EQ(one.buffers[i].where, other.buffers[i].where);
        EXPECT_EQ(one.buffers[i].disk_size, other.buffers[i].disk_size);
        EXPECT_EQ(one.buffers[i].used, other.buffers[i].used);
        EXPECT_EQ(one.buffers[i].run, other.buffers[i].run);
    }
    EXPECT_EQ(one.info.file_size, other.info.file_size);
    EXPECT_EQ(one.info.has_header, other.info.has_header);
    EXPECT_EQ(one.info.header.session_name, other.info.header.session_name);
}

TEST_P(Containers, GiveTheSameAsThePlainTrace) {
    for (const auto compression : {codec::Format::none, codec::Format::xpress}) {
        const Image plain = busy_trace(compression);
        const PackedImage container = packed(plain);
        for (const auto order : {Order::time, Order::file}) {
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
    EXPECT_EQ(reading.info.packing.container, container_name(GetParam().kind));
    EXPECT_EQ(reading.info.packing.frames, 25U);
    EXPECT_EQ(reading.info.packing.size, container.file.size());
    EXPECT_EQ(read(plain).info.packing.container, "");
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

TEST_P(Containers, ReadOnWhenAnyByteOfAFrameIsDamaged) {
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

TEST_P(Containers, GiveWhatContradictsItsChecksumAsItIs) {
    const PackedImage container = packed(busy_trace());
    const io::Frame& frame = container.frames[9];
    const Reading reading = read(flip(container.file, frame.where.value + frame.packed_size - 1));
    EXPECT_EQ(reading.ids().size(), 24U * 60U);
    EXPECT_EQ(reading.damage, 1U);
    EXPECT_TRUE(reading.found("contradict their checksum"));
}

TEST_P(Containers, AreReadUpToTheCut) {
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
            EXPECT_EQ(reading.damage, size == edge ? 0U : 1U) << size;
        }
    }
}

TEST_P(Containers, StepOverFramesThatAreNone) {
    const PackedImage container = packed(busy_trace());
    const Reading whole = read(container.file);
    const io::Frame& frame = container.frames[9];
    const Reading reading =
        read(overwrite(container.file, frame.where.value, Image(frame.packed_size)));
    EXPECT_EQ(reading.ids().size(), 23U * 60U);
    ASSERT_EQ(reading.damage, 1U);
    EXPECT_EQ(reading.findings[0].where, whole.buffers[9].where);
    EXPECT_EQ(reading.findings[0].packed, frame.where);
    EXPECT_EQ(reading.findings[0].bytes_skipped, 0x4000U);
    EXPECT_EQ(reading.buffers.back().where, whole.buffers.back().where);
}

class Kinds : public testing::TestWithParam<Container> {};

INSTANTIATE_TEST_SUITE_P(PackedTrace, Kinds, testing::Values(Container::zstd, Container::lz4),
                         [](const auto& each) { return std::string(container_name(each.param)); });

TEST_P(Kinds, DoNotBelieveATableThatFramesContradict) {
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

TEST_P(Kinds, ReadWhatAKilledWriterLeft) {
    // The header buffer is as it was at the start; there is no table.
    TraceFacts facts;
    facts.end_time.reset();
    facts.buffers_written = 0;
    TraceBuilder trace(facts);
    trace.buffer().add(format::EventRecord{.time = 2'000'000, .id = 7});
    const Image plain = trace.build();
    const PackedImage container = pack(plain, GetParam(), SeekTable::none);
    const Reading reading = read(container.file);
    EXPECT_TRUE(reading.info.unfinished);
    expect_same(read(plain), reading);
}

class ForeignFrames : public Kinds {
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

INSTANTIATE_TEST_SUITE_P(PackedTrace, ForeignFrames,
                         testing::Values(Container::zstd, Container::lz4),
                         [](const auto& each) { return std::string(container_name(each.param)); });

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

TEST_P(ForeignFrames, AreTheOnlyOnesThatNeedRoomOnTheDisk) {
    const std::string path = put(pack(busy_trace(), GetParam()).file);
    ASSERT_EQ(::setenv("TMPDIR", "/nonexistent", 1), 0);
    const Inputs inputs = open_inputs({path}, {.max_unpacked = 1});
    ASSERT_EQ(::unsetenv("TMPDIR"), 0);
    ASSERT_EQ(inputs.files.size(), 1U);
    EXPECT_TRUE(inputs.problems.empty());
    auto reader = Reader::open(inputs.files[0]);
    ASSERT_TRUE(reader);
    EXPECT_EQ((*reader)->info().packing.frames, 25U);
}

TEST_P(Kinds, TellOfTheRestWhenThereIsTooMuchDamage) {
    const PackedImage container = pack(busy_trace(), GetParam(), SeekTable::none);
    const io::Frame& second = container.frames[1];
    Image file = truncate_at(container.file, second.where.value);
    for (std::size_t i = 0; i < limits::damaged_places + 10; ++i) {
        file = append(std::move(file), Bytes(container.file).subspan(second.where.value, 100));
    }
    const Reading reading = read(file);
    EXPECT_EQ(reading.buffers.size(), 1 + limits::damaged_places);
    EXPECT_TRUE(reading.found("no frame of the container here"));
}

TEST(PackedTrace, OfSomethingElseIsNone) {
    EXPECT_TRUE(packed_trace({}).is_none());
    EXPECT_TRUE(packed_trace(busy_trace()).is_none());
    Image text;
    auto encoder = io::FrameEncoder::create(Container::zstd);
    ASSERT_TRUE(encoder->encode(noise(5000), stored, text));
    EXPECT_TRUE(packed_trace(text).is_none());
}

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
        EXPECT_LT(peaks[1], peaks[0] + 200'000) << threads; // the plain buffers have 26 MB
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
    EXPECT_LE(claims, limits::inflated_bytes);
    EXPECT_EQ((*reader)->damage(), 80U);
}

} // namespace
} // namespace etl::trace
