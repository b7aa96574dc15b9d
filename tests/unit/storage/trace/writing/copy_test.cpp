#include "flow/filters.hpp"
#include "tests/support/traces/written.hpp"
#include "trace/limits.hpp"
#include "trace/writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace etl::trace::copy_test {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint32_t buffer_size = 0x1000;

/// Buffers of three processors, of records of all sizes, whose padding is not zero.
Image made_at_random(unsigned seed) {
    std::mt19937 random(seed);
    TraceBuilder trace({.processors = 3});
    std::int64_t time = 2'000'000;
    std::uint16_t id = 0;
    for (unsigned i = 0; i < 40; ++i) {
        auto& buffer = trace.buffer({.processor = static_cast<std::uint16_t>(random() % 3)});
        std::size_t left = buffer_size - format::buffer_header::size;
        while (true) {
            const Image payload(random() % 200, std::byte{0x5A});
            const std::size_t size = (0x50 + payload.size() + 7) / 8 * 8;
            if (size > left) {
                break;
            }
            left -= size;
            time += static_cast<std::int64_t>(random() % 7);
            buffer.add(
                format::EventRecord{.time = time, .descriptor = {.id = id++}, .payload = payload});
        }
    }
    Image image = trace.build();
    // What lies between records is whatever was in memory.
    const Content content = content_of(image);
    auto reader = Reader::open(in_memory(image), {.order = Order::file});
    for (flow::Run run = (*reader)->next_run(); !run.empty(); run = (*reader)->next_run()) {
        for (const flow::Event& event : run) {
            const std::size_t end = event.buffer->where.value + event.offset() + event.size;
            for (std::size_t at = end; at % 8 != 0; ++at) {
                image[at] = std::byte{0xEE};
            }
        }
    }
    return image;
}

std::unique_ptr<Reader> must_open(const Image& image, const ReaderOptions& options = {}) {
    auto reader = Reader::open(in_memory(image), options);
    EXPECT_TRUE(reader);
    return *std::move(reader);
}

WriterOptions like(const Reader& reader, io::FileFactory& files) {
    WriterOptions options{.recording = recording_of(reader.info()), .files = &files};
    options.file.buffer_size = buffer_size;
    return options;
}

/// The copy of a trace; `by` puts the events of a source into a writer.
template <typename By>
Image copied(const Image& image, Order order, By by) {
    io::MemoryFiles files;
    const auto reader = must_open(image, {.order = order});
    auto writer = Writer::create("t.etl", like(*reader, files));
    EXPECT_TRUE(writer);
    by(*reader, **writer);
    EXPECT_TRUE((*writer)->close());
    return files.files().at("t.etl");
}

void copy_whole(flow::Source& source, Writer& writer) {
    EXPECT_TRUE(copy(source, writer));
}

TEST(Copy, KeepsTheRecordsOfEveryProcessorAndTheirOrder) {
    for (const Order order : {Order::time, Order::file, Order::buffers}) {
        const Image image = made_at_random(1);
        const Written made = read_written(copied(image, order, copy_whole));
        EXPECT_EQ(made.streams, content_of(image).streams);
        EXPECT_THAT(made.checked, IsEmpty());
    }
}

TEST(Copy, MakesTheSameFileInBlocksAsOneRecordAfterAnother) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        const Image image = made_at_random(seed);
        for (const Order order : {Order::time, Order::buffers}) {
            const Image slowly = copied(image, order, [](flow::Source& source, Writer& writer) {
                flow::EventCursor events(source);
                events.next(); // the log file header
                while (const flow::Event* event = events.next()) {
                    ASSERT_TRUE(writer.add(*event));
                }
            });
            EXPECT_TRUE(slowly == copied(image, order, copy_whole)) << seed;
        }
    }
}

TEST(Copy, CopiesWhatAFilterLeavesOver) {
    const Image image = made_at_random(3);
    const auto is_kept = [](const flow::Event& event) {
        return flow::read_header(event).id % 5 != 0;
    };
    const Image filtered = copied(image, Order::buffers, [&](flow::Source& source, Writer& writer) {
        flow::WhereFilter filter(source, is_kept);
        copy_whole(filter, writer);
    });
    std::vector<int> expected = read(image).ids();
    std::erase_if(expected, [](int id) { return id % 5 == 0; });
    EXPECT_EQ(read(filtered).ids(), expected);
}

TEST(Copy, LeavesOutLogFileHeadersAndCountsThem) {
    TraceBuilder trace;
    trace.buffer().add(format::EventRecord{.time = 2'000'000, .descriptor = {.id = 1}});
    const Image image = trace.build();
    io::MemoryFiles files;
    const auto reader = must_open(image);
    auto writer = Writer::create("t.etl", like(*reader, files));
    ASSERT_TRUE(writer);
    const auto result = copy(*reader, **writer);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->events, 1U);
    EXPECT_EQ(result->headers, 1U);
    EXPECT_EQ(result->lost, 0U);
    EXPECT_FALSE(result->stopped);
}

