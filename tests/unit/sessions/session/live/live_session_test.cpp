// Whole sessions in real time: programs write, consumers listen, nobody plays a part.

#include <etl/provider.hpp>
#include <etl/session.hpp>

#include "format/known_guids.hpp"
#include "session/consume.hpp"
#include "tests/support/reading.hpp"
#include "tests/unit/sessions/session/traced.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <map>
#include <thread>
#include <vector>

namespace etl::session::live_session_test {
namespace {

using provider::EventOptions;
using provider::Field;
using provider::StaticEvent;

using Note = StaticEvent<"Note", EventOptions{.level = 4}, Field<"Writer", std::uint32_t>,
                         Field<"Number", std::uint32_t>>;

/// A runtime with a provider that a session in real time has enabled.
class LiveSession : public testing::Test {
protected:
    LiveSession() : registration_(*runtime_.add(notes_)) {}

    Session start(SessionOptions options = {}) {
        options.name = options.name.empty() ? "Live" : options.name;
        options.mode |= mode::real_time;
        auto session = runtime_.start(options);
        EXPECT_TRUE(session);
        EXPECT_TRUE(session->enable(notes_.guid(), {.level = 4}));
        return *session;
    }

    /// Returns how many were lost.
    std::uint64_t write(std::uint32_t writer, std::uint32_t count) const {
        Note note(notes_);
        std::uint64_t lost = 0;
        for (std::uint32_t i = 1; i <= count; ++i) {
            lost += registration_.write(note.record({}, writer, i)).lost;
        }
        return lost;
    }

    provider::Provider notes_{"Tests.Notes"};
    Runtime runtime_;
    Registration registration_;
};

/// What a consumer got, while its source goes on in a thread of its own.
struct Taken {
    std::uint64_t events = 0, notices = 0, headers = 0;
    bool is_ordered = true, is_whole = true; // by time; each writer's numbers without a gap

