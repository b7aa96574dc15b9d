#include "base/limits.hpp"
#include "base/text.hpp"
#include "flow/context.hpp"
#include "tests/support/counting_new.hpp"
#include "tests/support/traces/trace_content.hpp"
#include "tests/unit/foundation/io/packing.hpp"
#include "trace/writer.hpp"

#include <gtest/gtest.h>

namespace etl::trace::writer_test {

namespace {

using namespace test;

constexpr std::uint32_t small_buffer = 0x1000;
constexpr std::uint32_t capacity = small_buffer - format::buffer_header::size;

/// Options for a file in memory, by a clock whose raw values are easy to say.
WriterOptions in(io::MemoryFiles& files) {
    WriterOptions options;
    options.file.buffer_size = small_buffer;
    options.recording = begin_recording(Filetime{story_start}, 4, format::ClockType::qpc);
    options.files = &files;
    return options;
}

format::EventRecord numbered(std::uint16_t id, std::int64_t time, Bytes payload = {}) {
    return {.time = time, .descriptor = {.id = id}, .payload = payload};
}

std::unique_ptr<trace::Writer> must_create(WriterOptions options) {
    auto writer = trace::Writer::create("t.etl", std::move(options));
    EXPECT_TRUE(writer);
    return *std::move(writer);
}

TEST(Writer, PutsEachRecordIntoABufferOfItsProcessor) {
    io::MemoryFiles files;
    auto writer = must_create(in(files));
    ASSERT_TRUE(writer->add(numbered(1, 100), 2));
    ASSERT_TRUE(writer->add(numbered(2, 200), 0));
    ASSERT_TRUE(writer->add(numbered(3, 300), 2));
    EXPECT_EQ(writer->events_written(), 3U);
    ASSERT_TRUE(writer->close());
    const Reading reading = read(files.files().at("t.etl"));
    ASSERT_EQ(reading.buffers.size(), 3U);
    EXPECT_EQ(reading.buffers[1].processor, 0);
    EXPECT_EQ(reading.buffers[2].processor, 2);
    EXPECT_EQ(reading.ids(), (std::vector{1, 2, 3}));
    EXPECT_TRUE(reading.findings.empty());
}

TEST(Writer, AlignsRecordsToEightAndPadsWithZeros) {
    io::MemoryFiles files;
    auto writer = must_create(in(files));
    const std::array<std::byte, 3> three{std::byte{0x11}, std::byte{0x22}, std::byte{0x33}};
    ASSERT_TRUE(writer->add(numbered(1, 1, three)));
    ASSERT_TRUE(writer->add(numbered(2, 2)));
    ASSERT_TRUE(writer->close());
    const Image file = files.files().at("t.etl");
    const Bytes buffer = Bytes(file).subspan(small_buffer);
    const Bytes padding = buffer.subspan(0x48 + 0x53, 5);
    EXPECT_TRUE(std::ranges::all_of(padding, [](std::byte b) { return b == std::byte{0}; }));
    EXPECT_EQ(format::BufferHeaderView::at(buffer, {})->offset(), 0x48U + 0x58 + 0x50);
}

TEST(Writer, TakesARecordThatFillsABufferToTheLastByteAndNoneThatIsLarger) {
    io::MemoryFiles files;
    auto writer = must_create(in(files));
    const Image payload(capacity - 0x50, std::byte{7});
    ASSERT_TRUE(writer->add(numbered(1, 1, payload)));
    const Image larger(capacity - 0x50 + 1, std::byte{7});
    const auto refused = writer->add(numbered(2, 2, larger));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::limit);
    EXPECT_EQ(writer->events_lost(), 1U);
    EXPECT_EQ(writer->events_written(), 1U);
    ASSERT_TRUE(writer->close());
    const Reading reading = read(files.files().at("t.etl"));
    EXPECT_EQ(reading.ids(), std::vector{1});
    EXPECT_EQ(reading.buffers[1].used, small_buffer);
    EXPECT_EQ(reading.info.header.events_lost, 1U);
}

TEST(Writer, MakesTheFileThatItPutOffWhenThereAreOnlyLossesToTellOf) {
    io::MemoryFiles files;
    WriterOptions options = in(files);
    options.file.delay_open = true;
    auto writer = must_create(options);
    const Image larger(capacity - 0x50 + 1, std::byte{7});
    ASSERT_FALSE(writer->add(numbered(1, 1, larger)));
    EXPECT_TRUE(files.files().empty());
    ASSERT_TRUE(writer->close());
    const Reading reading = read(files.files().at("t.etl"));
    EXPECT_EQ(reading.info.header.events_lost, 1U);
    EXPECT_EQ(reading.buffers.size(), 1U);
}

TEST(Writer, RefusesWhatIsNoRecordOrHasAnotherSize) {
    io::MemoryFiles files;
    auto writer = must_create(in(files));
    ByteWriter record;
    ASSERT_TRUE(format::encode(numbered(1, 1), record));
    const Bytes whole = record.view();
    const Image garbage(0x50, std::byte{0xEE});
    for (const Bytes bytes :
         {whole.first(whole.size() - 1), whole.first(3), Bytes(), Bytes(garbage)}) {
        const auto refused = writer->add(0, bytes);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, ErrorCode::malformed);
    }
    Image longer(whole.begin(), whole.end());
    longer.push_back(std::byte{0});
    EXPECT_FALSE(writer->add(0, longer));
    EXPECT_EQ(writer->events_lost(), 0U);
    EXPECT_TRUE(writer->add(0, whole));
}

