// Times in the notation of xperf. docs/xperf.md#times
#pragma once

#include <etl/time.hpp>

#include "match/time_point.hpp"

#include <optional>
#include <string_view>

namespace cli::xperf {

/// A time: from the start of the trace, or absolute.
using Moment = etl::match::TimePoint;

/// `1234`, `1234us`, `1.5s`, `20ms`, `700ns` from the start of the trace, in microseconds without a
/// unit; `2024/05/17:04:00:01.5` in local time, or with `+UTC` in UTC. Nothing for other text.
std::optional<Moment> parse_moment(std::string_view text) noexcept;

/// The forms that parse_moment() accepts, for messages.
inline constexpr std::string_view moment_forms =
    "microseconds from the start of the trace, with a unit (s, ms, us, ns), or "
    "2024/05/17:04:00:01.5, with +UTC in UTC";

} // namespace cli::xperf
