// Which series a timeline shows. Private to analysis. docs/analysis.md#timeline
#pragma once

#include "analysis/limits.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <unordered_map>
#include <vector>

namespace etl::analysis {

/// Returns the series with most of any of their first `measures` values, most of the first value
/// first. `label_of(series)` decides between equals.
template <typename Values, typename Label>
std::vector<std::uint64_t> largest_series(const std::unordered_map<std::uint64_t, Values>& totals,
                                          std::size_t measures, Label&& label_of) {
    const auto comes_before = [&](std::size_t value) {
        return [&, value](std::uint64_t a, std::uint64_t b) {
            const std::uint64_t mine = totals.at(a)[value], other = totals.at(b)[value];
            return mine != other ? mine > other : label_of(a) < label_of(b);
        };
    };
    std::vector<std::uint64_t> all;
    std::ranges::transform(totals, std::back_inserter(all), [](auto& one) { return one.first; });
    std::set<std::uint64_t> chosen;
    for (std::size_t i = 0; i < measures; ++i) {
        const auto end = all.begin() +
                         static_cast<std::ptrdiff_t>(std::min(all.size(), limits::analysis_series));
        std::ranges::partial_sort(all, end, comes_before(i));
        std::copy_if(all.begin(), end, std::inserter(chosen, chosen.end()),
                     [&](std::uint64_t series) { return totals.at(series)[i] != 0; });
    }
    std::vector<std::uint64_t> ordered(chosen.begin(), chosen.end());
    std::ranges::sort(ordered, comes_before(0));
    return ordered;
}

} // namespace etl::analysis
