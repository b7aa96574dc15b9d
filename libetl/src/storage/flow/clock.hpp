// Conversion of raw timestamps to wall time. A value; thread-safe. docs/format/time.md
#pragma once

#include <etl/time.hpp>

#include "format/logfile_header.hpp"

namespace etl::flow {

class Clock {
public:
    /// A clock whose raw values are FILETIME.
    Clock() = default;

    /// The clock of a trace; `reference` is the raw timestamp of its log file header record. If the
    /// frequency is 0, raw values are taken as FILETIME.
    Clock(const format::LogfileHeader& header, std::int64_t reference) noexcept;

    /// Returns StartTime + (raw - reference) * 10^7 / frequency, computed in 128 bits, rounded
    /// toward minus infinity, saturated.
    Filetime to_filetime(std::int64_t raw) const noexcept;

    /// Returns the least raw value whose wall time is not before `time`; saturated.
    std::int64_t to_raw(Filetime time) const noexcept;

    /// Returns ticks per second; 10^7 if raw values are FILETIME.
    std::int64_t frequency() const noexcept { return frequency_; }

private:
    std::int64_t reference_ = 0;
    std::int64_t start_ = 0;
    std::int64_t frequency_ = 10'000'000;
};

} // namespace etl::flow
