#include "tests/support/damage.hpp"
#include "tests/support/reading.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace etl::trace::reader_order_test {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::IsEmpty;

/// Adds an event whose id is its own name in the test.
void add(BufferBuilder& buffer, std::int64_t time, std::uint16_t id) {
    buffer.add(format::EventRecord{.time = time, .descriptor = {.id = id}});
}

// The header record comes first in all of these.

TraceFacts facts(std::uint32_t processors = 1) {
    TraceFacts facts;
    facts.reference_time = 0;
    facts.processors = processors;
    return facts;
}

TEST(ReaderOrder, MergesProcessorsByTime) {
    TraceBuilder trace(facts(2));
    auto& cpu0 = trace.buffer({.processor = 0});
    auto& cpu1 = trace.buffer({.processor = 1});
    add(cpu0, 10, 1);
    add(cpu0, 40, 4);
    add(cpu1, 20, 2);
    add(cpu1, 30, 3);
    add(cpu1, 50, 5);
    EXPECT_THAT(read(trace.build()).ids(), ElementsAre(1, 2, 3, 4, 5));
}

TEST(ReaderOrder, SortsTheBuffersOfAProcessorBySequenceNumber) {
    TraceBuilder trace(facts());
    add(trace.buffer({.sequence = 3}), 30, 3);
    add(trace.buffer({.sequence = 5}), 50, 5);
    auto file = trace.build();
    TraceBuilder shuffled([] {
        TraceFacts circular = facts();
        circular.mode = format::log_mode::circular;
        return circular;
    }());
    add(shuffled.buffer({.sequence = 9}), 90, 9);
    add(shuffled.buffer({.sequence = 4}), 40, 4);
    add(shuffled.buffer({.sequence = 7}), 70, 7);
    EXPECT_THAT(read(file).ids(), ElementsAre(3, 5));
    EXPECT_THAT(read(shuffled.build()).ids(), ElementsAre(4, 7, 9));
}

TEST(ReaderOrder, GivesTiesToTheLowerProcessorThenTheEarlierBufferThenTheEarlierRecord) {
    TraceBuilder trace(facts(2));
    auto& cpu1 = trace.buffer({.processor = 1});
    auto& cpu0 = trace.buffer({.processor = 0});
    auto& cpu0_later = trace.buffer({.processor = 0});
    add(cpu1, 10, 5);
    add(cpu1, 10, 6);
    add(cpu0, 10, 1);
    add(cpu0, 10, 2);
    add(cpu0_later, 10, 3);
    EXPECT_THAT(read(trace.build()).ids(), ElementsAre(1, 2, 3, 5, 6));
}

