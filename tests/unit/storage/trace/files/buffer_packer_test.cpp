#include "tests/unit/storage/trace/filled.hpp"
#include "trace/files/packing_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::trace::buffer_packer_test {
namespace {

using namespace test;
namespace head = format::buffer_header;

constexpr std::uint32_t size = 0x1000;

/// A buffer of `used` bytes, all of them `byte`, or noise. So is what lies behind them.
FilledBuffer filled(std::uint32_t used, std::optional<std::byte> byte = std::byte{'x'},
                    std::uint32_t room = size) {
    FilledBuffer buffer{.memory = std::make_unique<std::byte[]>(room),
                        .used = used,
                        .processor = 3,
                        .flags = format::buffer_flag::flush_marker,
                        .sequence = 17,
                        .time_stamp = 99};
    std::uint64_t random = 1;
    for (std::uint32_t i = head::size; i < room; ++i) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        buffer.memory[i] = byte.value_or(static_cast<std::byte>(random >> 56U));
    }
    return buffer;
}

LogFileOptions compressed(codec::Format format = codec::Format::xpress) {
    return {.buffer_size = size, .compression = format};
}

/// What lies in the file.
class Packed {
public:
    Packed(FilledBuffer buffer, const LogFileOptions& options,
           const Recording& recording = story_recording())
        : buffer_(std::move(buffer)) {
        auto packer = BufferPacker::create(recording, options);
        EXPECT_TRUE(packer);
        auto packed = packer->pack(buffer_.view(), scratch_);
        EXPECT_TRUE(packed);
        bytes = *packed;
    }

    format::BufferHeaderView head() const {
        return format::BufferHeaderView(bytes.first<head::size>());
    }

    Bytes bytes;

private:
    FilledBuffer buffer_;
    std::vector<std::byte> scratch_;
};

TEST(BufferPacker, CompletesTheHeader) {
    const Packed packed(filled(0x200), {.buffer_size = size});
    EXPECT_EQ(packed.bytes.size(), size);
    EXPECT_EQ(packed.head().buffer_size(), size);
    EXPECT_EQ(packed.head().offset(), 0x200U);
    EXPECT_EQ(packed.head().saved_offset(), 0x200U);
    EXPECT_EQ(packed.head().sequence_number(), 17);
    EXPECT_EQ(packed.head().time_stamp(), 99);
    EXPECT_EQ(packed.head().processor(), 3);
    EXPECT_EQ(packed.head().logger_id(), 5);
    EXPECT_EQ(packed.head().state(), 3U);
    EXPECT_EQ(packed.head().flags(), 0x21);
    EXPECT_EQ(packed.head().type(), format::BufferType::generic);
}

TEST(BufferPacker, FillsUpWithOnes) {
    const Packed packed(filled(0x200), {.buffer_size = size});
    EXPECT_EQ(packed.bytes[0x1FF], std::byte{'x'});
    const Bytes fill = packed.bytes.subspan(0x200);
    EXPECT_TRUE(std::ranges::all_of(fill, [](std::byte b) { return b == std::byte{0xFF}; }));
}

TEST(BufferPacker, FollowsTheLineage) {
    Recording recording = story_recording();
    recording.lineage = Lineage::windows7;
    const Packed windows7(filled(0x200), {.buffer_size = size}, recording);
    EXPECT_EQ(windows7.head().flags(), 0x01);
    EXPECT_EQ(load_le<std::uint16_t>(windows7.bytes.data() + 0x28), 0x0803);
    recording.lineage = Lineage::relogger;
    const Packed relogged(filled(0x200), {.buffer_size = size}, recording);
    EXPECT_EQ(relogged.head().flags(), 0x21);
    EXPECT_EQ(relogged.head().logger_id(), 0);
}

TEST(BufferPacker, CompressesWhatIsUsedBehindAPlainHeader) {
    for (const auto format :
         {codec::Format::lznt1, codec::Format::xpress, codec::Format::xpress_huffman}) {
        const Packed packed(filled(0x800), compressed(format));
        EXPECT_LT(packed.bytes.size(), 0x200U);
        EXPECT_EQ(packed.head().buffer_size(), packed.bytes.size());
        EXPECT_EQ(packed.head().offset(), 0x800U);
        EXPECT_EQ(packed.head().flags(), 0x61);
        std::vector<std::byte> out(0x800 - head::size);
        const auto outcome = codec::decompress(format, packed.bytes.subspan(head::size), out);
        EXPECT_TRUE(outcome.is_complete());
        EXPECT_TRUE(std::ranges::all_of(out, [](std::byte b) { return b == std::byte{'x'}; }));
    }
}

