#include "cli/time_point.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace cli {

namespace {

struct Unit {
    std::string_view name;
    double ticks; // of 100 ns
};

constexpr std::array<Unit, 7> units{
    {{"ns", 0.01}, {"us", 10.0}, {"ms", 1e4}, {"s", 1e7}, {"", 1e7}, {"m", 6e8}, {"h", 3.6e10}}};

} // namespace

std::optional<TimePoint> parse_time_point(std::string_view text) noexcept {
    if (text.empty() || (text.front() != '+' && text.front() != '-')) {
        const auto absolute = etl::parse_rfc3339(text);
        return absolute ? std::optional(TimePoint{false, *absolute}) : std::nullopt;
    }
    const double sign = text.front() == '-' ? -1.0 : 1.0;
    text.remove_prefix(1);
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string_view name = text.substr(static_cast<std::size_t>(end - text.data()));
    if (error != std::errc{} || !std::isfinite(number) || number < 0) {
        return std::nullopt;
    }
    for (const Unit& unit : units) {
        const double ticks = number * unit.ticks;
        if (name == unit.name && ticks < 9e18) {
            return TimePoint{true, {static_cast<std::int64_t>(std::llround(sign * ticks))}};
        }
    }
    return std::nullopt;
}

} // namespace cli
