// Time stamps as text, fast: the part down to the second is kept from one event to the next.
// Private to sink.
#pragma once

#include <etl/time.hpp>

#include "base/text_appender.hpp"

#include <array>
#include <limits>
#include <optional>
#include <string>

namespace etl::sink {

class TimeText {
public:
    /// Characters that put() may write.
    static constexpr std::size_t max = 48;

    enum class Style : bool {
        rfc3339,
        plain, // a blank between date and time, and no zone
    };

    /// Minutes ahead of UTC; not set: UTC, shown as `Z`.
    explicit TimeText(std::optional<int> utc_offset_minutes, Style style = Style::rfc3339);

    /// The same offset, but `zone` after the seven digits, whatever it says.
    TimeText(int utc_offset_minutes, std::string_view zone);

    /// `UTC` or `UTC+05:45`.
    static std::string zone_name(std::optional<int> utc_offset_minutes);

    /// Characters of the zone behind a time.
    static std::size_t zone_size(std::optional<int> utc_offset_minutes) {
        return TimeText(utc_offset_minutes).zone_.size();
    }

    /// Writes `2021-09-09T12:59:35.8001567Z`. Room must have been made.
    void put(TextAppender& to, Filetime time) {
        const std::int64_t local = saturated(time.ticks);
        std::int64_t second = local / Filetime::per_second;
        std::int64_t fraction = local % Filetime::per_second;
        if (fraction < 0) {
            fraction += Filetime::per_second;
            --second;
        }
        if (second != second_) [[unlikely]] {
            renew(second, local);
        }
        to.put(std::string_view(prefix_.data(), prefix_size_));
        put_fraction(to, static_cast<std::uint32_t>(fraction));
        to.put(zone_);
    }

private:
    static void put_fraction(TextAppender& to, std::uint32_t fraction) noexcept {
        std::array<char, 7> digits;
        for (std::size_t i = digits.size(); i > 0; --i) {
            digits[i - 1] = static_cast<char>('0' + fraction % 10);
            fraction /= 10;
        }
        to.put(std::string_view(digits.data(), digits.size()));
    }

    void set_zone(int utc_offset_minutes);
    std::int64_t saturated(std::int64_t ticks) const noexcept;
    void renew(std::int64_t second, std::int64_t local);

    std::int64_t offset_ = 0; // ticks
    std::string zone_ = "Z";
    Style style_ = Style::rfc3339;
    std::int64_t second_ =
        std::numeric_limits<std::int64_t>::min(); // of no time: ticks reach less far
    std::array<char, 32> prefix_{};
    std::size_t prefix_size_ = 0; // date to second, and the point
    std::string scratch_;
};

} // namespace etl::sink
