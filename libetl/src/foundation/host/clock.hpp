// The clocks of this machine. Thread-safe; no lock, no allocation, and no system call if the system
// supports that.
#pragma once

#include <etl/time.hpp>

#include <cstdint>
#include <optional>

namespace etl::host {

/// Returns a monotonic count of 100 ns units, like QueryPerformanceCounter.
std::int64_t monotonic_ticks() noexcept;

inline constexpr std::int64_t monotonic_frequency = 10'000'000;

/// Returns the current time in the best available precision.
Filetime system_time() noexcept;

/// Returns the processor's cycle counter, ordered after earlier loads. cycle_frequency() indicates
/// whether it can be used as a clock.
std::int64_t cycles() noexcept;

/// Returns cycles per microsecond; nothing if no counter runs at a constant rate on all processors.
/// The first call measures it, which takes a few milliseconds.
std::optional<std::uint32_t> cycle_frequency() noexcept;

/// Returns the boot time of the machine.
Filetime boot_time() noexcept;

} // namespace etl::host
