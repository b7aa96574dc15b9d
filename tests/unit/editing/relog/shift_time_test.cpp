#include "flow/context.hpp"
#include "relog/edit.hpp"
#include "tests/support/reading.hpp"
#include "tests/support/traces/kernel_records.hpp"
#include "trace/reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace etl::relog::shift_time_test {
namespace {

using test::TraceBuilder;
using testing::ElementsAre;

constexpr std::int64_t t0 = 1'000'000; // the header's
constexpr std::int64_t second = Filetime::per_second;

struct Shifted {
    std::vector<std::int64_t> raw, wall;
    std::vector<std::optional<flow::StackTarget>> stacks;
    std::vector<std::uint64_t> matches;
};

Shifted shifted(const TraceBuilder& trace, std::int64_t ticks) {
    const auto reader = std::move(*trace::Reader::open(test::in_memory(trace.build())));
    TimeShift shift(ticks);
    EditedSource source(*reader, shift);
    Shifted all;
    flow::EventCursor events(source);
    while (const flow::Event* event = events.next()) {
        all.raw.push_back(event->raw_time);
        all.wall.push_back(event->time().ticks);
        all.stacks.push_back(flow::stack_target(*event));
        const flow::EventHeader header = flow::read_header(*event);
        const Bytes stack = flow::find_item(header, format::ItemType::stack_trace64).data;
        if (!stack.empty()) {
            all.matches.push_back(load_le<std::uint64_t>(stack.data()));
        }
    }
    return all;
}

test::TraceFacts wall_time() {
    return {.clock = format::ClockType::system_time, .reference_time = test::story_start};
}

constexpr std::int64_t w0 = test::story_start; // the header's, where stamps are FILETIMEs

TEST(TimeShift, LetsAClockThatCountsBeginAtAnotherTime) {
    TraceBuilder trace({.perf_freq = 3'000'000});
    trace.buffer().add(format::EventRecord{.time = t0}).add(format::EventRecord{.time = t0 + 30});
    const Shifted all = shifted(trace, 2 * second);
    EXPECT_THAT(all.raw, ElementsAre(t0, t0, t0 + 30));
    EXPECT_THAT(all.wall, ElementsAre(w0 + 2 * second, w0 + 2 * second, w0 + 2 * second + 100));
    EXPECT_EQ(shifted(trace, -2 * second).wall.back(), w0 - 2 * second + 100);
}

TEST(TimeShift, ChangesStampsThatAreWallTime) {
    TraceBuilder trace(wall_time());
    trace.buffer().add(format::EventRecord{.time = w0 + 7});
    const Shifted all = shifted(trace, 2 * second);
    EXPECT_THAT(all.raw, ElementsAre(w0 + 2 * second, w0 + 2 * second + 7));
    EXPECT_EQ(all.wall, all.raw);
}

TEST(TimeShift, StopsAtTheEndsOfTime) {
    TraceBuilder trace(wall_time());
    trace.buffer().add(format::EventRecord{.time = w0});
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(shifted(trace, most).raw.back(), most);
    TraceBuilder counting;
    counting.buffer().add(format::EventRecord{.time = t0});
    EXPECT_EQ(shifted(counting, most).wall.back(), most);
}

TEST(TimeShift, MovesWhatHasNoTimeWithTheRecordBefore) {
    TraceBuilder trace(wall_time());
    trace.buffer().add(format::EventRecord{.time = w0 + 7}).add(format::MessageRecord{.number = 1});
    EXPECT_THAT(shifted(trace, second).raw,
                ElementsAre(w0 + second, w0 + 7 + second, w0 + 7 + second));
}

TEST(TimeShift, KeepsStacksWithTheirEvents) {
    for (const bool is_wall_time : {false, true}) {
        TraceBuilder trace(is_wall_time ? wall_time() : test::TraceFacts{});
        const std::int64_t from = is_wall_time ? w0 : t0;
        auto& buffer = trace.buffer();
        test::KernelRecord{0x0F2E, 2, from + 5, std::vector<std::byte>(16)}.add_to(buffer);
        test::stack_record(from + 6, from + 5, 100, 101, {1, 2}).add_to(buffer);
        const Shifted all = shifted(trace, second);
        ASSERT_TRUE(all.stacks.back());
        EXPECT_EQ(all.stacks.back()->time, all.raw[1]);
        EXPECT_EQ(all.stacks.back()->thread_id, 101U);
        EXPECT_EQ(all.raw[1], from + 5 + (is_wall_time ? second : 0));
    }
}

TEST(TimeShift, LeavesAStackAloneThatTellsNoTime) {
    TraceBuilder trace(wall_time());
    auto& buffer = trace.buffer();
    test::stack_record(w0 + 6, 0, 100, 101, {1}).add_to(buffer);
    EXPECT_EQ(shifted(trace, second).stacks.back()->time, 0);
}

TEST(TimeShift, KeepsTheUserPartOfAStackWithTheRest) {
    std::vector<std::byte> stack(16);
    store_le(stack.data(), std::int64_t{w0 + 9});
    std::vector<std::byte> whole(16); // captured in one go
    const std::array matched{
        format::ExtendedItem{.type = format::ItemType::stack_trace64, .data = stack}};
    const std::array unmatched{
        format::ExtendedItem{.type = format::ItemType::stack_trace64, .data = whole}};
    TraceBuilder trace(wall_time());
    trace.buffer()
        .add(format::EventRecord{.time = w0 + 5, .items = matched})
        .add(format::EventRecord{.time = w0 + 6, .items = unmatched});
    EXPECT_THAT(shifted(trace, second).matches, ElementsAre(w0 + 9 + second, 0));
}

TEST(TimeShift, ShiftsTheRecordingSoThatItsEventsAreWhereTheyShouldBe) {
    for (const format::ClockType clock : {format::ClockType::qpc, format::ClockType::system_time}) {
        const std::int64_t reference = clock == format::ClockType::qpc ? t0 : test::story_start;
        TraceBuilder trace({.clock = clock, .reference_time = reference});
        trace.buffer().add(format::EventRecord{.time = reference + 70});
        const auto reader = std::move(*trace::Reader::open(test::in_memory(trace.build())));
        TimeShift shift(3600 * second);
        const trace::Recording before = trace::relogged(reader->info());
        const trace::Recording after = shift.shift(before);
        EXPECT_EQ(after.header.start_time, before.header.start_time + 3600 * second);
        EXPECT_EQ(after.header.end_time, before.header.end_time + 3600 * second);
        EXPECT_EQ(after.header.boot_time, before.header.boot_time + 3600 * second);
        const flow::Clock new_clock(after.header, after.reference_time);
        EXPECT_EQ(new_clock.to_filetime(shifted(trace, 3600 * second).raw.back()).ticks,
                  test::story_start + 70 + 3600 * second);
    }
}

TEST(TimeShift, LeavesTimesAloneThatAreNotKnown) {
    trace::Recording recording = trace::begin_recording({});
    recording.header.boot_time = 0;
    recording.header.end_time = 0;
    const trace::Recording after = TimeShift(second).shift(recording);
    EXPECT_EQ(after.header.boot_time, 0);
    EXPECT_EQ(after.header.end_time, 0);
}

} // namespace
} // namespace etl::relog::shift_time_test
