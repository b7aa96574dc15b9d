#include "match/time_point.hpp"

#include <etl/time.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <string>

namespace etl::match {

namespace {

struct TimeUnit {
    std::string_view name;
    double ticks; // of 100 ns
};

constexpr std::array<TimeUnit, 8> time_units{{{"ns", 0.01},
                                              {"us", 10.0},
                                              {"ms", 1e4},
                                              {"s", 1e7},
                                              {"", 1e7},
                                              {"m", 6e8},
                                              {"h", 3.6e10},
                                              {"d", 8.64e11}}};

constexpr std::int64_t ticks_per_minute = 60 * Filetime::per_second;
constexpr std::int64_t ticks_per_day = 24 * 60 * ticks_per_minute;

Filetime saturated(Filetime time, std::int64_t ticks) noexcept {
    return {saturating_sum(time.ticks, ticks)};
}

std::optional<Filetime> parse_duration(std::string_view text) noexcept {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string_view name = text.substr(static_cast<std::size_t>(end - text.data()));
    if (error != std::errc{} || !std::isfinite(number) || number < 0) {
        return std::nullopt;
    }
    for (const TimeUnit& unit : time_units) {
        const double ticks = number * unit.ticks;
        if (name == unit.name && ticks < 9e18) {
            return Filetime{std::llround(ticks)};
        }
    }
    return std::nullopt;
}

bool is_filetime(std::string_view text) noexcept {
    return text.size() >= 13 && text.size() <= 19 &&
           text.find_first_not_of("0123456789") == text.npos;
}

/// `19:10`, `19:10:05`, `19:10:05.25`.
std::optional<Filetime> parse_time_of_day(std::string_view text) noexcept {
    constexpr std::string_view any_day = "1601-01-01T";
    const bool has_form =
        text.size() >= 5 && text[2] == ':' && text.find_first_not_of("0123456789:.") == text.npos;
    if (!has_form) {
        return std::nullopt;
    }
    const bool has_seconds = text.size() > 5;
    return parse_rfc3339(std::string(any_day).append(text).append(has_seconds ? "Z" : ":00Z"));
}

/// With a blank in place of the T, without seconds, or without a zone.
std::optional<TimePoint> parse_date(std::string_view text) {
    constexpr std::size_t date = 10;    // `2010-10-29`
    constexpr std::size_t minutes = 16; // `2010-10-29T19:10`
    std::string full(text);
    if (full.size() > date && (full[date] == ' ' || full[date] == 't')) {
        full[date] = 'T';
    }
    if (full.size() >= minutes && (full.size() == minutes || full[minutes] != ':')) {
        full.insert(minutes, ":00");
    }
    const auto at = parse_rfc3339(full);
    if (!at) {
        return std::nullopt;
    }
    const bool has_zone = full.size() > minutes && full.find_first_of("Zz+-", minutes) != full.npos;
    return TimePoint{has_zone ? TimePoint::Kind::absolute : TimePoint::Kind::local, *at};
}

} // namespace

std::optional<Filetime> TimePoint::resolve(const TimeBounds& bounds) const noexcept {
    const std::int64_t zone = bounds.utc_offset_minutes * ticks_per_minute;
    switch (kind) {
    case Kind::absolute:
        return at;
    case Kind::local:
        return saturated(at, -zone);
    case Kind::time_of_day: {
        const Filetime local = saturated(bounds.start, zone);
        const std::int64_t midnight = local.ticks - (local.ticks % ticks_per_day);
        return saturated({midnight}, at.ticks - zone);
    }
    case Kind::from_start:
        return saturated(bounds.start, at.ticks);
    case Kind::from_end:
        return bounds.end ? std::optional(saturated(*bounds.end, at.ticks)) : std::nullopt;
    }
    return std::nullopt;
}

std::optional<TimePoint> parse_time_point(std::string_view text) noexcept {
    using Kind = TimePoint::Kind;
    if (text.empty()) {
        return std::nullopt;
    }
    if (text.front() == '+' || text.front() == '-') {
        const bool is_from_end = text.front() == '-';
        const auto ticks = parse_duration(text.substr(1));
        return !ticks        ? std::nullopt
               : is_from_end ? std::optional(TimePoint{Kind::from_end, {-ticks->ticks}})
                             : std::optional(TimePoint{Kind::from_start, *ticks});
    }
    if (is_filetime(text)) {
        Filetime at;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), at.ticks);
        return error == std::errc{} ? std::optional(TimePoint{Kind::absolute, at}) : std::nullopt;
    }
    if (const auto at = parse_time_of_day(text)) {
        return TimePoint{Kind::time_of_day, *at};
    }
    if (const auto ticks = parse_duration(text)) {
        return TimePoint{Kind::from_start, *ticks};
    }
    return parse_date(text);
}

} // namespace etl::match