    void take(flow::Source& source) {
        std::int64_t last = 0;
        std::map<std::uint32_t, std::uint32_t> numbers;
        flow::EventCursor all(source);
        while (const flow::Event* event = all.next()) {
            is_ordered = is_ordered && event->time().ticks >= last;
            last = event->time().ticks;
            const flow::EventHeader header = flow::read_header(*event);
            if (!format::is_event(event->kind)) {
                (header.is_kernel ? headers : notices) += 1;
                continue;
            }
            if (header.provider == format::kernel_event_tracing_guid) {
                continue; // the session names its provider
            }
            ++events;
            const auto writer = load_le<std::uint32_t>(header.payload.data());
            const auto number = load_le<std::uint32_t>(header.payload.data() + 4);
            is_whole = is_whole && number == ++numbers[writer];
        }
    }
};

TEST_F(LiveSession, GivesEveryEventToEveryConsumerInTheOrderOfTime) {
    constexpr std::uint32_t writers = 4, count = 3000;
    const Session session = start({.buffer_kb = 4, .maximum_buffers = 2000, .processors = 3});
    const auto one = LiveSource::listen(session);
    const auto two = LiveSource::listen(session, {.slow = SlowConsumer::disconnect});
    ASSERT_TRUE(one);
    ASSERT_TRUE(two);
    EXPECT_EQ(session.query()->consumers, 2U);
    Taken first, second;
    std::thread first_reader([&] { first.take(**one); });
    std::thread second_reader([&] { second.take(**two); });
    std::atomic<std::uint64_t> lost{0};
    std::vector<std::thread> threads;
    for (std::uint32_t i = 0; i < writers; ++i) {
        threads.emplace_back([&, i] { lost += write(i, count); });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    const auto end = session.stop();
    first_reader.join();
    second_reader.join();
    ASSERT_TRUE(end);
    EXPECT_EQ(end->events_lost, lost);
    EXPECT_EQ(end->real_time_buffers_lost, 0U);
    for (const Taken* taken : {&first, &second}) {
        EXPECT_EQ(taken->events, writers * count - lost);
        EXPECT_EQ(taken->headers, 1U);
        EXPECT_TRUE(taken->is_ordered);
        EXPECT_TRUE(taken->is_whole || lost != 0);
    }
}

TEST_F(LiveSession, DeliversWhatWasFlushed) {
    const Session session = start({.flush_timer = 3600});
    const auto live = LiveSource::listen(session);
    ASSERT_TRUE(live);
    write(1, 3);
    ASSERT_TRUE(session.flush());
    flow::EventCursor events(**live); // none of these calls waits for the timer
    EXPECT_TRUE(flow::read_header(*events.next()).is_kernel);
    for (std::uint32_t i = 1; i <= 3; ++i) {
        EXPECT_EQ(load_le<std::uint32_t>(flow::read_header(*events.next()).payload.data() + 4), i);
    }
}

TEST_F(LiveSession, DeliversByItsTimer) {
    const Session session = start({.mode = mode::use_ms_flush_timer, .flush_timer = 5});
    const auto live = LiveSource::listen(session);
    ASSERT_TRUE(live);
    write(1, 1);
    flow::EventCursor events(**live);
    events.next();
    EXPECT_EQ(events.next()->kind, format::wide(format::RecordFamily::event)); // or waits for ever
}

TEST_F(LiveSession, RefusesEventsWhileNobodyReadsWhatWasKept) {
    const Session session = start({.buffer_kb = 4, .backlog_bytes = 100'000, .processors = 1});
    std::uint32_t written = 0;
    Note note(notes_);
    WriteResult result;
    while (result.status == Status::success && written < 1'000'000) {
        result = registration_.write(note.record({}, 1U, written + 1));
        written += result.written;
        if (written % 20 == 0) {
            ASSERT_TRUE(session.flush()); // so that none is lost for want of buffers
        }
    }
    EXPECT_EQ(result.status, Status::log_file_full);
    EXPECT_EQ(result.lost, 1U);
    const auto live = LiveSource::listen(session);
    ASSERT_TRUE(live);
    Taken taken;
    std::thread reader([&] { taken.take(**live); });
    while (registration_.write(note.record({}, 2U, 1U)).written == 0) {
        std::this_thread::yield(); // until the reader has taken half of it
    }
    ASSERT_TRUE(session.stop());
    reader.join();
    EXPECT_EQ(taken.events, written + 1);
    EXPECT_TRUE(taken.is_whole);
    EXPECT_GT(taken.notices, 0U);
}

TEST_F(LiveSession, LosesNothingThatItAcceptedUnderLoad) {
    // Buffers of 1.6 MB, of which the backlog may hold 1 MB: writers outrun the logger.
    constexpr std::uint64_t bound = 1U << 20U;
    constexpr std::uint32_t writers = 4;
    constexpr std::uint64_t record_size = 0x50 + 8;
    const Session session = start({.buffer_kb = 4,
                                   .minimum_buffers = 400,
                                   .maximum_buffers = 400,
                                   .backlog_bytes = bound,
                                   .processors = 2});
    std::atomic<std::uint64_t> accepted{0}, refused{0};
    std::vector<std::thread> threads;
    for (std::uint32_t i = 0; i < writers; ++i) {
        threads.emplace_back([&, i] {
            Note note(notes_);
            for (std::uint32_t number = 1; number <= 30'000; ++number) {
                const WriteResult result = registration_.write(note.record({}, i, number));
                accepted += result.written;
                refused += result.status == Status::log_file_full ? 1 : 0;
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    ASSERT_TRUE(session.flush());
    EXPECT_GT(refused.load(), 0U);
    EXPECT_GT(accepted * record_size, bound / 2);
    EXPECT_LE(accepted * record_size, bound);
    EXPECT_EQ(session.query()->real_time_buffers_lost, 0U);
    const auto live = LiveSource::listen(session);
    ASSERT_TRUE(live);
    ASSERT_TRUE(session.stop());
    Taken taken;
    taken.take(**live);
    EXPECT_EQ(taken.events, accepted.load());
}

TEST_F(LiveSession, LosesNothingThatItAcceptedBeforeItsConsumerLeft) {
    const Session session = start({.buffer_kb = 4,
                                   .minimum_buffers = 400,
                                   .maximum_buffers = 400,
                                   .flush_timer = 3600,
                                   .backlog_bytes = 40'000,
                                   .processors = 1});
    auto first = LiveSource::listen(session);
    ASSERT_TRUE(first);
    std::uint32_t accepted = 0;
    {
        // Some are in its queue when it leaves, and some are still on their way.
        const std::uint64_t lost = write(1, 1000);
        accepted = 1000 - static_cast<std::uint32_t>(lost);
        (*first)->close();
        Taken taken;
        taken.take(**first);
        accepted -= static_cast<std::uint32_t>(taken.events);
    }
    const auto second = LiveSource::listen(session);
    ASSERT_TRUE(second);
    ASSERT_TRUE(session.stop());
    Taken taken;
    taken.take(**second);
    EXPECT_EQ(taken.events, accepted);
}

TEST_F(LiveSession, EndsWhenItsConsumerIsClosed) {
    const Session session = start();
    const auto live = LiveSource::listen(session);
    ASSERT_TRUE(live);
    Taken taken;
    std::thread reader([&] { taken.take(**live); });
    (*live)->close();
    reader.join();
    EXPECT_EQ(taken.events, 0U);
    EXPECT_EQ(session.query()->consumers, 0U);
}

TEST_F(LiveSession, OutlivesItsSessionAndTheNextInItsPlace) {
    Session session = start();
    const auto live = LiveSource::listen(session);
    ASSERT_TRUE(live);
    write(1, 2);
    ASSERT_TRUE(session.stop());
    session = start({.name = "Next"});
    write(1, 5);
    Taken taken;
    taken.take(**live);
    EXPECT_EQ(taken.events, 2U);
}

TEST_F(LiveSession, GivesWhatWasWrittenBeforeRealTimeWasTurnedOff) {
    const TestFolder folder;
    const Session session = start({.flush_timer = 3600, .file = folder / "one.etl"});
    const auto live = LiveSource::listen(session);
    ASSERT_TRUE(live);
    write(1, 3);
    ASSERT_TRUE(session.update({.real_time = false}));
    write(2, 1);
    Taken taken;
    taken.take(**live);
    EXPECT_EQ(taken.events, 3U);
    EXPECT_TRUE(taken.is_whole);
    ASSERT_TRUE(session.stop());
}

TEST_F(LiveSession, IsConsumedTogetherWithFilesAndOthers) {
    const TestFolder folder;
    const auto path = folder / "one.etl";
    auto file = runtime_.start({.name = "File", .file = path});
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->enable(notes_.guid(), {.level = 4}));
    write(1, 10);
    ASSERT_TRUE(file->stop());
    auto input = io::InputFile::map(path);
    ASSERT_TRUE(input);
    auto reader = trace::Reader::open(*input);
    ASSERT_TRUE(reader);

    const Session one = start({.name = "One", .clock = 1});
    const Session two = start({.name = "Two", .clock = 2});
    const auto first = LiveSource::listen(one);
    const auto second = LiveSource::listen(two);
    ASSERT_TRUE(first);
    ASSERT_TRUE(second);
    std::uint64_t buffers = 0;
    Consumption all({.on_buffer = [&](const ConsumedBuffer&) { return ++buffers > 0; }});
    all.add(**reader);
    all.add(**first);
    all.add(**second);
    Taken taken;
    std::thread consumer([&] { taken.take(all); });
    write(1, 20); // to both
    ASSERT_TRUE(one.stop());
    ASSERT_TRUE(two.stop());
    consumer.join();
    EXPECT_EQ(taken.events, 10U + 2 * 20U);
    EXPECT_EQ(taken.headers, 3U);
    EXPECT_TRUE(taken.is_ordered);
    EXPECT_GE(buffers, 4U); // two of the file, one or more of each session
}

} // namespace
} // namespace etl::session::live_session_test
