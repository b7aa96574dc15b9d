// What comes to consumers, and what is kept for them.
#include "tests/support/counting_new.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/unit/sessions/session/live/live_feed.hpp"

#include <gmock/gmock.h>

#include <thread>
#include <utility>

#if !defined(_WIN32)
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace etl::session::live_queue_test {

namespace {

using testing::ElementsAre;

TEST(LiveQueue, BeginsWithTheHeaderOfTheSession) {
    Feed feed;
    const auto source = feed.listen();
    const flow::Run run = source->next_run();
    ASSERT_EQ(run.size(), 1U);
    const flow::EventHeader header = flow::read_header(run.front());
    EXPECT_EQ(run.front().buffer->number, 0U);
    EXPECT_EQ(header.process_id, 7U);
    const auto parsed = format::parse_logfile_header(header.payload, 8, {});
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->session_name, u"Feed");
    EXPECT_EQ(parsed->buffer_size, feed_buffer_size);
    EXPECT_EQ(source->info().name, "Feed");
    EXPECT_EQ(source->info().logger_id, 3U);
    EXPECT_EQ(source->info().clock.to_filetime(0).ticks, feed_start);
}

TEST(LiveQueue, GivesBuffersAsFilesHaveThem) {
    Feed feed;
    const auto source = feed.listen();
    feed.deliver(1, 50, {{40, 1}});
    feed.queue.end();
    source->next_run();
    const flow::Run run = source->next_run();
    ASSERT_EQ(run.size(), 1U);
    const flow::BufferContext& context = *run.front().buffer;
    EXPECT_EQ(context.processor, 1U);
    EXPECT_EQ(context.logger_id, 3U);
    EXPECT_EQ(context.sequence, 1);
    EXPECT_EQ(context.number, 1U);
    const auto head = format::BufferHeaderView::at(context.bytes, {});
    ASSERT_TRUE(head);
    EXPECT_EQ(head->buffer_size(), feed_buffer_size);
    EXPECT_EQ(head->used(), context.bytes.size());
    EXPECT_EQ(head->time_stamp(), 50);
    EXPECT_EQ(head->sequence_number(), 1);
    EXPECT_EQ(run.front().time().ticks, feed_start + 40);
}

TEST(LiveQueue, GivesEveryConsumerAll) {
    Feed feed;
    const auto one = feed.listen();
    const auto two = feed.listen();
    EXPECT_EQ(feed.queue.consumers(), 2U);
    feed.deliver(0, 10, {{5, 1}, {6, 2}});
    feed.deliver(1, 10, {{4, 3}});
    feed.queue.end();
    EXPECT_THAT(words(*one), ElementsAre("header", "3", "1", "2"));
    EXPECT_THAT(words(*two), ElementsAre("header", "3", "1", "2"));
    EXPECT_EQ(feed.queue.consumers(), 0U);
}

TEST(LiveQueue, KeepsWhatComesWhileNobodyListens) {
    Feed feed;
    feed.deliver(0, 10, {{5, 1}});
    feed.deliver(1, 10, {{4, 2}});
    const auto first = feed.listen();
    const auto second = feed.listen();
    feed.deliver(0, 20, {{15, 3}});
    feed.queue.end();
    EXPECT_THAT(words(*first), ElementsAre("header", "2", "1", "3"));
    EXPECT_THAT(words(*second), ElementsAre("header", "3"));
}

TEST(LiveQueue, KeepsTheBacklogFromThoseWhoDoNotWantIt) {
    Feed feed;
    feed.deliver(0, 10, {{5, 1}});
    const auto without = feed.listen({.with_backlog = false});
    const auto with = feed.listen();
    feed.deliver(0, 20, {{15, 2}});
    feed.queue.end();
    EXPECT_THAT(words(*without), ElementsAre("header", "2"));
    EXPECT_THAT(words(*with), ElementsAre("header", "1", "2"));
}

TEST(LiveQueue, KeepsNothingWithoutRealTime) {
    LiveQueue queue;
    queue.open(feed_recording(1), feed_buffer_size, false, 1U << 20U, {});
    FedBuffer buffer(0, 10);
    EXPECT_EQ(queue.deliver(buffer.add(Fed{5, 1}).view(), 1).lost, 0U);
    EXPECT_EQ(queue.connect({}).error().status, Status::wmi_instance_not_found);
    queue.set_real_time(true);
    const auto source = queue.connect({});
    ASSERT_TRUE(source);
    queue.end();
    EXPECT_THAT(words(**source), ElementsAre("header"));
}

TEST(LiveQueue, EndsConsumersWithRealTime) {
    Feed feed;
    const auto source = feed.listen();
    feed.deliver(0, 10, {{5, 1}});
    feed.queue.set_real_time(false);
    EXPECT_EQ(feed.queue.consumers(), 0U);
    EXPECT_EQ(feed.deliver(0, 20, {{15, 2}}), 0U);
    EXPECT_THAT(words(*source), ElementsAre("header", "1"));
}

TEST(LiveQueue, RefusesWritersWhileTheBacklogIsFull) {
    // Beside the space for one full buffer, 4000 bytes. Each buffer here costs some 200.
    Feed feed(1, feed_buffer_size + 4000);
    std::uint16_t kept = 0;
    while (feed.refusals.empty()) {
        ++kept;
        ASSERT_LT(kept, 100U);
        EXPECT_EQ(feed.deliver(0, kept, {{kept, kept}}), 0U);
    }
    EXPECT_EQ(feed.refusals, std::vector<bool>{true});
    EXPECT_GT(kept, 10U);
    EXPECT_LT(kept, 30U);
    EXPECT_EQ(feed.queue.refusals(), 1U);
    ++kept;
    EXPECT_EQ(feed.deliver(0, kept, {{kept, kept}}), 0U) << "it was accepted before";

    const auto source = feed.listen();
    EXPECT_EQ(feed.refusals, std::vector<bool>{true});
    feed.deliver(0, 200, {{200, 200}});
    feed.queue.advance(200);
    feed.queue.end();
    EXPECT_EQ(words(*source).size(), 1U + kept + 1U) << "and nothing is lost";
    EXPECT_EQ(feed.refusals.size(), 1U) << "of a session that ended nothing is said any more";
}

TEST(LiveQueue, RefusesWritersUntilHalfOfTheBacklogIsRead) {
    Feed feed(1);
    std::vector<bool> refusals;
    constexpr std::uint32_t small = 256; // bytes of a buffer: of some 200 in use
    feed.queue.open(feed_recording(1), small, true, 4000,
                    [&](std::uint32_t max) { refusals.push_back(max == 0); });
    std::uint16_t kept = 0;
    while (refusals.empty() || !refusals.back()) {
        ++kept;
        ASSERT_LT(kept, 100U);
        feed.deliver(0, kept, {{kept, kept}});
    }
    const auto source = feed.listen();
    feed.queue.advance(kept);
    std::uint16_t last = 0;
    flow::EventCursor events(*source);
    while (refusals.back()) {
        const flow::Event* event = events.next();
        ASSERT_NE(event, nullptr);
        last = flow::read_header(*event).id;
    }
    EXPECT_GT(last, kept / 3);
    EXPECT_LT(last, kept - kept / 3) << "half of it is read, not all";
}

TEST(LiveQueue, AdmitsAsManyBuffersAsTheBacklogHasSpaceFor) {
    Feed feed(1, 10 * (feed_buffer_size + std::uint64_t{sizeof(DeliveredBuffer)}));
    EXPECT_EQ(feed.admitted, 10U);
    feed.deliver(0, 1, {{1, 1}});
    EXPECT_EQ(feed.admitted, 9U) << "a small one, but not ten full ones beside it";
    {
        const auto source = feed.listen({.with_backlog = false});
        EXPECT_EQ(feed.admitted, Buffers::no_limit);
    }
    EXPECT_EQ(feed.admitted, 9U);
    feed.queue.set_real_time(false);
    EXPECT_EQ(feed.admitted, Buffers::no_limit);
    feed.queue.set_real_time(true);
    EXPECT_EQ(feed.admitted, 10U);
}

TEST(LiveQueue, AdmitsOneBufferWhateverTheBound) {
    Feed feed(1, 1);
    EXPECT_EQ(feed.admitted, 1U);
    feed.deliver(0, 1, {{1, 1}});
    EXPECT_EQ(feed.admitted, 0U);
}

TEST(LiveQueue, RefusesNobodyForABacklogThatItsConsumerDidNotWant) {
    Feed feed(1, 1000);
    for (std::uint16_t id = 1; id <= 10; ++id) {
        feed.deliver(0, id, {{id, id}});
    }
    ASSERT_EQ(feed.refusals, std::vector<bool>{true});
    {
        const auto source = feed.listen({.with_backlog = false});
        EXPECT_EQ(feed.refusals, (std::vector<bool>{true, false}));
    }
    EXPECT_EQ(feed.refusals, (std::vector<bool>{true, false, true})) << "it is still full";
    feed.queue.end();
    EXPECT_EQ(feed.refusals.size(), 3U) << "of a session that ended nothing is said any more";
}

TEST(LiveQueue, TellsTheNextConsumerOfABacklogThatWasNotRead) {
    Feed feed(1);
    feed.deliver(0, 10, {{5, 1}});
    feed.listen().reset();
    feed.deliver(0, 20, {{15, 2}});
    const auto source = feed.listen();
    feed.queue.end();
    EXPECT_THAT(words(*source), ElementsAre("header", "lost 34", "2"));
}

} // namespace

