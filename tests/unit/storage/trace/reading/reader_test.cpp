#include "base/text.hpp"
#include "tests/support/damage.hpp"
#include "tests/support/reading.hpp"
#include "tests/unit/foundation/io/packing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <set>
#include <stdexcept>

namespace etl::trace::reader_test {

namespace {

using namespace test;
using testing::ElementsAre;
using testing::IsEmpty;

Image of_every_kind(const TraceFacts& facts = {}) {
    TraceBuilder trace(facts);
    std::int64_t time = facts.reference_time;
    auto& b = trace.buffer();
    for (std::size_t number = 0; number < format::max_record_kinds; ++number) {
        const format::RecordKind kind = format::record_kind_of(number);
        if (kind != format::RecordKind::none && format::number_of(kind) == number) {
            format::EventHeader header;
            header.hook_id = 0x0524; // that of no log file header
            ByteWriter record;
            if (!format::encode(kind, header, ++time, record)) {
                throw std::logic_error("record cannot be encoded");
            }
            b.raw(record.align(8).view()); // the reader takes no record under 8 bytes
        }
    }
    return trace.build();
}

// The header of the trace, and all kinds but RecordKind::none.
constexpr std::size_t events_of_every_kind = format::record_kinds;

TEST(Reader, ReadsEveryKindOfRecord) {
    const Reading reading = read(of_every_kind());
    EXPECT_THAT(reading.findings, IsEmpty());
    EXPECT_EQ(reading.events.size(), events_of_every_kind);
    std::map<format::RecordKind, int> kinds;
    for (const Seen& event : reading.events) {
        ++kinds[event.kind];
    }
    EXPECT_EQ(kinds.size(), format::record_kinds - 1);
    EXPECT_EQ(kinds.count(format::RecordKind::none), 0U);
}

TEST(Reader, TellsTheFactsOfTheTrace) {
    TraceFacts facts;
    facts.reference_time = 777;
    facts.processors = 4;
    facts.events_lost = 41;
    TraceBuilder trace(facts);
    trace.buffer();
    const Image file = trace.build();
    auto reader = Reader::open(in_memory(file), {.file = 3});
    ASSERT_TRUE(reader);
    const flow::TraceInfo& info = (*reader)->info();
    EXPECT_EQ(info.name, "made.etl");
    EXPECT_EQ(info.file, 3U);
    EXPECT_TRUE(info.has_header);
    EXPECT_EQ(info.header.number_of_processors, 4U);
    EXPECT_EQ(info.header.events_lost, 41U);
    EXPECT_EQ(info.header.session_name, u"Signal Box");
    EXPECT_EQ(info.reference_time, 777);
    EXPECT_EQ(info.clock.to_filetime(777).ticks, story_start);
    EXPECT_EQ(info.file_size, file.size());
    EXPECT_EQ(info.buffers, 2U);
    EXPECT_EQ(info.compressed_buffers, 0U);
    EXPECT_EQ(info.codec, 0U);
    EXPECT_EQ(info.header_pointer_size, 8U);
    EXPECT_FALSE(info.is_unfinalized);
}

TEST(Reader, ReadsTracesOf32BitControllers) {
    TraceFacts facts;
    facts.pointer_size = 4;
    const Reading reading = read(of_every_kind(facts));
    EXPECT_EQ(reading.info.header_pointer_size, 4U);
    EXPECT_EQ(reading.info.header.session_name, u"Signal Box");
    EXPECT_EQ(reading.events.size(), events_of_every_kind);
    EXPECT_EQ(reading.events[0].kind, format::narrow(format::RecordFamily::system));
}

TEST(Reader, ReadsWhatEachWriterWrites) {
    for (const Lineage lineage : {Lineage::windows7, Lineage::session, Lineage::relogger}) {
        TraceFacts facts;
        facts.lineage = lineage;
        const Reading reading = read(of_every_kind(facts));
        EXPECT_EQ(reading.events.size(), events_of_every_kind);
        EXPECT_THAT(reading.findings, IsEmpty());
        EXPECT_EQ(reading.events[0].processor, 0U); // 0x0800 in the header buffer of Windows 7
    }
}

TEST(Reader, ReadsWhatEachCodecPacks) {
    for (const auto codec :
         {codec::Format::xpress, codec::Format::xpress_huffman, codec::Format::lznt1}) {
        TraceBuilder trace({.lineage = Lineage::relogger, .reference_time = 0});
        for (std::uint16_t i = 1; i <= 3; ++i) {
            auto& buffer = trace.buffer({.compression = codec});
            for (int k = 0; k < 20; ++k) {
                buffer.add(
                    format::EventRecord{.time = i, .descriptor = {.id = i}, .payload = noise(i)});
            }
        }
        const Reading reading = read(trace.build());
        EXPECT_EQ(reading.ids().size(), 60U);
        EXPECT_EQ(reading.info.compressed_buffers, 3U);
        EXPECT_EQ(reading.info.codec, static_cast<std::uint16_t>(codec));
        EXPECT_THAT(reading.findings, IsEmpty());
    }
}

TEST(Reader, ReadsAFileOfNothingButItsHeader) {
    TraceFacts facts;
    facts.end_time = std::nullopt;
    const Reading reading = read(TraceBuilder(facts).build());
    EXPECT_EQ(reading.events.size(), 1U);
    EXPECT_TRUE(reading.info.is_unfinalized);
    EXPECT_THAT(reading.findings, IsEmpty());
}

TEST(Reader, IgnoresBuffersWritten) {
    for (const std::uint32_t claim : {0U, 1U, 100U}) {
        TraceFacts facts;
        facts.buffers_written = claim;
        EXPECT_EQ(read(of_every_kind(facts)).events.size(), events_of_every_kind);
    }
}

TEST(Reader, GivesEventsThatPointIntoTheirBuffer) {
    auto reader = Reader::open(in_memory(of_every_kind()));
    ASSERT_TRUE(reader);
    flow::EventCursor events(**reader);
    while (const flow::Event* event = events.next()) {
        const Bytes buffer = event->buffer->bytes;
        EXPECT_GE(event->offset(), format::buffer_header::size);
        EXPECT_LE(event->offset() + event->size, buffer.size());
        EXPECT_EQ(event->offset() % 8, 0U);
        EXPECT_EQ(&event->trace(), &(*reader)->info());
    }
    EXPECT_EQ((*reader)->error(), nullptr);
}

TEST(Reader, KeepsPinnedRunsAlive) {
    TraceBuilder trace({.lineage = Lineage::relogger, .reference_time = 0});
    for (std::uint16_t i = 1; i <= 30; ++i) {
        trace
            .buffer({.processor = static_cast<std::uint16_t>(i % 3),
                     .compression = codec::Format::xpress})
            .add(format::EventRecord{.time = i, .descriptor = {.id = i}});
    }
    for (const Order order : {Order::time, Order::recorded, Order::file, Order::buffers}) {
        auto reader = Reader::open(in_memory(trace.build()), {.order = order});
        ASSERT_TRUE(reader);
        std::vector<std::pair<flow::Run, flow::Pin>> kept;
        for (flow::Run run = (*reader)->next_run(); !run.empty(); run = (*reader)->next_run()) {
            kept.emplace_back(run, (*reader)->pin());
        }
        std::vector<int> ids;
        for (const auto& [run, pin] : kept) {
            ASSERT_NE(pin, nullptr);
            for (const flow::Event& event : run) {
                ids.push_back(flow::read_header(event).id);
            }
        }
        EXPECT_EQ(ids.size(), 31U);
        EXPECT_TRUE(std::ranges::is_sorted(ids)); // the header record is 0
    }
}

TEST(Reader, ShowsEveryBufferOnceToForEachBuffer) {
    TraceBuilder trace(TraceFacts{.processors = 2, .reference_time = 0});
    for (std::uint16_t i = 1; i <= 50; ++i) {
        trace.buffer({.processor = static_cast<std::uint16_t>(i % 2)})
            .add(format::EventRecord{.time = 100 - i, .descriptor = {.id = i}})
            .add(format::EventRecord{.time = 10, .descriptor = {.id = i}});
    }
    auto reader = Reader::open(in_memory(trace.build()));
    ASSERT_TRUE(reader);
    for (const unsigned threads : {1U, 2U, 4U}) {
        std::mutex mutex;
        std::map<std::int64_t, std::size_t> events;
        (*reader)->for_each_buffer(
            threads, [&](unsigned worker, const BufferEntry& entry, flow::Run run) {
                const std::scoped_lock lock(mutex);
                EXPECT_LT(worker, threads);
                EXPECT_TRUE(events.emplace(entry.sequence, run.size()).second);
            });
        EXPECT_EQ(events.size(), 51U);
        EXPECT_EQ(events[0], 1U);
        EXPECT_EQ(events[7], 2U);
    }
    EXPECT_EQ((*reader)->next_run().front().kind, format::wide(format::RecordFamily::system));
}

TEST(Reader, ShowsEveryBufferToThoseThatJoinedTheWalk) {
    TraceBuilder trace;
    for (int i = 0; i < 200; ++i) { // enough for several threads
        trace.buffer().add(format::EventRecord{.time = i});
    }
    auto reader = Reader::open(in_memory(trace.build()));
    ASSERT_TRUE(reader);
    constexpr unsigned threads = 2;
    std::mutex mutex;
    std::multiset<std::int64_t> joined, own;
    for (int i = 0; i < 2; ++i) {
        (*reader)->join_next_walk(threads,
                                  [&](unsigned worker, const BufferEntry& entry, flow::Run) {
                                      const std::scoped_lock lock(mutex);
                                      EXPECT_LT(worker, threads);
                                      joined.insert(entry.sequence);
                                  });
    }
    for (int i = 0; i < 2; ++i) {
        (*reader)->for_each_buffer(4, [&](unsigned, const BufferEntry& entry, flow::Run) {
            const std::scoped_lock lock(mutex);
            own.insert(entry.sequence);
        });
    }
    EXPECT_EQ(joined.size(), 2U * 201U);
    EXPECT_EQ(joined, own);
}

TEST(Reader, HandsOnWhatAVisitorThrowsInAnyThread) {
    TraceBuilder trace;
    for (int i = 0; i < 200; ++i) { // enough for several threads
        trace.buffer().add(format::EventRecord{.time = i});
    }
    auto reader = Reader::open(in_memory(trace.build()));
    ASSERT_TRUE(reader);
    for (const unsigned threads : {1U, 2U, 100'000U}) {
        const auto visit = [](unsigned, const BufferEntry& entry, flow::Run) {
            if (entry.sequence % 2 == 1) {
                throw std::runtime_error("enough");
            }
        };
        EXPECT_THROW((*reader)->for_each_buffer(threads, visit), std::runtime_error);
    }
}

TEST(Reader, GivesForEachBufferTheOrderOnDiskAndATimeForEveryEvent) {
    TraceBuilder trace(TraceFacts{.reference_time = 5});
    trace.buffer()
        .add(format::MessageRecord{.number = 1})
        .add(format::EventRecord{.time = 90})
        .add(format::EventRecord{.time = 20});
    auto reader = Reader::open(in_memory(trace.build()));
    ASSERT_TRUE(reader);
    std::vector<std::int64_t> times;
    (*reader)->for_each_buffer(1, [&](unsigned, const BufferEntry& entry, flow::Run run) {
        for (const flow::Event& event : run) {
            if (entry.sequence == 1) {
                times.push_back(event.raw_time);
            }
        }
    });
    EXPECT_THAT(times, ElementsAre(90, 90, 20));
}

// Reading of a trace that nobody reads again: ReaderOptions::is_single_pass.

using namespace test;

Image trace_of(std::uint32_t buffer_size, std::uint16_t buffers) {
    TraceBuilder trace({.buffer_size = buffer_size, .processors = 3, .reference_time = 0});
    for (std::uint16_t i = 0; i < buffers; ++i) {
        auto& buffer = trace.buffer({.processor = static_cast<std::uint16_t>(i % 3)});
        for (std::uint16_t k = 0; k < 30; ++k) {
            buffer.add(
                format::EventRecord{.time = 100 * (i / 3) + 3 * k + i % 3,
                                    .descriptor = {.id = static_cast<std::uint16_t>(100 * i + k)}});
        }
    }
    return trace.build();
}

TEST(SinglePass, GivesTheSameEvents) {
    const Image image = trace_of(0x1000, 60);
    for (const Order order : {Order::time, Order::recorded, Order::file, Order::buffers}) {
        for (const unsigned threads : {1U, 3U}) {
            const Reading mapped = read(image, {.order = order, .threads = threads});
            const Reading copied =
                read(image, {.order = order, .is_single_pass = true, .threads = threads});
            EXPECT_EQ(mapped.events.size(), 60U * 30U + 1U);
            EXPECT_EQ(copied.events, mapped.events);
            EXPECT_EQ(copied.damage, 0U);
        }
    }
}

/// Whether the buffers of a file are views of its mapping: of runs, of visits, and of those shown.
std::vector<bool> are_mapped(const std::string& path, bool is_single_pass) {
    const auto reader = Reader::open(*io::InputFile::map(path), {.is_single_pass = is_single_pass});
    const flow::Run run = (*reader)->next_run();
    std::vector<bool> mapped{run.front().buffer->is_mapped};
    (*reader)->for_each_buffer(1, [&](unsigned, const BufferEntry& entry, flow::Run events) {
        if (entry.sequence == 1) {
            mapped.push_back(events.front().buffer->is_mapped);
        }
    });
    (*reader)->show_buffers(
        {1}, [&](const BufferContent& buffer) { mapped.push_back(buffer.context->is_mapped); });
    return mapped;
}

TEST(SinglePass, CopiesSmallBuffersOnly) {
    const TemporaryFolder folder;
    const std::string small = folder.file("small.etl", as_text(trace_of(0x1000, 3)));
    const std::string large = folder.file("large.etl", as_text(trace_of(2U << 20U, 3)));
    EXPECT_EQ(are_mapped(small, false), std::vector(3, true));
    EXPECT_EQ(are_mapped(small, true), std::vector(3, false));
    EXPECT_EQ(are_mapped(large, true), std::vector(3, true));
}

} // namespace

} // namespace etl::trace::reader_test
