#include "host/clock.hpp"

#define NOMINMAX
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

namespace etl::host {

std::int64_t monotonic_ticks() noexcept {
    LARGE_INTEGER count{};
    LARGE_INTEGER frequency{};
    ::QueryPerformanceCounter(&count);
    ::QueryPerformanceFrequency(&frequency); // 10 MHz on all but old machines
    if (frequency.QuadPart == monotonic_frequency) {
        return count.QuadPart;
    }
    // In two parts, so that no product overflows.
    const std::int64_t whole = count.QuadPart / frequency.QuadPart;
    const std::int64_t rest = count.QuadPart % frequency.QuadPart;
    return whole * monotonic_frequency + rest * monotonic_frequency / frequency.QuadPart;
}

Filetime system_time() noexcept {
    FILETIME time{};
    ::GetSystemTimePreciseAsFileTime(&time);
    const std::uint64_t ticks = (std::uint64_t{time.dwHighDateTime} << 32U) | time.dwLowDateTime;
    return {static_cast<std::int64_t>(ticks)};
}

Filetime boot_time() noexcept {
    constexpr std::int64_t ticks_per_millisecond = 10'000;
    return {system_time().ticks -
            static_cast<std::int64_t>(::GetTickCount64()) * ticks_per_millisecond};
}

} // namespace etl::host