// What is lost on the way to consumers, and how it ends.

namespace {

using testing::ElementsAre;

constexpr Guid lost_event = *parse_guid("6a399ae0-4bc6-4de9-870b-3657f8947e7e");

TEST(LiveQueue, LosesNewBuffersForASlowConsumer) {
    Feed feed(1);
    const auto source = feed.listen({.queue_bytes = 400, .slow = SlowConsumer::drop_newest});
    std::uint32_t lost = 0;
    for (std::uint16_t id = 1; id <= 9; ++id) {
        lost += feed.deliver(0, id * 10, {{id * 10, id}});
    }
    EXPECT_GT(lost, 0U);
    EXPECT_EQ(source->buffers_lost(), lost);
    source->next_run(); // the header
    feed.queue.advance(90);
    EXPECT_EQ(word(source->next_run().front()), "1");
    EXPECT_EQ(feed.deliver(0, 100, {{100, 10}}), 0U) << "now there is room";
    feed.queue.end();
    const auto rest = words(*source);
    ASSERT_GE(rest.size(), 2U);
    EXPECT_EQ(rest[rest.size() - 2], "lost 33");
    EXPECT_EQ(rest.back(), "10");
    EXPECT_EQ(rest.size(), 10U - lost);
}

TEST(LiveQueue, LosesOldBuffersForASlowConsumer) {
    Feed feed(1);
    const auto source = feed.listen({.queue_bytes = 400, .slow = SlowConsumer::drop_oldest});
    std::uint32_t lost = 0;
    for (std::uint16_t id = 1; id <= 9; ++id) {
        lost += feed.deliver(0, id * 10, {{id * 10, id}});
    }
    EXPECT_GT(lost, 0U);
    EXPECT_EQ(source->buffers_lost(), lost);
    feed.queue.end();
    const auto all = words(*source);
    ASSERT_EQ(all.size(), 2U + 9U - lost);
    EXPECT_EQ(all[1], "lost 33");
    EXPECT_EQ(all[2], std::to_string(lost + 1));
    EXPECT_EQ(all.back(), "9");
}

TEST(LiveQueue, DisconnectsASlowConsumer) {
    Feed feed(1);
    const auto source = feed.listen({.queue_bytes = 400, .slow = SlowConsumer::disconnect});
    const auto other = feed.listen();
    std::uint16_t given = 0;
    while (feed.queue.consumers() == 2) {
        ++given;
        ASSERT_LT(given, 100U);
        feed.deliver(0, given * 10, {{given * 10, given}});
    }
    const auto all = words(*source); // ends, though the session goes on
    EXPECT_EQ(all.size(), 2U + given - 1U);
    EXPECT_EQ(all.back(), "lost 33");
    EXPECT_EQ(source->buffers_lost(), 1U);
    feed.queue.end();
    EXPECT_EQ(words(*other).size(), 1U + given);
}

TEST(LiveQueue, TakesABufferThatIsLargerThanTheQueue) {
    Feed feed(1);
    const auto source = feed.listen({.queue_bytes = 0});
    EXPECT_EQ(feed.deliver(0, 10, {{10, 1}}), 0U);
    EXPECT_EQ(feed.deliver(0, 20, {{20, 2}}), 1U);
    feed.queue.end();
    EXPECT_THAT(words(*source), ElementsAre("header", "1", "lost 33"));
}

TEST(LiveQueue, TellsOfLostEventsBeforeTheNextBuffer) {
    Feed feed(2);
    const auto source = feed.listen();
    feed.deliver(0, 10, {{10, 1}});
    feed.queue.tell_lost_events(3);
    feed.queue.tell_lost_events(0);
    feed.deliver(0, 20, {{20, 2}, {20, 3}});
    feed.deliver(1, 20, {{15, 4}});
    feed.queue.tell_lost_events(1);
    feed.queue.end();
    EXPECT_THAT(words(*source), ElementsAre("header", "1", "4", "lost 32", "2", "3", "lost 32"));
}

TEST(LiveQueue, SaysWhatWasLostAsWindowsDoes) {
    Feed feed(1);
    const auto source = feed.listen();
    feed.queue.tell_lost_events(1);
    feed.deliver(0, 10, {{9, 1}});
    feed.queue.end();
    source->next_run();
    const flow::Run run = source->next_run();
    ASSERT_EQ(run.size(), 1U);
    const flow::EventHeader header = flow::read_header(run.front());
    EXPECT_EQ(run.front().kind, format::wide(format::RecordFamily::full));
    EXPECT_EQ(run.front().raw_time, 9);
    EXPECT_EQ(header.provider, lost_event);
    EXPECT_EQ(header.opcode, 32U);
    EXPECT_TRUE(header.payload.empty());
}

TEST(LiveQueue, GivesWhatWaitsWhenItIsClosed) {
    Feed feed(2);
    const auto source = feed.listen();
    feed.deliver(0, 10, {{10, 1}});
    source->close();
    EXPECT_EQ(feed.queue.consumers(), 0U);
    EXPECT_EQ(feed.deliver(0, 20, {{20, 2}}), 0U); // into the backlog
    EXPECT_THAT(words(*source), ElementsAre("header", "1"));
    EXPECT_TRUE(source->next_run().empty());
    EXPECT_EQ(source->error(), nullptr);
}

TEST(LiveQueue, EndsAWaitWhenItIsClosedFromAnotherThread) {
    Feed feed(2);
    const auto source = feed.listen();
    std::vector<std::string> all;
    std::thread reader([&] { all = words(*source); });
    source->close();
    reader.join();
    EXPECT_THAT(all, ElementsAre("header"));
}

TEST(LiveQueue, EndsTheConsumersOfTheSessionBefore) {
    Feed feed(1);
    const auto source = feed.listen();
    feed.deliver(0, 10, {{10, 1}});
    feed.queue.open(feed_recording(1), feed_buffer_size, true, 1000, {});
    EXPECT_EQ(feed.queue.consumers(), 0U);
    FedBuffer buffer(0, 20);
    feed.queue.deliver(buffer.add(Fed{20, 2}).view(), 1);
    EXPECT_THAT(words(*source), ElementsAre("header", "1"));
}

TEST(LiveQueue, SaysHowManyHaveABufferAndWhatWasLost) {
    Feed feed(1, 300);
    const auto deliver = [&](std::int64_t time) {
        FedBuffer buffer(0, time);
        const DeliveryCounts counts = feed.queue.deliver(buffer.add(Fed{time, 1}).view(), time);
        return std::pair(counts.taken, counts.lost);
    };
    EXPECT_EQ(deliver(1), std::pair(1U, 0U)) << "kept";
    EXPECT_EQ(deliver(2), std::pair(1U, 0U)) << "kept, too: it was accepted";
    const auto one = feed.listen({.queue_bytes = 1});
    const auto two = feed.listen({.with_backlog = false});
    EXPECT_EQ(deliver(3), std::pair(2U, 0U));
    EXPECT_EQ(deliver(4), std::pair(1U, 1U));
}

/// Each allocation of a delivery fails once: the buffer is there, or it is said that it is not.
TEST(LiveQueue, LosesABufferForWhichThereIsNoMemory) {
    if (!test::can_count_allocations()) {
        GTEST_SKIP();
    }
    for (const bool is_kept : {false, true}) {
        bool has_failed = true;
        unsigned losses = 0;
        for (unsigned nth = 1; has_failed; ++nth) {
            Feed feed(1);
            std::unique_ptr<LiveSource> source = is_kept ? nullptr : feed.listen();
            FedBuffer buffer(0, 10);
            const ClosedBuffer view = buffer.add(Fed{10, 1}).view();
            DeliveryCounts counts;
            {
                const test::FailingNew failing(nth);
                counts = feed.queue.deliver(view, 1);
                has_failed = failing.has_failed();
            }
            losses += counts.lost;
            source = is_kept ? feed.listen() : std::move(source);
            feed.queue.end();
            EXPECT_EQ(counts.taken + counts.lost, 1U);
            EXPECT_THAT(words(*source), ElementsAre("header", counts.lost != 0 ? "lost 33" : "1"));
        }
        EXPECT_GE(losses, 2U) << "at least the buffer, and its memory";
    }
}

#if !defined(_WIN32)
TEST(LiveQueue, LetsGoOfConsumersOfEarlierSessionsInAChild) {
    Feed feed(1);
    const auto earlier = feed.listen();
    feed.queue.open(feed_recording(1), feed_buffer_size, true, 1000, {});
    const pid_t id = ::fork();
    if (id == 0) {
        feed.queue.forget_in_child();
        ::_exit(earlier->next_run().empty() ? 0 : 1);
    }
    int status = -1;
    ::waitpid(id, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
#endif

TEST(LiveQueue, LetsGoOfItsConsumersInAChild) {
    const test::LeaksOnPurpose what_the_parent_held;
    Feed feed(1);
    const auto source = feed.listen();
    feed.deliver(0, 10, {{10, 1}});
    feed.queue.forget_in_child();
    EXPECT_TRUE(source->next_run().empty());
    source->close();
    EXPECT_EQ(source->buffers_lost(), 0U);
    EXPECT_EQ(feed.queue.consumers(), 0U);
    EXPECT_FALSE(feed.queue.connect({}));
}

} // namespace

} // namespace etl::session::live_queue_test