TEST(BufferPacker, CompressesEvenWhatGrowsAsLongAsABufferHoldsIt) {
    const Packed packed(filled(0x200, std::nullopt), compressed());
    EXPECT_TRUE(packed.head().is_compressed());
    EXPECT_GT(packed.bytes.size(), 0x200U);
    const Packed nothing(filled(head::size), compressed());
    EXPECT_TRUE(nothing.head().is_compressed());
    EXPECT_EQ(nothing.bytes.size(), head::size + 4U);
}

TEST(BufferPacker, StoresWhatWouldOutgrowTheBuffers) {
    const Packed packed(filled(size, std::nullopt), compressed());
    EXPECT_FALSE(packed.head().is_compressed());
    EXPECT_EQ(packed.head().buffer_size(), size);
    EXPECT_EQ(packed.bytes.size(), size);
}

// Else 2048 processors with buffers of 16 MB would fill the memory of the machine with nothing.
TEST(BufferPacker, TouchesNoMemoryThatALargeBufferDoesNotUse) {
    constexpr std::uint32_t large = 1U << 20U;
    for (const auto container : {io::Container::none, io::Container::zstd, io::Container::lz4}) {
        auto packer =
            BufferPacker::create(story_recording(), {.buffer_size = large, .container = container});
        ASSERT_TRUE(packer);
        for (const std::uint32_t used : {0x9000U, 0x200U}) {
            FilledBuffer buffer = filled(used, std::byte{'x'}, large);
            std::vector<std::byte> scratch;
            const auto packed = packer->pack(buffer.view(), scratch);
            ASSERT_TRUE(packed);
            const auto unused = Bytes(buffer.memory.get(), large).subspan(used);
            EXPECT_EQ(std::ranges::count(unused, std::byte{'x'}), large - used);
            std::vector<std::byte> content(packed->begin(), packed->end());
            if (container != io::Container::none) {
                content.assign(large, std::byte{0});
                auto decoder = io::FrameDecoder::create(container);
                ASSERT_TRUE(decoder);
                ASSERT_EQ(decoder->decode(*packed, content).written, large);
            }
            ASSERT_EQ(content.size(), large);
            EXPECT_EQ(std::ranges::count(content, std::byte{'x'}), used - head::size);
            EXPECT_EQ(content[used - 1], std::byte{'x'});
            EXPECT_TRUE(std::ranges::all_of(Bytes(content).subspan(used),
                                            [](std::byte b) { return b == std::byte{0xFF}; }));
        }
    }
}

TEST(BufferPacker, UsesItsMemoryAgain) {
    auto packer = BufferPacker::create(story_recording(), compressed());
    ASSERT_TRUE(packer);
    std::vector<std::byte> scratch;
    FilledBuffer first = filled(0x800);
    ASSERT_TRUE(packer->pack(first.view(), scratch));
    const std::byte* const memory = scratch.data();
    FilledBuffer second = filled(size, std::nullopt);
    ASSERT_TRUE(packer->pack(second.view(), scratch));
    EXPECT_EQ(scratch.data(), memory);
}

TEST(BufferPacker, RefusesACompressionThatDoesNotExist) {
    const auto packer = BufferPacker::create(story_recording(),
                                             compressed(static_cast<codec::Format>(1))); // NOLINT
    ASSERT_FALSE(packer);
    EXPECT_EQ(packer.error().code, ErrorCode::unsupported);
}

TEST(BufferPacker, MakesAFrameOfAWholeBuffer) {
    for (const auto container : {io::Container::zstd, io::Container::lz4}) {
        const LogFileOptions options{.buffer_size = size, .container = container};
        const Packed packed(filled(0x800), options);
        io::FrameScanner scanner(container, packed.bytes);
        const auto frame = scanner.next();
        ASSERT_TRUE(frame);
        EXPECT_EQ(frame->packed_size, packed.bytes.size());
        EXPECT_EQ(frame->content_size, size);
        EXPECT_GE(frame->stored.size(), head::size);
        std::vector<std::byte> content(size);
        auto decoder = io::FrameDecoder::create(container);
        ASSERT_TRUE(decoder);
        EXPECT_EQ(decoder->decode(packed.bytes, content).written, size);
        const Packed plain(filled(0x800), {.buffer_size = size});
        EXPECT_TRUE(std::ranges::equal(content, plain.bytes));
    }
}

} // namespace
} // namespace etl::trace::buffer_packer_test
