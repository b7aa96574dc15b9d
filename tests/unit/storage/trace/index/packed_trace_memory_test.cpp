#include "base/layout.hpp"
#include "base/limits.hpp"
#include "tests/support/counting_new.hpp"
#include "tests/unit/storage/trace/packed_traces.hpp"
#include "trace/limits.hpp"

#include <gtest/gtest.h>

#include <array>

namespace etl::trace::packed_trace_memory_test {
namespace {

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
    EXPECT_LE(claims, limits::inflated_bytes);
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
        index_frames(packed_trace(file), {.buffer_size = limits::buffer_bytes});
    ASSERT_EQ(index.entries.size(), 1 + processors);
    std::uint64_t claims = 0;
    for (const BufferEntry& entry : index.entries) {
        claims += entry.used;
        EXPECT_NE(entry.used, 0U);
    }
    EXPECT_LE(claims, limits::inflated_bytes);
}

} // namespace
} // namespace etl::trace::packed_trace_memory_test