TEST(Copy, TakesBackClaimsToItemsAndCountersThatDoNotParse) {
    TraceBuilder trace;
    const Image odd(12, std::byte{0xFF});
    const auto claims = [&](auto record, std::size_t at, std::uint8_t bits) {
        ByteWriter bytes;
        EXPECT_TRUE(format::encode(record, bytes));
        Image made(bytes.view().begin(), bytes.view().end());
        made[at] |= std::byte{bits};
        return made;
    };
    const Image event = claims(format::EventRecord{.time = 2'000'000, .payload = odd}, 4, 0x01);
    const Image kernel = claims(format::PerfinfoRecord{.time = 2'000'001, .payload = odd}, 1, 0x07);
    auto& buffer = trace.buffer();
    buffer.add(format::EventRecord{.time = 1'999'999, .descriptor = {.id = 7}});
    buffer.raw(event).raw(kernel);
    buffer.add(format::EventRecord{.time = 2'000'002, .descriptor = {.id = 8}});
    const Image image = trace.build();
    EXPECT_THAT(read_written(image).checked, testing::SizeIs(2));

    CopyResult result;
    const Image made = copied(image, Order::buffers, [&](flow::Source& source, Writer& writer) {
        result = copy(source, writer).value();
    });
    EXPECT_EQ(result.corrected, 2U);
    EXPECT_EQ(result.events, 4U);
    EXPECT_THAT(read_written(made).checked, IsEmpty());
    Image sound_event = event;
    sound_event[4] &= std::byte{0xFE};
    Image sound_kernel = kernel;
    sound_kernel[1] &= std::byte{0xF8};
    EXPECT_THAT(content_of(made).streams.at(0), testing::IsSupersetOf({sound_event, sound_kernel}));
}

TEST(Copy, CountsRecordsThatNoBufferCanHold) {
    TraceBuilder trace({.buffer_size = 0x4000});
    const Image large(0x2000, std::byte{1});
    trace.buffer()
        .add(format::EventRecord{.time = 2'000'000, .descriptor = {.id = 1}})
        .add(format::EventRecord{.time = 2'000'001, .descriptor = {.id = 2}, .payload = large})
        .add(format::EventRecord{.time = 2'000'002, .descriptor = {.id = 3}});
    io::MemoryFiles files;
    const auto reader = must_open(trace.build());
    auto writer = Writer::create("t.etl", like(*reader, files));
    ASSERT_TRUE(writer);
    const auto result = copy(*reader, **writer);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->events, 2U);
    EXPECT_EQ(result->lost, 1U);
    ASSERT_TRUE((*writer)->close());
    const Reading reading = read(files.files().at("t.etl"));
    EXPECT_THAT(reading.ids(), ElementsAre(1, 3));
    EXPECT_EQ(reading.info.header.events_lost, 1U);
}

