// Windows of raw times, which traces can make as large as they like. Private to explore.
#pragma once

#include <etl/time.hpp>

#include <cstdint>
#include <utility>

namespace etl::explore {

/// How much longer each window is than the one before it.
inline constexpr std::int64_t growth = 8;

/// Whether so little is left that a window of this length is made to contain all of it.
constexpr bool takes_all(std::int64_t length, std::int64_t from, std::int64_t to) noexcept {
    return length > saturating_difference(to, from) / growth;
}

/// Windows that follow each other up to a time, which the last one ends at.
class GrowingWindows {
public:
    GrowingWindows(std::int64_t from, std::int64_t last, std::int64_t length) noexcept
        : from_(from), last_(last), length_(length) {}

    bool is_at_end() const noexcept { return from_ >= last_; }

    /// Returns the begin and the end of the next one, if there is one.
    std::pair<std::int64_t, std::int64_t> next() noexcept {
        if (takes_all(length_, from_, last_)) {
            return {std::exchange(from_, last_), last_};
        }
        const std::int64_t begin = std::exchange(from_, from_ + length_);
        length_ *= growth;
        return {begin, from_};
    }

private:
    std::int64_t from_, last_, length_;
};

} // namespace etl::explore
