#include "flow/clock.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace etl::flow::clock_test {
namespace {

using format::ClockType;

constexpr std::int64_t start = 133'603'920'000'000'000;
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();

struct ClockFacts {
    ClockType type = ClockType::qpc;
    std::int64_t frequency = 10'000'000;
    std::uint32_t mhz = 0;
    std::int64_t reference = 0;
    std::int64_t start_time = start;
};

Clock clock_of(const ClockFacts& facts) {
    format::LogfileHeader header;
    header.sub_version = 1;
    header.sub_minor_version = 5;
    header.reserved_flags = static_cast<std::uint32_t>(facts.type);
    header.perf_freq = facts.frequency;
    header.cpu_speed_mhz = facts.mhz;
    header.start_time = facts.start_time;
    return Clock(header, facts.reference);
}

TEST(Clock, CountsFromTheReferencePair) {
    const Clock clock = clock_of({.frequency = 1'000, .reference = 500});
    EXPECT_EQ(clock.to_filetime(500).ticks, start);
    EXPECT_EQ(clock.to_filetime(501).ticks, start + 10'000);
}

TEST(Clock, RoundsTowardMinusInfinity) {
    const Clock clock = clock_of({.frequency = 30'000'000, .reference = 0});
    EXPECT_EQ(clock.to_filetime(1).ticks, start);
    EXPECT_EQ(clock.to_filetime(2).ticks, start);
    EXPECT_EQ(clock.to_filetime(3).ticks, start + 1);
    EXPECT_EQ(clock.to_filetime(-1).ticks, start - 1);
    EXPECT_EQ(clock.to_filetime(-3).ticks, start - 1);
    EXPECT_EQ(clock.to_filetime(-4).ticks, start - 2);
}

TEST(Clock, SurvivesDeltasThatOverflow64Bits) {
    // 30 hours at 24 MHz: the delta times 10^7 needs 65 bits.
    const Clock clock = clock_of({.frequency = 24'000'000});
    const std::int64_t hours30 = std::int64_t{30} * 3600;
    EXPECT_EQ(clock.to_filetime(hours30 * 24'000'000).ticks, start + hours30 * 10'000'000);
    EXPECT_EQ(clock.to_filetime(-hours30 * 24'000'000).ticks, start - hours30 * 10'000'000);
}

TEST(Clock, SaturatesInsteadOfWrapping) {
    const Clock slow = clock_of({.frequency = 1});
    EXPECT_EQ(slow.to_filetime(greatest).ticks, greatest);
    EXPECT_EQ(slow.to_filetime(least).ticks, least);
    const Clock fast = clock_of({.frequency = greatest, .start_time = greatest});
    EXPECT_EQ(fast.to_raw({least}), least);
    EXPECT_EQ(clock_of({.frequency = greatest, .start_time = least}).to_raw({greatest}), greatest);
}

TEST(Clock, OfSystemTimeTakesRawForFiletime) {
    const Clock clock = clock_of({.type = ClockType::system_time, .reference = 77});
    EXPECT_EQ(clock.to_filetime(start + 5).ticks, start + 5);
    EXPECT_EQ(clock.to_raw({start + 5}), start + 5);
    EXPECT_EQ(clock.frequency(), 10'000'000);
}

TEST(Clock, OfCyclesDividesByTheSpeedOfTheProcessor) {
    const Clock clock = clock_of({.type = ClockType::cpu_cycles, .mhz = 2'400, .reference = 1'000});
    EXPECT_EQ(clock.to_filetime(1'000 + 240).ticks, start + 1);
    EXPECT_EQ(clock.to_filetime(1'000 + 2'400'000'000).ticks, start + 10'000'000);
    EXPECT_EQ(clock.frequency(), 2'400'000'000);
}

TEST(Clock, WithoutAFrequencyTakesRawForFiletime) {
    EXPECT_EQ(clock_of({.frequency = 0}).to_filetime(123).ticks, 123);
    EXPECT_EQ(clock_of({.frequency = -5}).to_filetime(123).ticks, 123);
    EXPECT_EQ(clock_of({.type = ClockType::cpu_cycles}).to_filetime(123).ticks, 123);
    EXPECT_EQ(clock_of({.type = ClockType::unknown}).to_filetime(123).ticks, 123);
}

TEST(Clock, ToRawGivesTheFirstTickThatIsNotBefore) {
    constexpr std::array<std::int64_t, 8> frequencies{
        1, 3, 1'000, 3'579'545, 9'999'999, 10'000'000, 10'000'001, 2'400'000'000};
    std::uint64_t state = 42; // numbers without a pattern, the same in every run
    for (const std::int64_t frequency : frequencies) {
        const Clock clock = clock_of({.frequency = frequency, .reference = 987'654'321});
        for (int i = 0; i < 2'000; ++i) {
            state = state * 6'364'136'223'846'793'005U + 1'442'695'040'888'963'407U;
            const auto delta = static_cast<std::int64_t>(state >> 20U) - (std::int64_t{1} << 43U);
            const Filetime time{start + delta};
            const std::int64_t raw = clock.to_raw(time);
            ASSERT_GE(clock.to_filetime(raw), time) << frequency << ' ' << delta;
            ASSERT_LT(clock.to_filetime(raw - 1), time) << frequency << ' ' << delta;
        }
    }
}

} // namespace
} // namespace etl::flow::clock_test