TEST(Copy, StopsWhenProgressSaysSo) {
    TraceBuilder trace({.buffer_size = 0x100000});
    for (unsigned i = 0; i < 4; ++i) {
        auto& buffer = trace.buffer();
        for (unsigned k = 0; k < 10'000; ++k) {
            buffer.add(format::EventRecord{.time = 2'000'000 + i, .descriptor = {.id = 1}});
        }
    }
    io::MemoryFiles files;
    const auto reader = must_open(trace.build(), {.order = Order::buffers});
    auto writer = Writer::create("t.etl", like(*reader, files));
    ASSERT_TRUE(writer);
    const auto result = copy(*reader, **writer,
                             {.progress = [](std::uint64_t, const flow::Event&) { return false; }});
    ASSERT_TRUE(result);
    EXPECT_TRUE(result->stopped);
    EXPECT_LT(result->events, 40'000U);
}

/// Sets LoggerId of the data buffers: the first has `first`, the next one more, and so on.
Image with_logger_ids(Image image, std::uint16_t first) {
    for (std::size_t at = buffer_size; at + buffer_size <= image.size(); at += buffer_size) {
        store_le(image.data() + at + format::buffer_header::logger_id.offset, first++);
    }
    return image;
}

TEST(Writer, KeepsEventsOfSeveralLoggersApartWhenAskedTo) {
    TraceBuilder trace({.processors = 2});
    for (std::uint16_t i = 0; i < 4; ++i) {
        trace.buffer({.processor = static_cast<std::uint16_t>(i / 2)})
            .add(format::EventRecord{.time = 2'000'000 + i, .descriptor = {.id = i}});
    }
    const Image image = with_logger_ids(trace.build(), 7);
    for (const bool is_kept : {false, true}) {
        io::MemoryFiles files;
        const auto reader = must_open(image);
        WriterOptions options = like(*reader, files);
        options.keep_logger_ids = is_kept;
        auto writer = Writer::create("t.etl", options);
        ASSERT_TRUE(writer);
        copy_whole(*reader, **writer);
        ASSERT_TRUE((*writer)->close());
        const Written made = read_written(files.files().at("t.etl"));
        EXPECT_THAT(made.checked, IsEmpty());
        EXPECT_EQ(made.streams, content_of(image).streams);
        std::vector<int> ids;
        for (const BufferEntry& entry : std::span(made.buffers).subspan(1)) {
            ids.push_back(entry.logger_id);
        }
        const int own = made.buffers.front().logger_id;
        EXPECT_EQ(ids, is_kept ? (std::vector{7, 8, 9, 10}) : (std::vector{own, own}));
    }
}

TEST(Writer, HasABoundedNumberOfBuffersOpen) {
    TraceBuilder trace;
    constexpr std::uint16_t loggers = 3000;
    for (std::uint16_t i = 0; i < loggers; ++i) {
        trace.buffer().add(format::EventRecord{.time = 2'000'000 + i, .descriptor = {.id = i}});
    }
    const Image image = with_logger_ids(trace.build(), 1);
    NullFiles files;
    const auto reader = must_open(image);
    WriterOptions options = like(*reader, files);
    options.keep_logger_ids = true;
    auto writer = Writer::create("t.etl", options);
    ASSERT_TRUE(writer);
    copy_whole(*reader, **writer);
    EXPECT_GE((*writer)->status().buffers_written, loggers - trace::limits::open_buffers);
}

/// Copies a trace in the order of time, its logger ids kept. In buffers of 4 KB.
struct Copied {
    Image image;
    std::uint64_t buffers = 0;
};

Copied copied_in_time(const Image& image) {
    io::MemoryFiles files;
    const auto reader = must_open(image, {.order = Order::time});
    WriterOptions options = like(*reader, files);
    options.keep_logger_ids = true;
    auto writer = Writer::create("t.etl", options);
    EXPECT_TRUE(writer);
    copy_whole(*reader, **writer);
    EXPECT_TRUE((*writer)->close());
    return {files.files().at("t.etl"), (*writer)->status().buffers_written};
}

constexpr std::uint16_t overlapping = trace::limits::open_buffers + 100;
constexpr std::uint16_t rounds = 10;

/// As a merge of `overlapping` traces that were recorded at the same time: one logger id each.
Image overlapping_sources() {
    TraceFacts relogged;
    relogged.mode = format::log_mode::sequential | format::log_mode::relog;
    TraceBuilder trace(relogged);
    for (std::uint16_t i = 0; i < overlapping; ++i) {
        auto& buffer = trace.buffer();
        for (std::uint16_t round = 0; round < rounds; ++round) {
            buffer.add(format::EventRecord{.time = 2'000'000 + round * 10'000 + i,
                                           .descriptor = {.id = round}});
        }
    }
    return with_logger_ids(trace.build(), 1);
}

TEST(Writer, FillsItsBuffersWhenMoreAreWantedThanMayBeOpen) {
    const Image image = overlapping_sources();
    const Copied copied = copied_in_time(image);
    EXPECT_LT(copied.buffers, overlapping * rounds / 2);
}

TEST(Reader, KeepsMoreSourcesApartThanAWriterFillsAtOneTime) {
    const Image image = overlapping_sources();
    for (const Image& one : {image, copied_in_time(image).image}) {
        const Reading reading = read(one);
        EXPECT_EQ(reading.events.size(), overlapping * rounds + 1U);
        EXPECT_THAT(reading.findings, IsEmpty());
        EXPECT_TRUE(std::ranges::is_sorted(reading.events, {}, &Seen::time));
    }
}

TEST(Reader, OpensSourcesThatFollowEachOtherOneByOne) {
    TraceFacts relogged;
    relogged.mode = format::log_mode::sequential | format::log_mode::relog;
    TraceBuilder trace(relogged);
    for (std::uint16_t i = 0; i < 3000; ++i) {
        trace.buffer().add(format::EventRecord{.time = 2'000'000 + i, .descriptor = {.id = i}});
    }
    const Reading reading = read(with_logger_ids(trace.build(), 1));
    EXPECT_THAT(reading.findings, IsEmpty());
    EXPECT_TRUE(std::ranges::is_sorted(reading.events, {}, &Seen::time));
}

} // namespace
} // namespace etl::trace::copy_test
