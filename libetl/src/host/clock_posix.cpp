#if !defined(_WIN32)

#include <etl/host/clock.hpp>

#include <ctime>

namespace etl::host {

namespace {

constexpr std::int64_t nanoseconds_per_tick = 100;

std::int64_t ticks_of(clockid_t clock) noexcept {
    timespec time{};
    ::clock_gettime(clock, &time);
    return std::int64_t{time.tv_sec} * monotonic_frequency + time.tv_nsec / nanoseconds_per_tick;
}

} // namespace

std::int64_t monotonic_ticks() noexcept {
    return ticks_of(CLOCK_MONOTONIC);
}

Filetime system_time() noexcept {
    return {Filetime::unix_epoch + ticks_of(CLOCK_REALTIME)};
}

} // namespace etl::host

#endif
