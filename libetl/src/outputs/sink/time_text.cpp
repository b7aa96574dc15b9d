#include "sink/time_text.hpp"

#include <algorithm>
#include <cstdlib>

namespace etl::sink {

TimeText::TimeText(std::optional<int> utc_offset_minutes, Style style) : style_(style) {
    if (utc_offset_minutes) {
        set_zone(*utc_offset_minutes);
    }
    if (style_ == Style::plain) {
        zone_.clear();
    }
}

TimeText::TimeText(int utc_offset_minutes, std::string_view zone) {
    set_zone(utc_offset_minutes);
    zone_ = zone;
}

std::string TimeText::zone_name(std::optional<int> utc_offset_minutes) {
    return "UTC" + (utc_offset_minutes ? TimeText(utc_offset_minutes).zone_ : std::string());
}

void TimeText::set_zone(int utc_offset_minutes) {
    constexpr int a_day = 24 * 60; // no zone is that far off; keeps the text at two digits
    const int minutes = std::clamp(utc_offset_minutes, -a_day + 1, a_day - 1);
    offset_ = std::int64_t{minutes} * 60 * Filetime::per_second;
    const auto size = static_cast<unsigned>(std::abs(minutes));
    const auto digit = [](unsigned value) { return static_cast<char>('0' + value); };
    zone_ = {minutes < 0 ? '-' : '+', digit(size / 60 / 10), digit(size / 60 % 10), ':',
             digit(size % 60 / 10),   digit(size % 60 % 10)};
}

std::int64_t TimeText::saturated(std::int64_t ticks) const noexcept {
    using Ticks = std::numeric_limits<std::int64_t>;
    if (offset_ >= 0) {
        return ticks > Ticks::max() - offset_ ? Ticks::max() : ticks + offset_;
    }
    return ticks < Ticks::min() - offset_ ? Ticks::min() : ticks + offset_;
}

void TimeText::renew(std::int64_t second, std::int64_t local) {
    scratch_.clear();
    append_rfc3339(scratch_, {local}, {});
    if (const std::size_t separator = scratch_.find('T');
        style_ == Style::plain && separator != std::string::npos) {
        scratch_[separator] = ' ';
    }
    second_ = second;
    prefix_size_ = std::min(scratch_.find('.') + 1, prefix_.size());
    std::copy_n(scratch_.begin(), prefix_size_, prefix_.begin());
}

} // namespace etl::sink
