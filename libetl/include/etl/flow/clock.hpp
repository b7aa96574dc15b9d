// Raw time stamps of a session to wall time. A value; any thread. docs/format/time.md
#pragma once

#include <etl/base/time.hpp>
#include <etl/format/logfile_header.hpp>

namespace etl::flow {

class Clock {
public:
    /// Raw values are FILETIME already.
    Clock() = default;

    /// The clock of a trace; `reference` is the raw time stamp of its log file header record. A
    /// frequency of 0 makes all raw values equal to FILETIME, for want of anything better.
    Clock(const format::LogfileHeader& header, std::int64_t reference) noexcept;

    /// StartTime + (raw - reference) * 10^7 / frequency, 128 bits wide, rounded toward minus
    /// infinity, saturated.
    Filetime to_filetime(std::int64_t raw) const noexcept;

    /// The least raw value whose wall time is not before `time`; saturated.
    std::int64_t to_raw(Filetime time) const noexcept;

    /// Ticks per second; 10^7 when raw values are FILETIME.
    std::int64_t frequency() const noexcept { return frequency_; }

private:
    std::int64_t reference_ = 0;
    std::int64_t start_ = 0;
    std::int64_t frequency_ = 10'000'000;
};

} // namespace etl::flow
