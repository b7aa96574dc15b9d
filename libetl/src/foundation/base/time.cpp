
#include <etl/time.hpp>

#include "base/code_points.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <limits>

namespace etl {

namespace {

constexpr std::int64_t day_seconds = 86'400;
constexpr std::int64_t epoch_days = Filetime::unix_epoch / Filetime::per_second / day_seconds;

constexpr auto two_digits = [] {
    std::array<std::array<char, 2>, 100> table{};
    for (unsigned i = 0; i < 100; ++i) {
        table[i] = {static_cast<char>('0' + i / 10), static_cast<char>('0' + i % 10)};
    }
    return table;
}();

char* put_two(char* to, unsigned value) noexcept {
    *to++ = two_digits[value][0];
    *to++ = two_digits[value][1];
    return to;
}

// At least four digits; outside 0..9999 a sign before them.
char* put_year(char* to, std::int64_t year) noexcept {
    if (year >= 0 && year <= 9999) {
        const auto value = static_cast<unsigned>(year);
        return put_two(put_two(to, value / 100), value % 100);
    }
    *to++ = year < 0 ? '-' : '+';
    const auto size = static_cast<std::uint64_t>(year < 0 ? -year : year); // |year| < 31000
    for (std::uint64_t place = 1000; place > size; place /= 10) {
        *to++ = '0';
    }
    return std::to_chars(to, to + 20, size).ptr;
}

// Days from 1970-01-01 in the proleptic Gregorian calendar (Hinnant, "chrono-compatible low-level
// date algorithms"). std::chrono's years end at 32767, a caller's need not.
std::int64_t days_from_civil(std::int64_t year, unsigned month, unsigned day) noexcept {
    year -= month <= 2 ? 1 : 0;
    const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
    const std::int64_t of_era = year - era * 400;
    const std::int64_t shifted = month > 2 ? month - 3 : month + 9;
    const std::int64_t of_year = (153 * shifted + 2) / 5 + std::int64_t{day} - 1;
    return era * 146'097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719'468;
}

std::int64_t seconds_of(const CivilTime& civil) noexcept {
    // Wild fields carry over into the next larger one; the clamp keeps everything inside 64 bits.
    const std::int64_t months = std::int64_t{civil.month} - 1;
    const std::int64_t carried = months >= 0 ? months / 12 : -1;
    const auto month = static_cast<unsigned>(months - carried * 12) + 1U;
    const std::int64_t year = std::clamp<std::int64_t>(civil.year, -1'000'000, 1'000'000) + carried;
    const std::int64_t days = days_from_civil(year, month, 1) + std::int64_t{civil.day} - 1;
    return (days + epoch_days) * day_seconds + std::int64_t{civil.hour} * 3600 +
           std::int64_t{civil.minute} * 60 + std::int64_t{civil.second};
}

// Nothing when 64 bits cannot hold it.
std::optional<Filetime> from_seconds(std::int64_t seconds, std::int64_t fraction) noexcept {
    using Ticks = std::numeric_limits<std::int64_t>;
    seconds += fraction / Filetime::per_second;
    fraction %= Filetime::per_second;
    constexpr std::int64_t last = Ticks::max() / Filetime::per_second;
    if (seconds > last || seconds < -last - 1) {
        return std::nullopt;
    }
    if (seconds < 0) { // counted from the second above, which is nearer to zero
        ++seconds;
        fraction -= Filetime::per_second;
    }
    const std::int64_t whole = seconds * Filetime::per_second;
    if (fraction < 0 ? whole < Ticks::min() - fraction : whole > Ticks::max() - fraction) {
        return std::nullopt;
    }
    return Filetime{whole + fraction};
}

// A forward reader of digits and marks.
class TimeText {
public:
    explicit TimeText(std::string_view text) : left_(text) {}

    bool is_at_end() const noexcept { return left_.empty(); }

    bool take(char c) noexcept {
        if (left_.empty() || left_.front() != c) {
            return false;
        }
        left_.remove_prefix(1);
        return true;
    }

    bool take_any(std::string_view choice) noexcept {
        return std::ranges::any_of(choice, [&](char c) { return take(c); });
    }

    std::size_t digits() const noexcept {
        const auto other = left_.find_first_not_of("0123456789");
        return other == std::string_view::npos ? left_.size() : other;
    }

    // Exactly `count` digits, at most nine.
    std::optional<unsigned> number(std::size_t count) noexcept {
        if (digits() < count) {
            return std::nullopt;
        }
        unsigned value = 0;
        for (const char c : left_.substr(0, count)) {
            value = value * 10U + static_cast<unsigned>(c - '0');
        }
        left_.remove_prefix(count);
        return value;
    }

