// Intervals that contain each other, in the order of their ends.
#pragma once

#include <cstdint>
#include <vector>

namespace etl {

struct Interval {
    std::int64_t from = 0, to = 0;
};

/// Adds an interval that ends no earlier than those in `ended`, and removes those inside of it
/// after `remove` was called with them: no later interval contains one of them alone.
template <typename Remove>
void add_outer(std::vector<Interval>& ended, const Interval& outer, Remove&& remove) {
    while (!ended.empty() && ended.back().from >= outer.from && outer.to > outer.from) {
        remove(ended.back());
        ended.pop_back();
    }
    ended.push_back(outer);
}

} // namespace etl
