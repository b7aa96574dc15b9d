#include "host/clock.hpp"

#include <ctime>
#if defined(__APPLE__)
#include <sys/sysctl.h>
#include <sys/time.h>
#endif

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

Filetime boot_time() noexcept {
#if defined(__APPLE__)
    timeval started{};
    std::size_t size = sizeof started;
    int name[] = {CTL_KERN, KERN_BOOTTIME};
    if (::sysctl(name, 2, &started, &size, nullptr, 0) != 0) {
        return {};
    }
    constexpr std::int64_t ticks_per_microsecond = 10;
    return {Filetime::unix_epoch + std::int64_t{started.tv_sec} * Filetime::per_second +
            std::int64_t{started.tv_usec} * ticks_per_microsecond};
#else
    // The monotonic clock stands still while a machine sleeps; this one does not.
    return {system_time().ticks - ticks_of(CLOCK_BOOTTIME)};
#endif
}

} // namespace etl::host
