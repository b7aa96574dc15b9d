#include "format/buffer_header.hpp"

#include <gtest/gtest.h>

#include <array>

namespace etl::format::buffer_header_test {
namespace {

using HeaderBytes = std::array<std::byte, buffer_header::size>;

BufferHeaderView view(const HeaderBytes& bytes) {
    return BufferHeaderView(BufferHeaderView::Extent(bytes));
}

template <auto field>
HeaderBytes with(typename decltype(field)::type value) {
    HeaderBytes bytes{};
    store<field>(std::span(bytes), value);
    return bytes;
}

TEST(BufferHeaderView, GivesBackWhatWasEncoded) {
    HeaderBytes bytes{};
    encode({.buffer_size = 0x10000,
            .used = 0x1234,
            .time_stamp = -5,
            .sequence_number = 913,
            .processor = 63,
            .logger_id = 7,
            .state = 3,
            .flags = buffer_flag::processor_index | buffer_flag::compressed,
            .type = BufferType::generic},
           bytes);
    const BufferHeaderView head = view(bytes);
    EXPECT_EQ(head.buffer_size(), 0x10000U);
    EXPECT_EQ(head.saved_offset(), 0x1234U);
    EXPECT_EQ(head.offset(), 0x1234U);
    EXPECT_EQ(head.time_stamp(), -5);
    EXPECT_EQ(head.sequence_number(), 913);
    EXPECT_EQ(head.processor(), 63U);
    EXPECT_EQ(head.logger_id(), 7U);
    EXPECT_EQ(head.state(), 3U);
    EXPECT_TRUE(head.is_compressed());
    EXPECT_EQ(head.type(), BufferType::generic);
}

TEST(BufferHeaderView, RejectsFewerBytesThanAHeader) {
    const HeaderBytes bytes{};
    const auto head = BufferHeaderView::at(Bytes(bytes).first(71), {0x1000});
    ASSERT_FALSE(head);
    EXPECT_EQ(head.error().code, ErrorCode::truncated);
    EXPECT_EQ(head.error().where.value, 0x1000U);
    EXPECT_EQ(head.error().need, 72U);
    EXPECT_EQ(head.error().have, 71U);
}

TEST(BufferHeaderView, MasksOffTheAlignmentByteOfWindows7) {
    EXPECT_EQ(view(with<buffer_header::processor>(0x0803)).processor(), 3U);
}

TEST(BufferHeaderView, KeepsProcessorsBeyondOneByte) {
    EXPECT_EQ(view(with<buffer_header::processor>(0x0105)).processor(), 0x105U);
}

TEST(BufferHeaderView, TrustsOffsetBeforeSavedOffset) {
    HeaderBytes bytes = with<buffer_header::offset>(0x200);
    store<buffer_header::saved_offset>(std::span(bytes), 0x100);
    EXPECT_EQ(view(bytes).used(), 0x200U);
}

TEST(BufferHeaderView, FallsBackToSavedOffset) {
    HeaderBytes bytes = with<buffer_header::offset>(0x47);
    store<buffer_header::saved_offset>(std::span(bytes), 0x100);
    EXPECT_EQ(view(bytes).used(), 0x100U);
}

TEST(BufferHeaderView, DoesNotKnowTheUsedBytesWhenNeitherFieldCanBe) {
    HeaderBytes bytes = with<buffer_header::offset>(0x47);
    store<buffer_header::saved_offset>(std::span(bytes), 0x10);
    EXPECT_FALSE(view(bytes).used());
}

} // namespace
} // namespace etl::format::buffer_header_test
