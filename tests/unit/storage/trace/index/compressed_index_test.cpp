// Buffers of compressed files, which lie at any offset.
#include "tests/support/damage.hpp"
#include "tests/unit/storage/trace/index/indexed.hpp"
#include "trace/index/buffer_index.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::trace::compressed_index_test {
namespace {

using namespace test;
using testing::ElementsAre;

constexpr std::uint32_t size = 0x1000;

class CompressedIndex : public testing::Test {
protected:
    // Buffers of odd sizes: random payloads do not shrink much.
    CompressedIndex()
        : file([] {
              TraceBuilder trace({.lineage = Lineage::relogger, .buffer_size = size});
              for (std::uint16_t i = 1; i <= 5; ++i) {
                  auto& buffer = trace.buffer({.compression = codec::Format::xpress});
                  for (std::uint16_t k = 0; k < i; ++k) {
                      buffer.add(format::EventRecord{
                          .time = i, .descriptor = {.id = i}, .payload = noise(30U + i, i)});
                  }
              }
              return trace.build();
          }()) {}

    Image file;
    IndexHints hints{.buffer_size = size, .log_file_mode = format::log_mode::compressed};
};

TEST_F(CompressedIndex, FindsBuffersAtAnyOffset) {
    const BufferIndex index = index_buffers(file, hints);
    EXPECT_THAT(sequences(index), ElementsAre(0, 1, 2, 3, 4, 5));
    EXPECT_TRUE(std::ranges::any_of(
        index.entries, [](const BufferEntry& entry) { return entry.where.value % 8 != 0; }));
    EXPECT_TRUE(index.findings.empty());
    EXPECT_EQ(index.codec, 3U);
}

TEST_F(CompressedIndex, FindsTheNextBufferBehindGarbage) {
    for (const std::size_t garbage : {1U, 33U, 5000U}) {
        const BufferIndex index = index_buffers(insert_garbage(file, 3, garbage), hints);
        EXPECT_THAT(sequences(index), ElementsAre(0, 1, 2, 3, 4, 5)) << garbage;
        EXPECT_EQ(warnings(index), 1U) << garbage;
    }
}

TEST_F(CompressedIndex, FindsTheNextBufferWhenASizeIsTooLarge) {
    const BufferIndex index = index_buffers(grow_size(file, 2, 57), hints);
    EXPECT_THAT(sequences(index), ElementsAre(0, 1, 2, 3, 4, 5));
    EXPECT_EQ(warnings(index), 1U);
}

TEST_F(CompressedIndex, FindsTheNextBufferWhenASizeIsTooSmall) {
    const BufferIndex index = index_buffers(grow_size(file, 2, -9), hints);
    EXPECT_THAT(sequences(index), ElementsAre(0, 1, 2, 3, 4, 5));
    EXPECT_GE(warnings(index), 1U);
}

TEST_F(CompressedIndex, TrustsTheBuffersMoreThanTheMode) {
    const BufferIndex index =
        index_buffers(insert_garbage(file, 3, 33), {.buffer_size = size, .log_file_mode = 1});
    EXPECT_THAT(sequences(index), ElementsAre(0, 1, 2, 3, 4, 5));
}

/// Buffers of a few KB: payloads of which a third is zeros.
Image compressed_story(codec::Format compression, std::uint16_t buffers) {
    TraceBuilder trace({.lineage = Lineage::relogger, .buffer_size = size});
    for (std::uint16_t i = 1; i <= buffers; ++i) {
        auto& buffer = trace.buffer({.compression = compression});
        for (std::uint16_t k = 0; k < 12; ++k) {
            std::vector<std::byte> payload = noise(20U * (k + 1U), 12U * i + k);
            for (std::size_t at = 0; at < payload.size(); at += 3) {
                payload[at] = std::byte{0};
            }
            buffer.add(format::EventRecord{.time = i, .descriptor = {.id = k}, .payload = payload});
        }
    }
    return trace.build();
}

constexpr auto compressions = {codec::Format::xpress, codec::Format::lznt1,
                               codec::Format::xpress_huffman};

/// As long as nobody looks where it leads, packed bytes may look like a header: a table of the
/// Huffman code is full of zeros. What a killed writer was writing leads nowhere, either.
TEST_F(CompressedIndex, TakesNothingWithinATornBufferForABuffer) {
    for (const codec::Format compression : compressions) {
        const Image packed = compressed_story(compression, 12);
        const BufferIndex whole = index_buffers(packed, hints);
        ASSERT_EQ(whole.entries.size(), 13U);
        std::size_t torn = 0;
        for (std::size_t length = whole.entries[1].where.value; length < packed.size(); ++length) {
            while (torn + 1 < whole.entries.size() &&
                   whole.entries[torn + 1].where.value + format::buffer_header::size <= length) {
                ++torn;
            }
            const BufferIndex index = index_buffers(truncate_at(packed, length), hints);
            ASSERT_EQ(index.entries.size(), torn + 1) << length;
        }
    }
}

TEST_F(CompressedIndex, TakesNothingBeforeAnUnwrittenTailForABuffer) {
    for (const codec::Format compression : compressions) {
        const Image packed = compressed_story(compression, 12);
        const BufferIndex whole = index_buffers(packed, hints);
        for (std::size_t i = 1; i < whole.entries.size(); ++i) {
            Image reserved = truncate_at(packed, whole.entries[i].where.value);
            reserved.resize(reserved.size() + 0x3000);
            const BufferIndex index = index_buffers(reserved, hints);
            EXPECT_EQ(index.entries.size(), i);
            EXPECT_EQ(warnings(index), 0U);
        }
    }
}

TEST_F(CompressedIndex, TakesNothingWithinADestroyedBufferForABuffer) {
    for (const codec::Format compression : compressions) {
        const Image packed = compressed_story(compression, 12);
        const BufferIndex whole = index_buffers(packed, hints);
        for (std::size_t i = 1; i < whole.entries.size(); ++i) {
            const auto where = static_cast<std::size_t>(whole.entries[i].where.value);
            const BufferIndex index =
                index_buffers(overwrite(packed, where, Image(format::buffer_header::size)), hints);
            EXPECT_EQ(index.entries.size(), whole.entries.size() - 1) << i;
        }
    }
}

} // namespace
} // namespace etl::trace::compressed_index_test
