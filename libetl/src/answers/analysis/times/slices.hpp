// Equal parts of the range. Private to analysis. docs/analysis.md#stats
#pragma once

#include "analysis/analyzer.hpp"

#include <algorithm>

namespace etl::analysis {

/// Requires that Context::end is known.
class Slices {
public:
    explicit Slices(std::size_t count)
        : count_(std::clamp<std::size_t>(count, 1, limits::analysis_slices)) {}

    void start(const Context& context) {
        begin_ = context.begin;
        const std::int64_t end = std::max(context.begin, context.end);
        length_ = static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(begin_) + 1;
    }

    std::size_t count() const noexcept { return count_; }

    /// The slice that contains a time of the range.
    std::size_t of(std::int64_t time) const noexcept {
        const std::uint64_t at =
            time <= begin_
                ? 0
                : std::min(static_cast<std::uint64_t>(time) - static_cast<std::uint64_t>(begin_),
                           length_ - 1);
        return static_cast<std::size_t>(Wide{at} * count_ / length_);
    }

    /// Whether two times are in the same slice.
    bool are_together(std::int64_t first, std::int64_t last) const noexcept {
        return of(first) == of(last);
    }

    /// The first tick of a slice.
    std::int64_t begin(std::size_t slice) const noexcept {
        const Wide ticks = (Wide{slice} * length_ + count_ - 1) / count_;
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(begin_) +
                                         static_cast<std::uint64_t>(ticks));
    }

    /// Calls `add(slice, ticks)` for the parts of an interval that are in the range.
    template <typename Add>
    void spread(std::int64_t from, std::int64_t to, Add&& add) const {
        if (to <= begin_) {
            return;
        }
        std::int64_t at = std::max(from, begin_);
        for (std::size_t slice = of(at); at < to && slice < count_; ++slice) {
            const std::int64_t end = slice + 1 < count_ ? std::min(to, begin(slice + 1)) : to;
            if (end > at) {
                add(slice, static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(at));
                at = end;
            }
        }
    }

private:
    __extension__ using Wide = unsigned __int128;

    std::size_t count_;
    std::int64_t begin_ = 0;
    std::uint64_t length_ = 1;
};

} // namespace etl::analysis
