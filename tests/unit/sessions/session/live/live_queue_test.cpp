// What comes to consumers, and what is kept for them.
#include "tests/unit/sessions/session/live/live_feed.hpp"

#include <gmock/gmock.h>

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
} // namespace etl::session::live_queue_test