TEST(Writer, TakesTheLeastRecordThereIs) {
    io::MemoryFiles files;
    auto writer = must_create(in(files));
    ASSERT_TRUE(writer->add(format::ErrorRecord{}));
    ASSERT_TRUE(writer->add(numbered(1, 1)));
    ASSERT_TRUE(writer->close());
    const Reading reading = read(files.files().at("t.etl"));
    ASSERT_EQ(reading.events.size(), 3U);
    EXPECT_EQ(reading.damage, 0U);
}

TEST(Writer, RefusesAProcessorThatTheFormatCannotName) {
    io::MemoryFiles files;
    auto writer = must_create(in(files));
    EXPECT_TRUE(writer->add(numbered(1, 1), etl::limits::processors - 1));
    const auto refused = writer->add(numbered(2, 2), etl::limits::processors);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::limit);
    EXPECT_EQ(writer->events_lost(), 0U);
}

TEST(Writer, NumbersBuffersWhenTheyAreOpened) {
    io::MemoryFiles files;
    auto writer = must_create(in(files));
    const Image half(capacity / 2, std::byte{1});
    ASSERT_TRUE(writer->add(numbered(1, 1), 1));       // opens number 1
    ASSERT_TRUE(writer->add(numbered(2, 2, half), 0)); // opens number 2
    ASSERT_TRUE(writer->add(numbered(3, 3, half), 0)); // closes 2 and opens 3
    ASSERT_TRUE(writer->close());
    const Reading reading = read(files.files().at("t.etl"));
    std::vector<std::int64_t> sequence;
    for (const BufferEntry& buffer : reading.buffers) {
        sequence.push_back(buffer.sequence);
    }
    EXPECT_EQ(sequence, (std::vector<std::int64_t>{0, 2, 3, 1}));
}

TEST(Writer, StampsBuffersWithTheTimeOfTheirLastRecord) {
    io::MemoryFiles files;
    auto writer = must_create(in(files));
    ASSERT_TRUE(writer->add(numbered(1, 500), 0));
    ASSERT_TRUE(writer->add(numbered(2, 900), 1));
    ASSERT_TRUE(writer->add(numbered(3, 300), 2));
    ASSERT_TRUE(writer->close());
    EXPECT_EQ(time_stamps_of(files.files().at("t.etl")),
              (std::vector<std::int64_t>{0, 500, 900, 300}));
}

TEST(Writer, StampsBuffersOfARelogWithFiletimes) {
    io::MemoryFiles files;
    WriterOptions options = in(files);
    options.recording->lineage = Lineage::relogger;
    auto writer = must_create(options);
    ASSERT_TRUE(writer->add(numbered(1, 500), 0)); // 50 microseconds behind the start
    ASSERT_TRUE(writer->close());
    EXPECT_EQ(time_stamps_of(files.files().at("t.etl")),
              (std::vector<std::int64_t>{0, story_start + 500}));
}