    // Exactly two digits, `low` to `high`.
    std::optional<unsigned> pair(unsigned low, unsigned high) noexcept {
        const auto value = number(2);
        return value && *value >= low && *value <= high ? value : std::nullopt;
    }

private:
    std::string_view left_;
};

bool read_date(TimeText& in, CivilTime& civil) noexcept {
    const bool negative = in.take('-');
    const bool in_full = negative || in.take('+');
    const auto year = in.number(in_full ? std::clamp<std::size_t>(in.digits(), 4, 6) : 4);
    if (!year || !in.take('-')) {
        return false;
    }
    const auto month = in.pair(1, 12);
    if (!month || !in.take('-')) {
        return false;
    }
    constexpr std::array<unsigned, 12> lengths{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    civil.year = negative ? -std::int64_t{*year} : std::int64_t{*year};
    civil.month = *month;
    const bool leap = civil.year % 4 == 0 && (civil.year % 100 != 0 || civil.year % 400 == 0);
    const auto day = in.pair(1, lengths[*month - 1] + (leap && *month == 2 ? 1U : 0U));
    civil.day = day.value_or(0);
    return day.has_value();
}

bool read_clock(TimeText& in, CivilTime& civil) noexcept {
    const auto hour = in.pair(0, 23);
    if (!hour || !in.take(':')) {
        return false;
    }
    const auto minute = in.pair(0, 59);
    if (!minute || !in.take(':')) {
        return false;
    }
    const auto second = in.pair(0, 60); // 60: a leap second, which FILETIME does not know
    if (!second) {
        return false;
    }
    civil.hour = *hour;
    civil.minute = *minute;
    civil.second = *second;
    if (!in.take('.')) {
        return true;
    }
    const std::size_t digits = in.digits();
    if (digits == 0 || digits > 9) {
        return false;
    }
    civil.fraction = *in.number(std::min<std::size_t>(digits, 7));
    for (std::size_t i = digits; i < 7; ++i) {
        civil.fraction *= 10;
    }
    return digits <= 7 || in.number(digits - 7).has_value();
}

// Seconds that local time is ahead of UTC.
std::optional<std::int64_t> read_zone(TimeText& in) noexcept {
    if (in.is_at_end() || in.take_any("Zz")) {
        return 0;
    }
    const bool behind = in.take('-');
    if (!behind && !in.take('+')) {
        return std::nullopt;
    }
    const auto hours = in.pair(0, 23);
    if (!hours || !in.take(':')) {
        return std::nullopt;
    }
    const auto minutes = in.pair(0, 59);
    if (!minutes) {
        return std::nullopt;
    }
    const std::int64_t seconds = std::int64_t{*hours} * 3600 + std::int64_t{*minutes} * 60;
    return behind ? -seconds : seconds;
}

} // namespace

CivilTime to_civil(Filetime time) noexcept {
    std::int64_t seconds = time.ticks / Filetime::per_second;
    std::int64_t fraction = time.ticks % Filetime::per_second;
    if (fraction < 0) {
        fraction += Filetime::per_second;
        --seconds;
    }
    std::int64_t days = seconds / day_seconds;
    std::int64_t of_day = seconds % day_seconds;
    if (of_day < 0) {
        of_day += day_seconds;
        --days;
    }
    // 64 bits of ticks reach from -27627 to 30828: inside the years of std::chrono.
    const std::chrono::year_month_day date{
        std::chrono::sys_days{std::chrono::days{static_cast<int>(days - epoch_days)}}};
    const auto second = static_cast<unsigned>(of_day);
    return {.year = int{date.year()},
            .month = unsigned{date.month()},
            .day = unsigned{date.day()},
            .hour = second / 3600U,
            .minute = second / 60U % 60U,
            .second = second % 60U,
            .fraction = static_cast<unsigned>(fraction)};
}

Filetime from_civil(const CivilTime& civil) noexcept {
    const std::int64_t seconds = seconds_of(civil);
    const auto time = from_seconds(seconds, civil.fraction);
    using Ticks = std::numeric_limits<std::int64_t>;
    return time.value_or(Filetime{seconds < 0 ? Ticks::min() : Ticks::max()});
}

void append_rfc3339(std::string& to, Filetime time, std::string_view zone) {
    const CivilTime civil = to_civil(time);
    append_at_most(to, 48, [&](char* at) {
        at = put_year(at, civil.year);
        *at++ = '-';
        at = put_two(at, civil.month);
        *at++ = '-';
        at = put_two(at, civil.day);
        *at++ = 'T';
        at = put_two(at, civil.hour);
        *at++ = ':';
        at = put_two(at, civil.minute);
        *at++ = ':';
        at = put_two(at, civil.second);
        *at++ = '.';
        at = put_two(at, civil.fraction / 100'000);
        at = put_two(at, civil.fraction / 1'000 % 100);
        at = put_two(at, civil.fraction / 10 % 100);
        *at++ = static_cast<char>('0' + civil.fraction % 10);
        return at;
    });
    to.append(zone);
}

std::optional<Filetime> parse_rfc3339(std::string_view text) noexcept {
    TimeText in(text);
    CivilTime civil{};
    if (!read_date(in, civil)) {
        return std::nullopt;
    }
    std::optional<std::int64_t> zone = 0;
    if (!in.is_at_end()) {
        if (!in.take_any("Tt ") || !read_clock(in, civil)) {
            return std::nullopt;
        }
        zone = read_zone(in);
    }
    if (!zone || !in.is_at_end()) {
        return std::nullopt;
    }
    return from_seconds(seconds_of(civil) - *zone, civil.fraction);
}

Filetime now() noexcept {
    using Ticks = std::chrono::duration<std::int64_t, std::ratio<1, Filetime::per_second>>;
    const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
    return {Filetime::unix_epoch + std::chrono::duration_cast<Ticks>(since_1970).count()};
}

} // namespace etl
