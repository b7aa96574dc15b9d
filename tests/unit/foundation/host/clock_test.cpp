#include "host/clock.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace etl::host::clock_test {
namespace {

TEST(Clock, MonotonicTicksNeverGoBack) {
    std::int64_t before = monotonic_ticks();
    for (int i = 0; i < 10'000; ++i) {
        const std::int64_t now = monotonic_ticks();
        ASSERT_GE(now, before);
        before = now;
    }
}

TEST(Clock, SystemTimeIsTheOneOfTheStandardLibrary) {
    const auto as_ticks = [] {
        return Filetime::unix_epoch + std::chrono::duration_cast<std::chrono::nanoseconds>(
                                          std::chrono::system_clock::now().time_since_epoch())
                                              .count() /
                                          100;
    };
    const std::int64_t before = as_ticks();
    const Filetime now = system_time();
    EXPECT_GE(now.ticks, before);
    EXPECT_LE(now.ticks, as_ticks());
}

TEST(Clock, TheMachineWasStartedInThePast) {
    const Filetime started = boot_time();
    EXPECT_LT(started, system_time());
    EXPECT_GT(started.ticks, Filetime::unix_epoch);
}

TEST(Clock, CyclesPassAsOftenAsTheirFrequencySays) {
    const std::optional<std::uint32_t> frequency = cycle_frequency();
    if (!frequency) {
        GTEST_SKIP() << "this machine has no counter that can serve as a clock";
    }
    EXPECT_EQ(cycle_frequency(), frequency); // all are told the same
    const std::int64_t ticks_outside = monotonic_ticks();
    const std::int64_t first = cycles();
    const std::int64_t ticks_inside = monotonic_ticks();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const std::int64_t inner = monotonic_ticks() - ticks_inside;
    const std::int64_t passed = cycles() - first;
    const std::int64_t outer = monotonic_ticks() - ticks_outside;
    // However long the thread was held up, the count lies between the two; 1 % for the measurement.
    const double per_tick = *frequency / 10.0;
    EXPECT_GE(static_cast<double>(passed), 0.99 * per_tick * static_cast<double>(inner));
    EXPECT_LE(static_cast<double>(passed), 1.01 * per_tick * static_cast<double>(outer));
}

} // namespace
} // namespace etl::host::clock_test