TEST(Writer, MarksTheLastBufferAsFlushedAtTheEnd) {
    io::MemoryFiles files;
    auto writer = must_create(in(files));
    ASSERT_TRUE(writer->add(numbered(1, 1), 3));
    writer->flush();
    ASSERT_TRUE(writer->add(numbered(2, 2), 1));
    ASSERT_TRUE(writer->add(numbered(3, 3), 2));
    ASSERT_TRUE(writer->close());
    const Reading reading = read(files.files().at("t.etl"));
    ASSERT_EQ(reading.buffers.size(), 4U);
    EXPECT_EQ(reading.buffers[1].processor, 3);
    EXPECT_EQ(reading.buffers[1].flags & format::buffer_flag::flush_marker, 0);
    EXPECT_EQ(reading.buffers[2].flags & format::buffer_flag::flush_marker, 0);
    EXPECT_NE(reading.buffers[3].flags & format::buffer_flag::flush_marker, 0);
}

TEST(Writer, HasWrittenEverythingAfterAFlush) {
    io::MemoryFiles files;
    auto writer = must_create(in(files));
    ASSERT_TRUE(writer->add(numbered(1, 1), 3));
    ASSERT_TRUE(writer->add(numbered(2, 2), 0));
    writer->flush();
    writer->flush(); // nothing is open: nothing happens
    const Reading reading = read(files.files().at("t.etl"));
    EXPECT_EQ(reading.buffers.size(), 3U);
    EXPECT_EQ(reading.ids(), (std::vector{1, 2}));
    EXPECT_EQ(reading.damage, 0U);
}

TEST(Writer, KeepsOneBufferForAllWhereTheSessionDid) {
    io::MemoryFiles files;
    WriterOptions options = in(files);
    options.recording->header.log_file_mode |= format::log_mode::no_per_processor_buffering;
    auto writer = must_create(options);
    ASSERT_TRUE(writer->add(numbered(1, 1), 3));
    ASSERT_TRUE(writer->add(numbered(2, 2), 1));
    ASSERT_TRUE(writer->close());
    const Reading reading = read(files.files().at("t.etl"));
    ASSERT_EQ(reading.buffers.size(), 2U);
    EXPECT_EQ(reading.buffers[1].processor, 0);
    EXPECT_EQ(reading.info.header.number_of_processors, 1U);
    EXPECT_EQ(reading.ids(), (std::vector{1, 2}));
}

TEST(Writer, CopiesTheEventsOfAReader) {
    TraceBuilder source({.processors = 2});
    const Image payload(5, std::byte{9});
    source.buffer({.processor = 1}).add(numbered(1, 1'000'010, payload));
    source.buffer({.processor = 0}).add(format::MessageRecord{.number = 2});
    const Image original = source.build();
    io::MemoryFiles files;
    auto writer = must_create(in(files));
    auto reader = Reader::open(in_memory(original));
    ASSERT_TRUE(reader);
    flow::EventCursor events(**reader);
    while (const flow::Event* event = events.next()) {
        if (event->buffer->number != 0) {
            ASSERT_TRUE(writer->add(*event));
        }
    }
    ASSERT_TRUE(writer->close());
    const Content copy = content_of(files.files().at("t.etl"));
    EXPECT_EQ(copy.streams.size(), 2U);
    EXPECT_EQ(copy.streams, content_of(original).streams);
}

TEST(Writer, MakesNoFileWhereTheOptionsContradictEachOther) {
    io::MemoryFiles files;
    WriterOptions options = in(files);
    options.file.buffer_size = 1000;
    const auto writer = trace::Writer::create("t.etl", std::move(options));
    ASSERT_FALSE(writer);
    EXPECT_EQ(writer.error().code, ErrorCode::invalid_option);
    EXPECT_TRUE(files.files().empty());
}

