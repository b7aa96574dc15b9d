// Which time stamps can be in a buffer: not before what its processor wrote last, not behind the
// moment it was flushed. docs/repair.md#records
#pragma once

#include "repair/rescue.hpp"
#include "trace/recording.hpp"

namespace etl::repair {

/// A FILETIME of 1981 to 2234: what one in a trace is worth. Counters do not get there.
constexpr bool is_wall_time(std::int64_t time) noexcept {
    return 120'000'000'000'000'000 <= time && time <= 200'000'000'000'000'000;
}

class BufferTimes {
public:
    explicit BufferTimes(const trace::Recording& recording);

    /// When a buffer was flushed, raw, unless its header says nothing that can be. `last`: the
    /// newest time in an earlier buffer of the same processor, if there was one.
    std::optional<std::int64_t> flushed(const trace::BufferContent& buffer,
                                        std::optional<std::int64_t> last) const;

    TimeBounds bounds(const trace::BufferContent& buffer, std::optional<std::int64_t> last) const;

private:
    std::int64_t earliest(std::optional<std::int64_t> last) const;

    flow::Clock clock_;
    std::int64_t reference_; // when the recording began, raw
    std::int64_t slack_;     // by which clocks of processors and providers may be off
    bool is_system_time_;
};

} // namespace etl::repair
