// Files and sessions that run, together.
#include "session/consume.hpp"
#include "tests/support/reading.hpp"
#include "tests/support/traces/trace_builder.hpp"
#include "tests/unit/sessions/session/live/live_feed.hpp"

#include <gmock/gmock.h>

#include <thread>

namespace etl::session::consume_test {
namespace {

using testing::ElementsAre;

/// A trace in memory: raw times are 100 ns from its start.
class File {
public:
    explicit File(std::initializer_list<std::initializer_list<Fed>> buffers,
                  std::int64_t start = feed_start, std::uint32_t processors = 1) {
        test::TraceBuilder trace(
            {.processors = processors, .reference_time = 0, .start_time = start});
        std::uint16_t i = 0;
        for (const auto& events : buffers) {
            auto& buffer =
                trace.buffer({.processor = static_cast<std::uint16_t>(i++ % processors)});
            for (const Fed& event : events) {
                buffer.add(format::EventRecord{.time = event.time, .descriptor = {.id = event.id}});
            }
        }
        reader_ = std::move(*trace::Reader::open(test::in_memory(trace.build())));
    }

    trace::Reader& reader() { return *reader_; }

private:
    std::unique_ptr<trace::Reader> reader_;
};

TEST(Consumption, IsOverAtOnceWithoutSources) {
    Consumption all;
    EXPECT_TRUE(all.next_run().empty());
    EXPECT_FALSE(all.is_canceled());
    EXPECT_EQ(all.error(), nullptr);
}

TEST(Consumption, PutsFilesInTheOrderOfTime) {
    File one({{{10, 1}, {30, 2}}});
    File two({{{20, 3}}, {{40, 4}}}, feed_start + 5);
    Consumption all;
    all.add(one.reader());
    all.add(two.reader());
    EXPECT_THAT(words(all), ElementsAre("header", "header", "1", "3", "2", "4"));
}

TEST(Consumption, PutsFilesAndSessionsInTheOrderOfTime) {
    File file({{{10, 1}, {30, 2}, {70, 3}}});
    Feed feed(2);
    Feed other(1, 1000, feed_start + 35);
    const auto live = feed.listen();
    const auto later = other.listen();
    feed.deliver(0, 25, {{20, 4}});
    feed.deliver(1, 50, {{40, 5}});
    feed.queue.end();
    other.deliver(0, 10, {{5, 6}});
    other.queue.end();
    Consumption all;
    all.add(file.reader());
    all.add(*live);
    all.add(*later);
    EXPECT_THAT(words(all),
                ElementsAre("header", "header", "1", "4", "2", "header", "5", "6", "3"));
}

TEST(Consumption, IsNotHeldUpBySessionsThatHaveNothingToSay) {
    Feed busy(1);
    Feed quiet(1);
    const auto one = busy.listen();
    const auto two = quiet.listen();
    Consumption all;
    all.add(*one);
    all.add(*two);
    flow::EventCursor events(all);
    EXPECT_EQ(word(*events.next()), "header");
    EXPECT_EQ(word(*events.next()), "header");
    busy.deliver(0, 10, {{10, 1}});
    quiet.queue.advance(10);
    EXPECT_EQ(word(*events.next()), "1");
}

TEST(Consumption, WakesUpForAnyOfItsSessions) {
    Feed one(1);
    Feed two(1);
    const auto first = one.listen();
    const auto second = two.listen();
    std::vector<std::string> all;
    Consumption both;
    both.add(*first);
    both.add(*second);
    std::thread reader([&] { all = words(both); });
    one.deliver(0, 10, {{10, 1}});
    two.deliver(0, 30, {{20, 2}});
    one.queue.end();
    two.queue.end();
    reader.join();
    EXPECT_THAT(all, ElementsAre("header", "header", "1", "2"));
}

TEST(Consumption, GivesTheWindowAndEveryHeader) {
    File before({{{1, 1}, {2, 2}}});
    File inside({{{10, 3}, {20, 4}}, {{21, 5}, {30, 6}}});
    File behind({{{1, 7}}}, feed_start + 100);
    Feed feed(1);
    const auto live = feed.listen();
    feed.deliver(0, 15, {{9, 8}, {12, 9}});
    feed.deliver(0, 25, {{22, 10}}); // the session goes on, but not in the window
    Consumption all({.from = Filetime{feed_start + 10}, .to = Filetime{feed_start + 20}});
    all.add(before.reader());
    all.add(inside.reader());
    all.add(behind.reader());
    all.add(*live);
    EXPECT_THAT(words(all), ElementsAre("header", "header", "header", "3", "9", "4", "header"));
}

TEST(Consumption, EndsWhenASessionIsBeyondTheWindow) {
    Feed feed(2);
    const auto live = feed.listen();
    feed.deliver(0, 15, {{12, 1}});
    feed.queue.advance(21); // nothing is written; time goes by
    Consumption all({.to = Filetime{feed_start + 20}});
    all.add(*live);
    EXPECT_THAT(words(all), ElementsAre("header", "1"));
}

TEST(Consumption, GoesOnBehindAStampOfTheFuture) {
    Feed feed(1);
    const auto live = feed.listen();
    feed.deliver(0, 11, {{10, 1}, {900, 2}});
    feed.deliver(0, 13, {{800, 3}});
    feed.deliver(0, 16, {{15, 4}});
    feed.queue.end();
    Consumption all({.to = Filetime{feed_start + 20}});
    all.add(*live);
    EXPECT_THAT(words(all), ElementsAre("header", "1", "4"));
}

TEST(Consumption, PutsStampsOfTheFutureWhereTheirSessionHasThem) {
    Feed feed(1);
    File file({{{12, 5}, {14, 6}}});
    const auto live = feed.listen();
    feed.deliver(0, 11, {{10, 1}, {900, 2}});
    feed.deliver(0, 16, {{15, 4}});
    feed.queue.end();
    Consumption all;
    all.add(file.reader());
    all.add(*live);
    EXPECT_THAT(words(all), ElementsAre("header", "header", "1", "2", "5", "6", "4"));
}

TEST(Consumption, TellsOfBuffersWhenTheirEventsWereGiven) {
    File file({{{10, 1}, {30, 2}}, {{20, 3}, {40, 4}}, {{50, 5}}}, feed_start, 2);
    std::vector<std::string> all;
    Consumption source({.on_buffer = [&](const ConsumedBuffer& buffer) {
        EXPECT_EQ(buffer.trace, &file.reader().info());
        EXPECT_EQ(buffer.buffer_size, file.reader().info().header.buffer_size);
        EXPECT_GT(buffer.filled, format::buffer_header::size);
        all.push_back("buffer " + std::to_string(buffer.buffers_read));
        return true;
    }});
    source.add(file.reader());
    flow::EventCursor events(source);
    while (const flow::Event* event = events.next()) {
        all.push_back(word(*event));
    }
    EXPECT_THAT(all, ElementsAre("header", "buffer 1", "1", "3", "2", "buffer 2", "4", "buffer 3",
                                 "5", "buffer 4"));
}

TEST(Consumption, TellsOfBuffersOfSessionsBeforeItWaits) {
    Feed feed(1);
    const auto live = feed.listen();
    Consumption* self = nullptr;
    Consumption source({.on_buffer = [&](const ConsumedBuffer& buffer) {
        EXPECT_EQ(buffer.buffers_read, 1U);
        EXPECT_EQ(buffer.buffer_size, feed_buffer_size);
        self->cancel();
        return true;
    }});
    self = &source;
    source.add(*live);
    feed.queue.tell_lost_events(1);
    feed.deliver(0, 10, {{5, 1}, {6, 2}});
    EXPECT_THAT(words(source), ElementsAre("header", "lost 32", "1", "2"));
    EXPECT_TRUE(source.is_canceled());
}

TEST(Consumption, EndsWhenItIsToldOfABufferAndSaysNo) {
    File file({{{10, 1}}, {{20, 2}}, {{30, 3}}});
    std::uint64_t buffers = 0;
    Consumption source({.on_buffer = [&](const ConsumedBuffer&) { return ++buffers < 2; }});
    source.add(file.reader());
    EXPECT_THAT(words(source), ElementsAre("header", "1"));
    EXPECT_EQ(buffers, 2U);
    EXPECT_TRUE(source.is_canceled());
}

TEST(Consumption, CountsBuffersOutsideOfTheWindow) {
    File file({{{10, 1}}, {{20, 2}}, {{30, 3}}});
    std::uint64_t buffers = 0;
    Consumption source({.from = Filetime{feed_start + 30}, .on_buffer = [&](const ConsumedBuffer&) {
                            ++buffers;
                            return true;
                        }});
    source.add(file.reader());
    EXPECT_THAT(words(source), ElementsAre("header", "3"));
    EXPECT_EQ(buffers, 4U);
}

TEST(Consumption, IsCancelledFromAnotherThread) {
    Feed feed(1);
    const auto live = feed.listen();
    Consumption source;
    source.add(*live);
    std::vector<std::string> all;
    std::thread reader([&] { all = words(source); });
    source.cancel();
    reader.join();
    EXPECT_LE(all.size(), 1U);
    EXPECT_TRUE(source.is_canceled());
}

TEST(Consumption, PinsKeepEventsOfEachSource) {
    File file({{{10, 1}}, {{30, 2}}});
    Feed feed(1);
    const auto live = feed.listen();
    feed.deliver(0, 25, {{20, 3}});
    feed.deliver(0, 45, {{40, 4}});
    feed.queue.end();
    Consumption all;
    all.add(file.reader());
    all.add(*live);
    std::vector<std::pair<flow::Pin, flow::Run>> kept;
    for (flow::Run run = all.next_run(); !run.empty(); run = all.next_run()) {
        kept.emplace_back(all.pin(), run);
    }
    std::vector<std::string> found;
    for (const auto& [pin, run] : kept) {
        for (const flow::Event& event : run) {
            found.push_back(word(event));
        }
    }
    EXPECT_THAT(found, ElementsAre("header", "header", "1", "3", "2", "4"));
}

} // namespace
} // namespace etl::session::consume_test
