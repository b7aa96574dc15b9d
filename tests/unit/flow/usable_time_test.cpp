#include <etl/flow/usable_time.hpp>

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
    trace.reference_time = facts.reference;
    trace.clock = Clock(trace.header, facts.reference);
    return trace;
}

TEST(UsableTimes, EndADayBeforeTheStartAndAfterTheEnd) {
    const UsableTimes times(trace_of({.end = start + day}));
    EXPECT_TRUE(times.contain(start - day));
    EXPECT_FALSE(times.contain(start - day - 1));
    EXPECT_TRUE(times.contain(start + 2 * day));
    EXPECT_FALSE(times.contain(start + 2 * day + 1));
    EXPECT_FALSE(times.contain(0));
    EXPECT_FALSE(times.contain(-1));
}

TEST(UsableTimes, HaveNoEndIfTheTraceIsNotFinalized) {
    const UsableTimes times(trace_of({}));
    EXPECT_TRUE(times.contain(greatest));
    EXPECT_FALSE(times.contain(start - day - 1));
}

TEST(UsableTimes, AreThoseOfTheClock) {
    const UsableTimes times(trace_of(
        {.type = ClockType::qpc, .end = start + day, .reference = 90'000'000, .frequency = 1000}));
    EXPECT_TRUE(times.contain(90'000'000 - 86'400'000));
    EXPECT_FALSE(times.contain(90'000'000 - 86'400'001));
    EXPECT_TRUE(times.contain(90'000'000 + 2 * 86'400'000));
    EXPECT_FALSE(times.contain(90'000'000 + 2 * 86'400'000 + 1));
    EXPECT_FALSE(times.contain(0));
}

TEST(UsableTimes, ContainZeroOnlyIfTheHeaderHasIt) {
    EXPECT_FALSE(UsableTimes(trace_of({.type = ClockType::qpc, .reference = 5})).contain(0));
    EXPECT_TRUE(UsableTimes(trace_of({.type = ClockType::qpc, .reference = 0})).contain(0));
    EXPECT_FALSE(UsableTimes().contain(0));
    EXPECT_FALSE(UsableTimes(TraceInfo{}).contain(0));
}

TEST(UsableTimes, OrderEventsWithoutAStart) {
    const UsableTimes relative(trace_of({.type = ClockType::qpc, .start = 0, .reference = 5}));
    EXPECT_TRUE(relative.contain(1));
    EXPECT_TRUE(relative.contain(greatest));
    const UsableTimes absolute(trace_of({.start = 0, .end = start}));
    EXPECT_FALSE(absolute.contain(Filetime::unix_epoch - 1));
    EXPECT_TRUE(absolute.contain(Filetime::unix_epoch));
    EXPECT_FALSE(absolute.contain(start + day + 1));
}

TEST(UsableTimes, IgnoreHeadersThatContradictThemselves) {
    const UsableTimes ends_first(trace_of({.end = start - 1}));
    EXPECT_TRUE(ends_first.contain(start + 9 * day));
    const UsableTimes far(trace_of({.start = greatest, .end = greatest}));
    EXPECT_TRUE(far.contain(greatest));
    const UsableTimes unknown(trace_of({.type = ClockType::unknown}));
    EXPECT_TRUE(unknown.contain(1));
    const UsableTimes no_frequency(trace_of({.type = ClockType::qpc, .frequency = 0}));
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
