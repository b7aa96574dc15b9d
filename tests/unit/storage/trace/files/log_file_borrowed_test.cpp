// Buffers in memory that stays the caller's; headers that are brought up to date on the way.
#include "tests/support/failing_files.hpp"
#include "tests/unit/storage/trace/filled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

namespace etl::trace::log_file_borrowed_test {
namespace {

using namespace test;
using testing::IsEmpty;

constexpr std::uint32_t size = 0x1000;

/// The same buffers, given with their memory or without.
Image written_as(const LogFileOptions& options, bool with_memory) {
    io::MemoryFiles files;
    auto log = LogFile::open("t.etl", story_recording(), options, files);
    EXPECT_TRUE(log);
    Filler filler(**log);
    for (unsigned i = 0; i < 20; ++i) {
        FilledBuffer buffer =
            filler.fill({.processor = static_cast<std::uint16_t>(i % 2),
                         .events = 1 + i % 9,
                         .flags = i == 19 ? format::buffer_flag::flush_marker : std::uint16_t{0}});
        if (with_memory) {
            (*log)->write(std::move(buffer));
        } else {
            (*log)->write_view(buffer.view());
            std::ranges::fill(MutableBytes(buffer.memory.get(), size), std::byte{0xEE});
        }
    }
    EXPECT_TRUE((*log)->close());
    return files.files().at("t.etl");
}

TEST(BorrowedBuffer, IsWrittenAsOneWithItsMemory) {
    for (const unsigned threads : {1U, 3U}) {
        for (const auto compression : {codec::Format::none, codec::Format::xpress}) {
            const LogFileOptions options{
                .buffer_size = size, .compression = compression, .threads = threads};
            EXPECT_EQ(written_as(options, false), written_as(options, true));
        }
    }
}

TEST(BorrowedBuffer, HasItsHeaderInItsMemory) {
    io::MemoryFiles files;
    auto log = LogFile::open("t.etl", story_recording(), {.buffer_size = size}, files);
    ASSERT_TRUE(log);
    Filler filler(**log);
    filler.write();
    const FilledBuffer buffer = filler.fill();
    (*log)->write_view(buffer.view());
    const auto head = format::BufferHeaderView::at({buffer.memory.get(), size}, {});
    ASSERT_TRUE(head);
    EXPECT_EQ(head->sequence_number(), 2);
    EXPECT_EQ(head->used(), buffer.used);
}

TEST(BorrowedBuffer, IsLostWhenItIsNone) {
    io::MemoryFiles files;
    auto log = LogFile::open("t.etl", story_recording(), {.buffer_size = size}, files);
    ASSERT_TRUE(log);
    (*log)->write_view({});
    EXPECT_EQ((*log)->status().buffers_lost, 1U);
    EXPECT_TRUE((*log)->status().latest_failure);
}

TEST(UpdatedHeader, TellsLossesOfAnUnfinishedFile) {
    io::MemoryFiles memory;
    FailingFiles files(memory);
    auto log = LogFile::open("t.etl", story_recording(), {.buffer_size = size}, files);
    ASSERT_TRUE(log);
    Filler filler(**log);
    filler.write({.processor = 6});
    files.fail({.call = DiskCall::write, .os_code = EIO});
    filler.write();
    ASSERT_TRUE((*log)->status().latest_failure);
    EXPECT_EQ((*log)->status().latest_failure->os_code, EIO);
    filler.write();
    EXPECT_FALSE((*log)->status().latest_failure) << "that one was written";
    (*log)->add_lost_events(12);
    ASSERT_TRUE((*log)->update_header());
    log->reset(); // as a crash would leave it
    const Written written = read_written(memory.files().at("t.etl"));
    EXPECT_TRUE(written.info.is_unfinalized);
    EXPECT_EQ(written.info.header.end_time, 0);
    EXPECT_EQ(written.info.header.buffers_written, 0U);
    EXPECT_EQ(written.info.header.events_lost, 12U);
    EXPECT_EQ(written.info.header.buffers_lost, 1U);
    EXPECT_EQ(written.info.header.number_of_processors, 7U);
    EXPECT_EQ(written.buffers.size(), 3U);
}

TEST(UpdatedHeader, CountsNothingTwiceAtTheEnd) {
    io::MemoryFiles files;
    auto log = LogFile::open("t.etl", story_recording(), {.buffer_size = size}, files);
    ASSERT_TRUE(log);
    Filler filler(**log);
    filler.write();
    (*log)->add_lost_events(3);
    ASSERT_TRUE((*log)->update_header());
    ASSERT_TRUE((*log)->update_header());
    filler.write();
    ASSERT_TRUE((*log)->close());
    const Written written = read_written(files.files().at("t.etl"));
    EXPECT_EQ(written.info.header.events_lost, 3U);
    EXPECT_EQ(written.info.header.buffers_written, 3U);
    EXPECT_EQ(written.streams, filler.records());
}

TEST(ExtendedRecording, EndsNotBefore) {
    io::MemoryFiles files;
    auto log = LogFile::open("t.etl", story_recording(), {.buffer_size = size}, files);
    ASSERT_TRUE(log);
    Filler filler(**log);
    filler.write();
    (*log)->extend_to(filler.last_time() + 5'000'000);
    (*log)->extend_to(0);
    ASSERT_TRUE((*log)->close());
    const Written written = read_written(files.files().at("t.etl"));
    EXPECT_EQ(written.info.header.end_time, filler.last_time() + 5'000'000);
    EXPECT_THAT(written.checked, IsEmpty());
}

} // namespace
} // namespace etl::trace::log_file_borrowed_test