TEST(ReaderOrder, SortsTheEventsOfABufferAndKeepsTiesInPlace) {
    TraceBuilder trace(facts());
    auto& buffer = trace.buffer();
    add(buffer, 30, 4);
    add(buffer, 10, 1);
    add(buffer, 20, 2);
    add(buffer, 20, 3);
    const Reading reading = read(trace.build());
    EXPECT_THAT(reading.ids(), ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(reading.findings, IsEmpty());
}

TEST(ReaderOrder, RepairsDisorderAcrossTwoBuffers) {
    TraceBuilder trace(facts());
    auto& first = trace.buffer();
    auto& second = trace.buffer();
    auto& third = trace.buffer();
    add(first, 10, 1);
    add(first, 30, 3);
    add(second, 20, 2);
    add(second, 50, 5);
    add(third, 40, 4);
    add(third, 60, 6);
    const Reading reading = read(trace.build());
    EXPECT_THAT(reading.ids(), ElementsAre(1, 2, 3, 4, 5, 6));
    EXPECT_THAT(reading.findings, IsEmpty());
}

TEST(ReaderOrder, ReportsDisorderBeyondTwoBuffersAndDropsNothing) {
    TraceBuilder trace(facts());
    add(trace.buffer(), 100, 1);
    add(trace.buffer(), 110, 2);
    add(trace.buffer(), 120, 3);
    add(trace.buffer(), 50, 4);
    const Reading reading = read(trace.build());
    EXPECT_THAT(reading.ids(), testing::UnorderedElementsAre(1, 2, 3, 4));
    EXPECT_TRUE(reading.found("beyond the two-buffer window"));
    EXPECT_EQ(reading.damage, 0U); // the bytes are all right
}

TEST(ReaderOrder, GivesUnstampedRecordsTheTimeOfTheRecordBefore) {
    TraceBuilder trace(facts(2));
    auto& cpu0 = trace.buffer({.processor = 0});
    auto& cpu1 = trace.buffer({.processor = 1});
    add(cpu0, 10, 1);
    cpu0.add(format::MessageRecord{.number = 77});
    add(cpu0, 30, 3);
    add(cpu1, 20, 2);
    const Reading reading = read(trace.build());
    ASSERT_EQ(reading.events.size(), 5U);
    EXPECT_EQ(reading.events[2].kind, format::RecordKind{format::RecordFamily::message});
    EXPECT_EQ(reading.events[2].time, 10);
    EXPECT_FALSE(reading.events[2].has_time);
    EXPECT_THAT(reading.ids(), ElementsAre(1, 2, 3));
}

TEST(ReaderOrder, GivesUnstampedRecordsAtTheFrontTheTimeOfTheBufferBefore) {
    TraceBuilder trace(facts());
    add(trace.buffer(), 10, 1);
    auto& second = trace.buffer();
    second.add(format::MessageRecord{.number = 77});
    add(second, 30, 3);
    const Reading reading = read(trace.build());
    ASSERT_EQ(reading.events.size(), 4U);
    EXPECT_EQ(reading.events[2].kind, format::RecordKind{format::RecordFamily::message});
    EXPECT_EQ(reading.events[2].time, 10);
    EXPECT_THAT(reading.findings, IsEmpty());
}

TEST(ReaderOrder, NeverStampsARecordLaterThanWhatFollowsIt) {
    TraceBuilder trace(facts());
    auto& first = trace.buffer();
    add(first, 10, 1);
    add(first, 100, 4);
    auto& second = trace.buffer(); // overlaps the first
    second.add(format::MessageRecord{.number = 77});
    add(second, 50, 2);
    const Reading reading = read(trace.build());
    EXPECT_THAT(reading.ids(), ElementsAre(1, 2, 4));
    EXPECT_TRUE(std::ranges::is_sorted(reading.events, {}, &Seen::time));
}

TEST(ReaderOrder, GivesUnstampedRecordsWithoutAPredecessorTheTimeOfWhatFollows) {
    TraceBuilder trace(facts(2));
    auto& cpu1 = trace.buffer({.processor = 1});
    cpu1.add(format::MessageRecord{.number = 77});
    add(cpu1, 30, 3);
    const Reading reading = read(trace.build());
    ASSERT_EQ(reading.events.size(), 3U);
    EXPECT_EQ(reading.events[1].kind, format::RecordKind{format::RecordFamily::message});
    EXPECT_EQ(reading.events[1].time, 30);
}

TEST(ReaderOrder, GivesAStreamWithoutAnyStampTheTimeOfTheHeader) {
    TraceFacts f = facts(2);
    f.reference_time = 1234;
    TraceBuilder trace(f);
    trace.buffer({.processor = 1}).add(format::MessageRecord{.number = 77});
    const Reading reading = read(trace.build());
    ASSERT_EQ(reading.events.size(), 2U);
    EXPECT_EQ(reading.events[1].time, 1234);
}

TEST(ReaderOrder, TakesTimesBeforeTheReferenceAndBelowZero) {
    TraceFacts f = facts();
    f.reference_time = 1000;
    TraceBuilder trace(f);
    auto& buffer = trace.buffer();
    add(buffer, -5, 1);
    add(buffer, 500, 2);
    add(buffer, 2000, 3);
    const Reading reading = read(trace.build());
    EXPECT_THAT(reading.ids(), ElementsAre(1, 2, 3));
    EXPECT_TRUE(std::ranges::is_sorted(reading.events, {}, &Seen::time));
    EXPECT_EQ(reading.info.clock.to_filetime(-5).ticks, story_start - 1005);
}

TEST(ReaderOrder, PutsAppendedRunsBehindEachOther) {
    TraceFacts f = facts(2);
    f.mode = format::log_mode::append;
    TraceBuilder trace(f);
    add(trace.buffer({.processor = 0}), 10, 1);
    add(trace.buffer({.processor = 1}), 20, 2);
    add(trace.buffer({.processor = 0}), 30, 3);
    trace.begin_run();
    add(trace.buffer({.processor = 0}), 40, 4);
    add(trace.buffer({.processor = 1}), 50, 5);
    const Reading reading = read(trace.build());
    EXPECT_THAT(reading.ids(), ElementsAre(1, 2, 3, 4, 5));
    EXPECT_THAT(reading.findings, IsEmpty());
}

TEST(ReaderOrder, PutsTracesThatWereConcatenatedBehindEachOther) {
    TraceBuilder first(facts());
    add(first.buffer(), 10, 1);
    add(first.buffer(), 20, 2);
    TraceFacts later = facts();
    later.reference_time = 30;
    TraceBuilder second(later);
    add(second.buffer(), 40, 4);
    add(second.buffer(), 50, 5);
    const Reading reading = read(concatenate(first.build(), second.build()));
    EXPECT_THAT(reading.ids(), ElementsAre(1, 2, 4, 5));
    EXPECT_TRUE(std::ranges::is_sorted(reading.events, {}, &Seen::time));
    EXPECT_EQ(reading.findings.size(), 1U);
    EXPECT_TRUE(reading.found("more buffers than BuffersWritten"));
}

TEST(ReaderOrder, UnrollsACircularFileThatWentRound) {
    TraceFacts f = facts(2);
    f.mode = format::log_mode::circular;
    TraceBuilder trace(f);
    for (std::uint16_t i = 1; i <= 7; ++i) {
        add(trace.buffer({.processor = static_cast<std::uint16_t>(i % 2)}), 10 * i, i);
    }
    const Reading reading = read(trace.wrap(4).build());
    EXPECT_THAT(reading.ids(), ElementsAre(1, 2, 3, 4, 5, 6, 7));
    EXPECT_THAT(reading.findings, IsEmpty());
}

TEST(ReaderOrder, InFileOrderGivesBuffersAsTheyLie) {
    TraceBuilder trace(facts(2));
    auto& cpu1 = trace.buffer({.processor = 1});
    add(cpu1, 90, 1);
    add(cpu1, 80, 2);
    add(trace.buffer({.processor = 0}), 10, 3);
    EXPECT_THAT(read(trace.build(), {.order = Order::file}).ids(), ElementsAre(1, 2, 3));
}

TEST(ReaderOrder, InBufferOrderGivesEachProcessorItsRecordsAsTheyWereWritten) {
    TraceFacts f = facts(2);
    f.mode = format::log_mode::circular;
    TraceBuilder trace(f);
    auto& cpu1 = trace.buffer({.processor = 1});
    add(cpu1, 90, 1);
    add(cpu1, 80, 2);
    add(trace.buffer({.processor = 0}), 10, 3);
    add(trace.buffer({.processor = 1}), 20, 4);
    add(trace.buffer({.processor = 0}), 5, 5);
    EXPECT_THAT(read(trace.wrap(3).build(), {.order = Order::buffers}).ids(),
                ElementsAre(1, 2, 3, 4, 5));
}

TEST(ReaderOrder, GivesOnlyWhatIsSelected) {
    TraceBuilder trace(facts(2));
    auto& cpu1 = trace.buffer({.processor = 1});
    add(cpu1, 90, 1);
    add(cpu1, 80, 2);
    add(trace.buffer({.processor = 0}), 10, 3);
    add(trace.buffer({.processor = 1}), 85, 4);
    const auto is_even = [](const flow::Event& event) {
        return flow::read_header(event).id % 2 == 0;
    };
    const Image file = trace.build();
    EXPECT_THAT(read(file, {.select = is_even}).ids(), ElementsAre(2, 4));
    for (const unsigned threads : {1U, 3U}) {
        for (const Order order : {Order::time, Order::recorded, Order::file, Order::buffers}) {
            auto reader = Reader::open(in_memory(file),
                                       {.order = order, .threads = threads, .select = is_even});
            ASSERT_TRUE(reader);
            std::size_t all = 0;
            (*reader)->for_each_buffer(
                1, [&](unsigned, const BufferEntry&, flow::Run run) { all += run.size(); });
            EXPECT_EQ(all, 5U) << "for_each_buffer shows everything";
            EXPECT_THAT(read(file, {.order = order, .threads = threads, .select = is_even}).ids(),
                        ElementsAre(2, 4));
        }
    }
}

TEST(ReaderOrder, GivesTheSameEventsWithAnyNumberOfThreads) {
    TraceFacts f = facts(3);
    TraceBuilder trace(f);
    for (std::uint16_t i = 0; i < 60; ++i) {
        auto& buffer = trace.buffer({.processor = static_cast<std::uint16_t>(i % 3)});
        for (std::uint16_t k = 0; k < 20; ++k) {
            // Overlapping buffers, ties and a record out of order now and then.
            add(buffer, 100 * (i / 3) + 7 * k - (k % 9 == 0 ? 30 : 0),
                static_cast<std::uint16_t>(100 * i + k));
        }
    }
    const Image file = flip(trace.build(), 20 * 0x1000 + 0x48 + 3 * 0x50 + 3); // a bad marker
    for (const Order order : {Order::time, Order::recorded, Order::file, Order::buffers}) {
        const Reading alone = read(file, {.order = order, .threads = 1});
        EXPECT_EQ(alone.events.size(), 1201U - 17U);
        EXPECT_EQ(alone.damage, 1U);
        for (const unsigned threads : {2U, 4U}) {
            const Reading together = read(file, {.order = order, .threads = threads});
            EXPECT_EQ(together.events, alone.events) << threads;
            ASSERT_EQ(together.findings.size(), alone.findings.size());
            for (std::size_t i = 0; i < alone.findings.size(); ++i) {
                EXPECT_EQ(describe(together.findings[i]), describe(alone.findings[i]));
            }
        }
    }
}

} // namespace
} // namespace etl::trace::reader_order_test
