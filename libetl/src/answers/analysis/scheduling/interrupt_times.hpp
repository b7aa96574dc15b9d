// Kinds and durations of interrupts: DPCs and ISRs. Private to analysis.
// docs/analysis.md#interrupts
#pragma once

#include "analysis/analyzer.hpp"
#include "base/interval.hpp"

#include <string_view>

namespace etl::analysis {

struct InterruptKind {
    std::uint16_t hook;
    std::string_view name;
};

inline constexpr InterruptKind interrupt_kinds[] = {{0x0F44, "dpc"},          {0x0F45, "timer_dpc"},
                                                    {0x0F42, "threaded_dpc"}, {0x0F43, "isr"},
                                                    {0x0F32, "isr_msi"},      {0x0F5F, "isr_pass"}};

inline constexpr std::string_view record_interrupts = "xperf -on DPC+INTERRUPT, or wpr -start CPU";

/// Returns whether the event contains the time at which its interrupt began, not after its end.
/// `field` is the number of InitialTime in the subscription.
inline bool has_begin(const Record& record, unsigned field) noexcept {
    return record.has(field) && static_cast<std::int64_t>(record.number(field)) <= record.time;
}

/// Returns the interval of an interrupt; its duration is 0 without has_begin().
inline Interval interval_of(const Record& record, unsigned field) noexcept {
    return {has_begin(record, field) ? static_cast<std::int64_t>(record.number(field))
                                     : record.time,
            record.time};
}

} // namespace etl::analysis
