#include "base/layout.hpp"
#include "base/limits.hpp"
#include "tests/unit/storage/trace/packed_traces.hpp"
#include "trace/limits.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace etl::trace::packed_trace_damage_test {
namespace {

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
    for (std::size_t i = 0; i < limits::damaged_places + 10; ++i) {
        file = append(std::move(file), Bytes(container.file).subspan(second.where.value, 100));
    }
    const Reading reading = read(file);
    EXPECT_EQ(reading.buffers.size(), 1 + limits::damaged_places);
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
        const std::size_t lies = limits::damaged_places + 100;
        sizes.insert(sizes.end(), lies, {.packed = size, .content = limits::buffer_bytes});
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
    const Image file = repeat(buffers, one, limits::damaged_places + 100);
    EXPECT_TRUE(begins_packed_trace(file));
    EXPECT_TRUE(packed_trace(file).is_none());
    const Reading reading = read(file);
    ASSERT_TRUE(reading.error);
    EXPECT_EQ(reading.error->code, ErrorCode::not_a_trace);
    EXPECT_NE(std::string_view(reading.error->what).find("frame"), std::string_view::npos);
}

} // namespace
} // namespace etl::trace::packed_trace_damage_test
