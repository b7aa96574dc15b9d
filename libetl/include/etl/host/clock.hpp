// The clocks of this machine. Any thread; no lock, no allocation, and where the system can tell the
// time without a system call, none.
#pragma once

#include <etl/base/time.hpp>

#include <cstdint>
#include <optional>

namespace etl::host {

/// Counts 100 ns from some moment on and never goes back: what QueryPerformanceCounter is.
std::int64_t monotonic_ticks() noexcept;

inline constexpr std::int64_t monotonic_frequency = 10'000'000;

/// Now, as precisely as the system knows.
Filetime system_time() noexcept;

/// The processor's cycle counter, read after what the program read before; cycle_frequency() says
/// whether it can serve as a clock.
std::int64_t cycles() noexcept;

/// Cycles per microsecond; none: there is no counter that runs at one speed on all processors. The
/// first call measures it, for a few milliseconds.
std::optional<std::uint32_t> cycle_frequency() noexcept;

/// When the machine was started.
Filetime boot_time() noexcept;

} // namespace etl::host
