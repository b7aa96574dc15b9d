#include "verbs/xperf/report.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace cli::xperf {

namespace {

struct TimeUnit {
    std::string_view name;
    double ticks; // of 100 ns
};

constexpr std::array<TimeUnit, 5> time_units{
    {{"ms", 1e4}, {"us", 10}, {"ns", 0.01}, {"s", 1e7}, {"", 10}}};

std::optional<Moment> parse_relative(std::string_view text) noexcept {
    const std::string lower = etl::to_lower_ascii(text);
    for (const TimeUnit& unit : time_units) {
        if (!lower.ends_with(unit.name)) {
            continue;
        }
        const std::string_view digits =
            std::string_view(lower).substr(0, lower.size() - unit.name.size());
        double number = 0;
        const auto end = digits.data() + digits.size();
        const auto read = std::from_chars(digits.data(), end, number, std::chars_format::fixed);
        constexpr double max = 9e18;
        if (digits.empty() || digits.front() == '-' || read.ec != std::errc() || read.ptr != end ||
            number * unit.ticks > max) {
            return {};
        }
        return Moment{.kind = Moment::Kind::from_start,
                      .at = {static_cast<std::int64_t>(std::floor(number * unit.ticks))}};
    }
    return {};
}

/// `hh:mm:ss.frac`, a span of time from the start.
std::optional<Moment> parse_span(std::string_view text) noexcept {
    constexpr std::int64_t max_hours = 999'999, sixty = 60;
    std::int64_t seconds = 0;
    for (const std::int64_t max : {max_hours, sixty - 1}) {
        const std::size_t size = text.find(':');
        std::int64_t number = -1;
        const char* const end = text.data() + std::min(size, text.size());
        if (size == text.npos || std::from_chars(text.data(), end, number).ptr != end ||
            number < 0 || number > max) {
            return {};
        }
        seconds = (seconds + number) * sixty;
        text.remove_prefix(size + 1);
    }
    double last = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, last, std::chars_format::fixed);
    if (text.empty() || read.ec != std::errc() || read.ptr != end || !(last >= 0 && last < sixty)) {
        return {};
    }
    return Moment{.kind = Moment::Kind::from_start,
                  .at = {seconds * etl::Filetime::per_second +
                         static_cast<std::int64_t>(std::floor(last * 1e7))}};
}

/// `yyyy/mm/dd:hh:mm:ss.frac` as RFC 3339.
std::optional<Moment> parse_absolute(std::string_view text) noexcept {
    constexpr std::string_view zone = "+utc";
    constexpr std::size_t date = 10;
    std::string rest = etl::to_lower_ascii(text);
    const bool is_utc = rest.ends_with(zone);
    if (is_utc) {
        rest.resize(rest.size() - zone.size());
    }
    if (rest.size() <= date || rest[4] != '/' || rest[7] != '/' || rest[date] != ':') {
        return {};
    }
    rest[4] = rest[7] = '-';
    rest[date] = 'T';
    const auto time = etl::parse_rfc3339(rest + "Z");
    return time ? std::optional(Moment{
                      .kind = is_utc ? Moment::Kind::absolute : Moment::Kind::local, .at = *time})
                : std::nullopt;
}

} // namespace

std::optional<Moment> parse_moment(std::string_view text) noexcept {
    for (const auto parse : {parse_absolute, parse_span}) {
        if (const auto moment = parse(text)) {
            return moment;
        }
    }
    return parse_relative(text);
}

} // namespace cli::xperf
