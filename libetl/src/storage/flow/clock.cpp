#include "flow/clock.hpp"

#include <limits>

namespace etl::flow {

namespace {

__extension__ using Wide = __int128; // a delta times 10^7 passes 64 bits after 25 hours at 10 MHz

constexpr std::int64_t saturate(Wide value) noexcept {
    constexpr auto low = std::numeric_limits<std::int64_t>::min();
    constexpr auto high = std::numeric_limits<std::int64_t>::max();
    return value < low ? low : value > high ? high : static_cast<std::int64_t>(value);
}

constexpr Wide floor_divide(Wide value, Wide by) noexcept {
    const Wide quotient = value / by;
    return value % by < 0 ? quotient - 1 : quotient;
}

} // namespace

Clock::Clock(const format::LogfileHeader& header, std::int64_t reference) noexcept {
    std::int64_t frequency = 0;
    switch (header.clock_type()) {
    case format::ClockType::qpc:
        frequency = header.perf_freq;
        break;
    case format::ClockType::cpu_cycles:
        frequency = std::int64_t{header.cpu_speed_mhz} * 1'000'000;
        break;
    case format::ClockType::system_time:
    case format::ClockType::unknown:
        return;
    }
    if (frequency > 0) {
        frequency_ = frequency;
        reference_ = reference;
        start_ = header.start_time;
    }
}

Filetime Clock::to_filetime(std::int64_t raw) const noexcept {
    const Wide delta = Wide{raw} - reference_;
    if (frequency_ == Filetime::per_second) {
        return {saturate(Wide{start_} + delta)};
    }
    return {saturate(Wide{start_} + floor_divide(delta * Filetime::per_second, frequency_))};
}

std::int64_t Clock::to_raw(Filetime time) const noexcept {
    const Wide delta = (Wide{time.ticks} - start_) * frequency_;
    // floor(d * 10^7 / f) >= t  <=>  d >= ceil(t * f / 10^7)
    return saturate(Wide{reference_} - floor_divide(-delta, Filetime::per_second));
}

} // namespace etl::flow
