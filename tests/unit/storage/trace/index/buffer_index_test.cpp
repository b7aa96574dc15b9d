// Buffers of files that are not compressed.
#include "base/limits.hpp"
#include "io/input_file.hpp"
#include "tests/support/damage.hpp"
#include "tests/unit/storage/trace/index/indexed.hpp"
#include "trace/index/buffer_index.hpp"
#include "trace/limits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace etl::trace::buffer_index_test {
namespace {

using namespace test;
using testing::ElementsAre;

constexpr std::uint32_t size = 0x1000;

// A header buffer and data buffers 1..count, of 4 KB each.
Image plain(int count, TraceFacts facts = {}) {
    facts.buffer_size = size;
    TraceBuilder trace(facts);
    for (int i = 1; i <= count; ++i) {
        trace.buffer({.processor = static_cast<std::uint16_t>(i % 2)})
            .add(format::EventRecord{.time = i,
                                     .descriptor = {.id = static_cast<std::uint16_t>(i)}});
    }
    return trace.build();
}

constexpr IndexHints plain_hints{.buffer_size = size, .log_file_mode = 1};

TEST(BufferIndex, FindsEveryBuffer) {
    const Image file = plain(3);
    const BufferIndex index = index_buffers(file, plain_hints);
    EXPECT_THAT(sequences(index), ElementsAre(0, 1, 2, 3));
    EXPECT_TRUE(index.findings.empty());
    const BufferEntry& second = index.entries[2];
    EXPECT_EQ(second.where.value, 2 * size);
    EXPECT_EQ(second.disk_size, size);
    EXPECT_EQ(second.used, 0x48U + 0x50U);
    EXPECT_EQ(second.processor, 0U);
    EXPECT_EQ(second.logger_id, 5U);
    EXPECT_EQ(second.flags, format::buffer_flag::processor_index);
    EXPECT_EQ(index.entries[0].type, format::BufferType::header);
}

TEST(BufferIndex, IsTheSameIfHeadersAreReadFromTheFile) {
    const Image zeros(2 * size);
    const Image whole = plain(5);
    for (const Image& image :
         {whole, insert_garbage(whole, 2, 100), insert_garbage(whole, 2, 2 * size),
          grow_size(whole, 0, 64), grow_size(whole, 2, 8), grow_size(whole, 5, -8),
          overwrite(whole, 2 * size, noise(72)), overwrite(whole, 2 * size, zeros),
          Image(whole.begin(), whole.end() - 100), Image(whole.begin(), whole.end() - size + 60)}) {
        const auto file = io::InputFile::from_memory(image, "made");
        for (const IndexHints& hints : {plain_hints, IndexHints{}}) {
            const BufferIndex mapped = index_buffers(file->bytes(), hints);
            const BufferIndex read = index_buffers(file->bytes(), hints, file.get());
            EXPECT_EQ(sequences(read), sequences(mapped));
            ASSERT_EQ(read.findings.size(), mapped.findings.size());
            for (std::size_t i = 0; i < read.findings.size(); ++i) {
                EXPECT_EQ(describe(read.findings[i]), describe(mapped.findings[i]));
            }
        }
    }
}

TEST(BufferIndex, ReportsAHoleThatGarbageOfWholeBuffersLeaves) {
    const Image file = insert_garbage(plain(3), 2, 2 * size);
    const BufferIndex index = index_buffers(file, plain_hints);
    EXPECT_THAT(sequences(index), ElementsAre(0, 1, 2, 3));
    ASSERT_EQ(warnings(index), 1U);
    EXPECT_EQ(index.findings[0].where.value, 2 * size);
    EXPECT_EQ(index.findings[0].bytes_skipped, 2 * size);
}

TEST(BufferIndex, FindsBuffersThatGarbagePushedOffTheGrid) {
    for (const std::size_t garbage : {1U, 7U, 72U, 100U, 4095U, 5000U}) {
        const Image file = insert_garbage(plain(5), 2, garbage);
        const BufferIndex index = index_buffers(file, plain_hints);
        EXPECT_THAT(sequences(index), ElementsAre(0, 1, 2, 3, 4, 5)) << garbage;
        ASSERT_EQ(warnings(index), 1U) << garbage;
        EXPECT_EQ(index.findings[0].bytes_skipped, garbage);
    }
}

TEST(BufferIndex, MendsABufferSizeThatLeadsNowhere) {
    for (const std::int64_t by : {8, 64, 123456, -8, -4000}) {
        const Image file = grow_size(plain(4), 2, by);
        const BufferIndex index = index_buffers(file, plain_hints);
        EXPECT_THAT(sequences(index), ElementsAre(0, 1, 2, 3, 4)) << by;
        EXPECT_EQ(warnings(index), 1U) << by;
    }
}

TEST(BufferIndex, MendsABufferSizeThatIsWild) {
    for (const std::uint32_t wild : {0U, 1U, 71U, 0x1000001U, 0xFFFFFFFFU}) {
        std::array<std::byte, 4> bytes{};
        store_le(bytes.data(), wild);
        const Image file = overwrite(plain(4), 2 * size, bytes);
        const BufferIndex index = index_buffers(file, plain_hints);
        EXPECT_THAT(sequences(index), ElementsAre(0, 1, 2, 3, 4)) << wild;
        EXPECT_EQ(warnings(index), 1U) << wild;
    }
}

TEST(BufferIndex, StepsOverABufferWhoseHeaderIsNoise) {
    const Image file = overwrite(plain(4), 2 * size, noise(72));
    const BufferIndex index = index_buffers(file, plain_hints);
    EXPECT_THAT(sequences(index), ElementsAre(0, 1, 3, 4));
    EXPECT_EQ(warnings(index), 1U);
}

TEST(BufferIndex, StepsOverAHoleOfZeros) {
    const Image zeros(2 * size);
    const Image file = overwrite(plain(5), 2 * size, zeros);
    const BufferIndex index = index_buffers(file, plain_hints);
    EXPECT_THAT(sequences(index), ElementsAre(0, 1, 4, 5));
    ASSERT_EQ(warnings(index), 1U);
    EXPECT_EQ(index.findings[0].bytes_skipped, 2 * size);
}

TEST(BufferIndex, TakesTheSizeThatLeadsOnWhenTheHeaderContradictsItself) {
    const Image file = plain(3);
    EXPECT_THAT(sequences(index_buffers(file, {.buffer_size = 0x2000, .log_file_mode = 1})),
                ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(sequences(index_buffers(grow_size(file, 0, 64), plain_hints)),
                ElementsAre(0, 1, 2, 3));
}

TEST(BufferIndex, TakesZerosAtTheEndForAPreallocatedTail) {
    for (const std::size_t zeros : {size, 16 * size, 16 * size + 100}) {
        const Image file = preallocate(plain(2), zeros);
        const BufferIndex index = index_buffers(file, plain_hints);
        EXPECT_THAT(sequences(index), ElementsAre(0, 1, 2));
        ASSERT_EQ(index.findings.size(), 1U);
        EXPECT_EQ(index.findings[0].severity, Severity::note);
        EXPECT_EQ(index.findings[0].bytes_skipped, zeros);
    }
}

TEST(BufferIndex, ReportsStrayBytesAtTheEnd) {
    const Image file = concatenate(plain(2), noise(10));
    const BufferIndex index = index_buffers(file, plain_hints);
    EXPECT_THAT(sequences(index), ElementsAre(0, 1, 2));
    EXPECT_EQ(warnings(index), 1U);
}

TEST(BufferIndex, ReportsGarbageAtTheEnd) {
    const Image file = concatenate(plain(2), noise(3 * size + 5));
    const BufferIndex index = index_buffers(file, plain_hints);
    EXPECT_THAT(sequences(index), ElementsAre(0, 1, 2));
    ASSERT_EQ(warnings(index), 1U);
    EXPECT_EQ(index.findings[0].bytes_skipped, 3 * size + 5);
}

TEST(BufferIndex, CallsACutLossOnlyWhereRecordsWere) {
    const Image file = plain(2);
    const BufferIndex fill = index_buffers(truncate_at(file, 2 * size + 0x200), plain_hints);
    EXPECT_TRUE(fill.entries.back().is_truncated);
    EXPECT_EQ(warnings(fill), 0U);
    EXPECT_EQ(fill.findings.size(), 1U);
    const BufferIndex records = index_buffers(truncate_at(file, 2 * size + 0x60), plain_hints);
    EXPECT_TRUE(records.entries.back().is_truncated);
    EXPECT_EQ(warnings(records), 1U);
}

TEST(BufferIndex, LimitsTheValidBytesToTheBuffer) {
    TraceBuilder trace({.buffer_size = size});
    trace.buffer({.used = size + 1}).add(format::EventRecord{});
    trace.buffer();
    const BufferIndex index = index_buffers(trace.build(), plain_hints);
    EXPECT_EQ(index.entries[1].used, size);
    EXPECT_EQ(warnings(index), 1U);
}

TEST(BufferIndex, CountsRunsWhereSequenceNumbersStartOver) {
    TraceBuilder trace({.buffer_size = size});
    trace.buffer();
    trace.buffer();
    trace.begin_run().buffer();
    trace.buffer();
    const BufferIndex index = index_buffers(trace.build(), plain_hints);
    EXPECT_EQ(index.entries[1].run, index.entries[2].run);
    EXPECT_EQ(index.entries[3].run, index.entries[2].run + 1);
    EXPECT_EQ(index.entries[4].run, index.entries[3].run);
}

TEST(BufferIndex, SeesOneRunInACircularFileThatWentRound) {
    TraceBuilder trace({.buffer_size = size});
    for (int i = 0; i < 5; ++i) {
        trace.buffer();
    }
    const BufferIndex index = index_buffers(
        trace.wrap(2).build(), {.buffer_size = size, .log_file_mode = format::log_mode::circular});
    EXPECT_THAT(sequences(index), ElementsAre(0, 3, 4, 5, 1, 2));
    for (const BufferEntry& entry : index.entries) {
        EXPECT_EQ(entry.run, 0U);
    }
}

TEST(BufferIndex, TakesTheCodecFromTheHeaderBufferOfARelog) {
    TraceBuilder trace({.lineage = Lineage::relogger, .buffer_size = size});
    trace.buffer({.compression = codec::Format::xpress_huffman}).add(format::EventRecord{});
    EXPECT_EQ(index_buffers(trace.build(), plain_hints).codec, 4U);
}

TEST(BufferIndex, GoesThroughAnyBytes) {
    for (std::uint32_t seed = 1; seed < 20; ++seed) {
        const Image file = noise(20'000, seed);
        const BufferIndex index = index_buffers(file, {});
        std::uint64_t last = 0;
        for (const BufferEntry& entry : index.entries) {
            EXPECT_GE(entry.where.value, last);
            last = entry.where.value + entry.disk_size;
            EXPECT_LE(last, file.size());
        }
    }
}

// A compressed buffer of 16 bytes for `processor` that claims to hold 16 MB.
void append_bomb(Image& file, std::uint16_t processor) {
    std::array<std::byte, format::buffer_header::size + 16> buffer{};
    format::encode(
        {.buffer_size = buffer.size(),
         .used = etl::limits::buffer_bytes,
         .sequence_number = processor + 1,
         .processor = processor,
         .flags = format::buffer_flag::processor_index | format::buffer_flag::compressed},
        std::span(buffer).first<format::buffer_header::size>());
    file.insert(file.end(), buffer.begin(), buffer.end());
}

TEST(BufferIndex, DoubtsClaimsThatAddUpToMoreThanAnyTrace) {
    const IndexHints hints{.buffer_size = etl::limits::buffer_bytes,
                           .log_file_mode = format::log_mode::compressed};
    Image few = plain(0);
    append_bomb(few, 0);
    EXPECT_EQ(index_buffers(few, hints).entries.back().used, etl::limits::buffer_bytes);

    Image many = plain(0);
    for (std::uint16_t processor = 0; processor < 100; ++processor) {
        append_bomb(many, processor);
    }
    const BufferIndex index = index_buffers(many, hints);
    ASSERT_EQ(index.entries.size(), 101U);
    EXPECT_EQ(index.entries.back().used,
              trace::limits::assumed_ratio * index.entries.back().disk_size);
    EXPECT_EQ(warnings(index), 100U);
}

} // namespace
} // namespace etl::trace::buffer_index_test
