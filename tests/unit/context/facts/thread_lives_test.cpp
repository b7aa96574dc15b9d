#include "facts/tables/thread_lives.hpp"

#include <gtest/gtest.h>

#include <map>

namespace etl::facts::thread_lives_test {
namespace {

constexpr std::uint32_t cook = 41, kettle = 1200, cup = 1300, unknown = flow::no_id;

using Seen = ThreadLives::Seen;
using Bounds = std::map<std::uint32_t, std::pair<std::int64_t, std::int64_t>>;

ThreadLives lives_of(std::initializer_list<Seen> events,
                     std::initializer_list<ThreadStatement> statements = {},
                     const Bounds& processes = {}) {
    ThreadLives lives;
    for (const Seen& seen : events) {
        EXPECT_TRUE(lives.add(seen));
    }
    for (const ThreadStatement& one : statements) {
        EXPECT_TRUE(lives.add(ThreadSpan{one.thread, one.process, one.time, one.time}));
    }
    lives.build([&](std::uint32_t process, std::int64_t) {
        const auto known = processes.find(process);
        return known != processes.end() ? known->second : std::pair(always, forever);
    });
    return lives;
}

std::uint32_t process_at(const ThreadLives& lives, std::int64_t time) {
    const ThreadLives::Life* const life = lives.latest(cook, time);
    const Thread around = lives.around(cook, time);
    EXPECT_EQ(around.process, life != nullptr ? life->process : unknown);
    EXPECT_LE(around.begin, time);
    EXPECT_LT(time, around.end);
    return around.process;
}

TEST(ThreadLives, AStatementHoldsBeforeAndAfterIt) {
    const ThreadLives lives = lives_of({}, {{cook, kettle, 50}});
    EXPECT_EQ(process_at(lives, 1), kettle);
    EXPECT_EQ(process_at(lives, 99), kettle);
    EXPECT_EQ(lives.around(42, 50).process, unknown);
}

TEST(ThreadLives, AStatementHoldsNoEarlierThanItsProcess) {
    const ThreadLives lives = lives_of({}, {{cook, kettle, 50}}, {{kettle, {40, forever}}});
    EXPECT_EQ(process_at(lives, 39), unknown);
    EXPECT_EQ(process_at(lives, 40), kettle);
}

TEST(ThreadLives, TheNearerOfTwoStatementsCounts) {
    const ThreadLives lives = lives_of({}, {{cook, kettle, 50}, {cook, cup, 60}});
    EXPECT_EQ(process_at(lives, 50), kettle);
    EXPECT_EQ(process_at(lives, 55), kettle);
    EXPECT_EQ(process_at(lives, 56), cup);
    EXPECT_EQ(process_at(lives, 60), cup);
}

TEST(ThreadLives, ProcessesThatEndAndStartDivideStatements) {
    EXPECT_EQ(process_at(lives_of({}, {{cook, kettle, 50}, {cook, cup, 60}},
                                  {{kettle, {0, 52}}, {cup, {51, forever}}}),
                         53),
              cup);
    const ThreadLives late = lives_of({}, {{cook, kettle, 50}, {cook, cup, 60}}, {{cup, {58, 99}}});
    EXPECT_EQ(process_at(late, 57), kettle);
}

TEST(ThreadLives, AStartAndAnEndDivideStatements) {
    const ThreadLives started = lives_of({{cook, cup, 58, Moment::begin}}, {{cook, kettle, 50}});
    EXPECT_EQ(process_at(started, 57), kettle);
    EXPECT_EQ(process_at(started, 58), cup);
    const ThreadLives ended = lives_of({{cook, kettle, 52, Moment::end}}, {{cook, cup, 60}});
    EXPECT_EQ(process_at(ended, 51), kettle);
    EXPECT_EQ(process_at(ended, 53), cup);
}

TEST(ThreadLives, AThreadThatHasEndedStillLogs) {
    const ThreadLives lives = lives_of(
        {{cook, kettle, 10, Moment::begin}, {cook, kettle, 50, Moment::end}}, {{cook, kettle, 51}});
    EXPECT_EQ(lives.lives().size(), 1U);
    EXPECT_EQ(process_at(lives, 51), kettle);
}

TEST(ThreadLives, EventsAboutAThreadBeatOtherRecordsBetweenThem) {
    const ThreadLives lives =
        lives_of({{cook, kettle, 10, Moment::present}, {cook, kettle, 90, Moment::present}},
                 {{cook, cup, 50}, {cook, cup, 95}});
    EXPECT_EQ(process_at(lives, 50), kettle);
    EXPECT_EQ(process_at(lives, 95), cup);
}

TEST(ThreadLives, ARundownAtTheEndDoesNotContradictAnEarlierUse) {
    const ThreadLives lives = lives_of({{cook, kettle, 90, Moment::present}}, {{cook, cup, 10}});
    EXPECT_EQ(process_at(lives, 10), cup);
    EXPECT_EQ(process_at(lives, 90), kettle);
}

TEST(ThreadLives, AnEndOfAnotherProcessDoesNotEndTheThreadOfThisOne) {
    const ThreadLives lives =
        lives_of({{cook, kettle, 10, Moment::begin}, {cook, cup, 90, Moment::end}});
    EXPECT_EQ(process_at(lives, 10), kettle);
    EXPECT_EQ(process_at(lives, 90), cup);
}

TEST(ThreadLives, TwoRecordersOfOneChangeCountOnce) {
    const ThreadLives lives = lives_of({{cook, kettle, 5, Moment::begin, true, Recorder::provider},
                                        {cook, kettle, 6, Moment::begin},
                                        {cook, kettle, 90, Moment::end, true, Recorder::provider},
                                        {cook, kettle, 91, Moment::end}});
    ASSERT_EQ(lives.lives().size(), 1U);
    EXPECT_EQ(lives.lives().front().begin, 5);
    EXPECT_EQ(lives.lives().front().end, 91);
}

TEST(ThreadSpans, StatementsThatAgreeTakeNoMemory) {
    BufferSpans buffer;
    for (std::int64_t time = 0; time < 1000; ++time) {
        buffer.add({cook, kettle, time});
        buffer.add({cook + 4, cup, time});
    }
    ASSERT_EQ(buffer.spans().size(), 2U);
    ThreadSpans all;
    EXPECT_TRUE(all.add(buffer.spans()[0], 1));
    EXPECT_TRUE(all.add({cook, kettle, 2000, 3000}, 1));
    EXPECT_FALSE(all.add(buffer.spans()[1], 1));
    const auto ends = all.take();
    ASSERT_EQ(ends.size(), 2U);
    EXPECT_EQ(ends[0].time, 0);
    EXPECT_EQ(ends[1].time, 3000);
}

} // namespace
} // namespace etl::facts::thread_lives_test
