#include "repair/buffer_times.hpp"

#include "format/buffer_header.hpp"

#include <algorithm>

namespace etl::repair {

namespace {

constexpr std::int64_t slack_seconds = 60;
constexpr std::int64_t highest_frequency = 1'000'000'000'000;

using Limits = std::numeric_limits<std::int64_t>;

} // namespace

BufferTimes::BufferTimes(const trace::Recording& recording)
    : clock_(recording.header, recording.reference_time), reference_(recording.reference_time),
      slack_(slack_seconds * std::clamp<std::int64_t>(clock_.frequency(), 1, highest_frequency)),
      is_system_time_(recording.header.clock_type() == format::ClockType::system_time) {}

std::int64_t BufferTimes::earliest(std::optional<std::int64_t> last) const {
    return std::max(last.value_or(reference_), Limits::min() + slack_) - slack_;
}

std::optional<std::int64_t> BufferTimes::flushed(const trace::BufferContent& buffer,
                                                 std::optional<std::int64_t> last) const {
    const auto head = format::BufferHeaderView::at(buffer.context->bytes, buffer.entry->where);
    const std::int64_t stamp = head ? head->time_stamp() : 0;
    if (stamp == 0) {
        return std::nullopt;
    }
    // Relogged buffers have FILETIME stamps whatever the clock of their records.
    const bool is_converted = !is_system_time_ && is_wall_time(stamp);
    const std::int64_t raw = is_converted ? clock_.to_raw({stamp}) : stamp;
    return raw >= earliest(last) ? std::optional(raw) : std::nullopt;
}

TimeBounds BufferTimes::bounds(const trace::BufferContent& buffer,
                               std::optional<std::int64_t> last) const {
    const auto end = flushed(buffer, last);
    return {earliest(last), end ? std::min(*end, Limits::max() - slack_) + slack_ : Limits::max()};
}

} // namespace etl::repair
