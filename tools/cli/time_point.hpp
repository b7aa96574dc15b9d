// Points in time on a command line: absolute, or relative to the start of the first trace.
#pragma once

#include <etl/base/time.hpp>

#include <limits>
#include <optional>
#include <string_view>

namespace cli {

struct TimePoint {
    bool relative = false;
    etl::Filetime at{}; // relative: ticks behind the start

    etl::Filetime resolve(etl::Filetime start) const noexcept {
        using Limits = std::numeric_limits<std::int64_t>;
        if (!relative) {
            return at;
        }
        // A damaged header may put the start anywhere.
        if (at.ticks > 0 && start.ticks > Limits::max() - at.ticks) {
            return {Limits::max()};
        }
        if (at.ticks < 0 && start.ticks < Limits::min() - at.ticks) {
            return {Limits::min()};
        }
        return {start.ticks + at.ticks};
    }
};

/// `2021-09-09T12:59:35Z`, `2021-09-09`, `+1.5s`, `-200ms`, `+2m`; units ns, us, ms, s, m, h.
std::optional<TimePoint> parse_time_point(std::string_view text) noexcept;

} // namespace cli
