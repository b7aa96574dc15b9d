#include "flow/usable_time.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace etl::flow::usable_time_test {
namespace {

using format::ClockType;

constexpr std::int64_t start = 133'603'920'000'000'000; // 2024-05-17
constexpr std::int64_t day = 86'400 * Filetime::per_second;
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();

struct Facts {
    ClockType type = ClockType::system_time;
    std::int64_t start = usable_time_test::start;
    std::int64_t end = 0;
    std::int64_t reference = usable_time_test::start;
    std::int64_t frequency = 1000;
    std::uint32_t mode = 0;
};

TraceInfo trace_of(const Facts& facts) {
    TraceInfo trace;
    trace.has_header = true;
    trace.header.sub_version = 1;
    trace.header.sub_minor_version = 5;
    trace.header.reserved_flags = static_cast<std::uint32_t>(facts.type);
    trace.header.perf_freq = facts.frequency;
    trace.header.start_time = facts.start;
    trace.header.end_time = facts.end;
    trace.header.log_file_mode = facts.mode;
    trace.reference_time = facts.reference;
    trace.clock = Clock(trace.header, facts.reference);
    return trace;
}

/// Of a buffer whose flush time is not known.
UsableTimes times_of(const TraceInfo& trace) {
    return {trace, 0};
}

TEST(UsableTimes, EndADayBeforeTheStartAndAfterTheEnd) {
    const UsableTimes times = times_of(trace_of({.end = start + day}));
    EXPECT_TRUE(times.contain(start - day));
    EXPECT_FALSE(times.contain(start - day - 1));
    EXPECT_TRUE(times.contain(start + 2 * day));
    EXPECT_FALSE(times.contain(start + 2 * day + 1));
    EXPECT_FALSE(times.contain(0));
    EXPECT_FALSE(times.contain(-1));
}

TEST(UsableTimes, HaveNoEndIfTheTraceIsNotFinalized) {
    const UsableTimes counter =
        times_of(trace_of({.type = ClockType::qpc, .reference = 90'000'000}));
    EXPECT_TRUE(counter.contain(greatest));
    EXPECT_FALSE(counter.contain(90'000'000 - 86'400'001)); // a counter is not set back
}

TEST(UsableTimes, HaveNoStartIfTheTraceIsNotFinalizedAndTheClockMayBeSetBack) {
    const UsableTimes times = times_of(trace_of({}));
    EXPECT_TRUE(times.contain(greatest));
    EXPECT_TRUE(times.contain(start - 2000 * day));
    EXPECT_FALSE(times.contain(Filetime::unix_epoch - 1));
}

TEST(UsableTimes, AreAllOfThoseOfAFileToWhichRunsWereAppended) {
    for (const ClockType type : {ClockType::qpc, ClockType::system_time}) {
        const UsableTimes times = times_of(
            trace_of({.type = type, .end = start + day, .mode = format::log_mode::append}));
        EXPECT_TRUE(times.contain(start - 2000 * day));
        EXPECT_TRUE(times.contain(start + 2000 * day));
    }
}

TEST(UsableTimes, ReachToTheFlushOfTheBuffer) {
    const TraceInfo trace = trace_of({.end = start + day});
    const UsableTimes before(trace, start - 2000 * day);
    EXPECT_TRUE(before.contain(start - 2001 * day));
    EXPECT_FALSE(before.contain(start - 2001 * day - 1));
    EXPECT_TRUE(before.contain(start + 2 * day));
    EXPECT_FALSE(before.contain(start + 2 * day + 1));
    const UsableTimes after(trace, start + 2000 * day);
    EXPECT_TRUE(after.contain(start + 2001 * day));
    EXPECT_FALSE(after.contain(start - day - 1));
    EXPECT_FALSE(UsableTimes(trace, 5).contain(5)); // no flush: before 1970
    EXPECT_TRUE(UsableTimes(trace, greatest).contain(greatest));
    const UsableTimes counted(
        trace_of({.type = ClockType::qpc, .end = start, .reference = 90'000'000}), 990'000'000);
    EXPECT_TRUE(counted.contain(990'000'000 + 86'400'000));
    EXPECT_FALSE(counted.contain(990'000'000 + 86'400'001));
}

TEST(UsableTimes, TakeTheFlushTimeOfARelogAsFiletime) {
    const UsableTimes times(trace_of({.type = ClockType::qpc,
                                      .end = start,
                                      .reference = 90'000'000,
                                      .mode = format::log_mode::relog}),
                            start + 9 * day);
    EXPECT_TRUE(times.contain(90'000'000 + 10 * 86'400'000));
    EXPECT_FALSE(times.contain(90'000'000 + 10 * 86'400'000 + 1));
}

TEST(UsableTimes, AreThoseOfTheClock) {
    const UsableTimes times = times_of(trace_of(
        {.type = ClockType::qpc, .end = start + day, .reference = 90'000'000, .frequency = 1000}));
    EXPECT_TRUE(times.contain(90'000'000 - 86'400'000));
    EXPECT_FALSE(times.contain(90'000'000 - 86'400'001));
    EXPECT_TRUE(times.contain(90'000'000 + 2 * 86'400'000));
    EXPECT_FALSE(times.contain(90'000'000 + 2 * 86'400'000 + 1));
    EXPECT_FALSE(times.contain(0));
}

TEST(UsableTimes, ContainZeroOnlyIfTheHeaderHasIt) {
    EXPECT_FALSE(times_of(trace_of({.type = ClockType::qpc, .reference = 5})).contain(0));
    EXPECT_TRUE(times_of(trace_of({.type = ClockType::qpc, .reference = 0})).contain(0));
    EXPECT_FALSE(UsableTimes().contain(0));
    EXPECT_FALSE(times_of(TraceInfo{}).contain(0));
}

TEST(UsableTimes, OrderEventsWithoutAStart) {
    const UsableTimes relative =
        times_of(trace_of({.type = ClockType::qpc, .start = 0, .reference = 5}));
    EXPECT_TRUE(relative.contain(1));
    EXPECT_TRUE(relative.contain(greatest));
    const UsableTimes absolute = times_of(trace_of({.start = 0, .end = start}));
    EXPECT_FALSE(absolute.contain(Filetime::unix_epoch - 1));
    EXPECT_TRUE(absolute.contain(Filetime::unix_epoch));
    EXPECT_FALSE(absolute.contain(start + day + 1));
}

TEST(UsableTimes, IgnoreHeadersThatContradictThemselves) {
    const UsableTimes ends_first = times_of(trace_of({.end = start - 1}));
    EXPECT_TRUE(ends_first.contain(start + 9 * day));
    EXPECT_TRUE(ends_first.contain(start - 9 * day));
    const UsableTimes far = times_of(trace_of({.start = greatest, .end = greatest}));
    EXPECT_TRUE(far.contain(greatest));
    const UsableTimes unknown = times_of(trace_of({.type = ClockType::unknown}));
    EXPECT_TRUE(unknown.contain(1));
    const UsableTimes no_frequency = times_of(trace_of({.type = ClockType::qpc, .frequency = 0}));
    EXPECT_TRUE(no_frequency.contain(least));
}

TEST(WallTime, IsNoneWithoutAUsableTimeOrBefore1970) {
    const TraceInfo trace = trace_of({});
    const BufferContext buffer{.trace = &trace, .bytes = {}};
    EXPECT_EQ(wall_time({.raw_time = start, .buffer = &buffer}), Filetime{start});
    EXPECT_EQ(wall_time({.raw_time = start, .buffer = &buffer, .has_time = false}), std::nullopt);
    EXPECT_EQ(wall_time({.raw_time = 5, .buffer = &buffer}), std::nullopt);
}

} // namespace
} // namespace etl::flow::usable_time_test