TEST(Writer, AllocatesNothingPerRecord) {
    if (!can_count_allocations()) {
        GTEST_SKIP() << "allocations cannot be counted under this sanitizer";
    }
    NullFiles files;
    WriterOptions options;
    options.recording = begin_recording(Filetime{story_start}, 4, format::ClockType::qpc);
    options.files = &files;
    auto writer = must_create(std::move(options));
    ByteWriter record;
    ASSERT_TRUE(format::encode(numbered(1, 1, Image(40)), record));
    const auto add = [&](int count) {
        for (int i = 0; i < count; ++i) {
            ASSERT_TRUE(writer->add(static_cast<std::uint16_t>(i % 4), record.view()));
            ASSERT_TRUE(writer->add(numbered(2, i)));
        }
    };
    add(10'000);
    const std::size_t before = allocations().count;
    add(10'000);
    EXPECT_EQ(allocations().count, before);
}

TEST(Writer, TakesMemoryForNoProcessorThatIsNotUsed) {
    if (!can_count_allocations()) {
        GTEST_SKIP() << "allocations cannot be counted under this sanitizer";
    }
    NullFiles files;
    WriterOptions options;
    options.recording = begin_recording(Filetime{story_start}, etl::limits::processors);
    options.file.buffer_size = 1U << 20U;
    options.files = &files;
    const std::size_t before = allocations().live;
    reset_peak();
    auto writer = must_create(std::move(options));
    ASSERT_TRUE(writer->add(numbered(1, 1), etl::limits::processors - 1));
    EXPECT_LT(allocations().peak - before, 4U << 20U);
}

// Writers that keep views of mapped records: WriterOptions::may_keep_views.

using namespace test;

/// A trace on disk with large buffers, which a reader maps: blocks of records, sizes that need
/// padding, and, if wanted, a buffer with a single record.
std::string with_large_buffers(const TemporaryFolder& folder, bool has_single_record) {
    TraceBuilder trace({.buffer_size = 2U << 20U, .processors = 4, .reference_time = 0});
    const std::vector<std::byte> payload(1'001);
    std::int64_t time = 0;
    for (std::uint16_t i = 0; i < 8; ++i) {
        auto& buffer = trace.buffer({.processor = static_cast<std::uint16_t>(i % 4)});
        for (std::uint16_t k = 0; k < (has_single_record && i == 2 ? 1 : 200); ++k) {
            buffer.add(format::EventRecord{.time = ++time,
                                           .payload = Bytes(payload).first(5 * std::size_t{k})});
        }
    }
    return folder.file("large.etl", as_text(trace.build()));
}

/// Copies its events.
void copy_events(const std::string& path, Order order, WriterOptions options) {
    const auto reader = *Reader::open(*io::InputFile::map(path), {.order = order});
    auto writer = *Writer::create("t.etl", std::move(options));
    for (flow::Run run = reader->next_run(); !run.empty(); run = reader->next_run()) {
        if (!flow::is_logfile_header(run.front())) {
            writer->add(run);
        }
    }
    EXPECT_TRUE(writer->close());
}

TEST(WriterViews, WritesTheSameFromViews) {
    const TemporaryFolder folder;
    const std::string path = with_large_buffers(folder, true);
    for (const Order order : {Order::buffers, Order::time}) {
        for (const std::uint32_t buffer_size : {0x2000U, 2U << 20U, 3U << 20U}) {
            io::MemoryFiles files;
            WriterOptions options{.recording = begin_recording(Filetime{story_start}),
                                  .files = &files};
            options.file.buffer_size = buffer_size;
            copy_events(path, order, options);
            const Image copied = files.files().at("t.etl");
            options.may_keep_views = true;
            copy_events(path, order, options);
            EXPECT_TRUE(files.files().at("t.etl") == copied) << buffer_size;
        }
    }
}

TEST(WriterViews, KeepsOneLargeBufferWithViews) {
    if (!can_count_allocations()) {
        GTEST_SKIP() << "allocations cannot be counted under this sanitizer";
    }
    const TemporaryFolder folder;
    const std::string path = with_large_buffers(folder, false);
    NullFiles nowhere;
    WriterOptions options;
    options.file.buffer_size = 16U << 20U;
    options.files = &nowhere;
    options.may_keep_views = true;
    const std::size_t before = allocations().live;
    reset_peak();
    copy_events(path, Order::buffers, options);
    // Four processors would take four buffers more than the file does.
    EXPECT_LT(allocations().peak - before, 4U * options.file.buffer_size);
}

} // namespace

} // namespace etl::trace::writer_test
