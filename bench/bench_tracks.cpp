// bench_tracks FILE: pictures of a trace that has an index, in milliseconds: windows of all of it
// down to a ten-thousandth, by levels of detail, and by the events where that does not take long.
// The ratio to the whole trace says whether a picture costs the same whatever its window is.
#include "analysis/dataset_tracks.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using etl::analysis::TracksRequest;

constexpr int repetitions = 11;
constexpr std::uint64_t columns = 1000;

struct Measured {
    double median_ms = 0, max_ms = 0;
    std::size_t tracks = 0, pieces = 0;
};

/// The same window again and again, each time by readers of its own.
Measured measure(const etl::dataset::Dataset& traces, const TracksRequest& request, int times) {
    Measured found;
    std::vector<double> all;
    for (int i = 0; i < times; ++i) {
        const auto began = std::chrono::steady_clock::now();
        auto again = traces.again({}, {});
        const auto tracks = etl::analysis::tracks_of(*again, request);
        const std::chrono::duration<double, std::milli> took =
            std::chrono::steady_clock::now() - began;
        all.push_back(took.count());
        found.tracks = tracks->front().tracks.size();
        found.pieces = tracks->front().pieces.size();
    }
    std::ranges::sort(all);
    found.median_ms = all[all.size() / 2];
    found.max_ms = all.back();
    return found;
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: bench_tracks FILE\n");
        return 1;
    }
    auto whole = etl::dataset::Dataset::open({argv[1]}, {.uses_indexes = true});
    if (whole.is_empty() || !whole.is_indexed()) {
        std::fprintf(stderr, "%s: no trace with an index: write it with `etl index`\n", argv[1]);
        return 1;
    }
    const etl::match::TimeBounds& bounds = whole.bounds();
    const std::int64_t begin = bounds.start.ticks;
    const std::int64_t end = bounds.end.value_or(etl::Filetime{}).ticks;
    std::printf("%-24s %10s %10s %8s %10s\n", "window", "median ms", "max ms", "tracks", "pieces");
    for (const std::int64_t share : {1, 3, 10, 100, 1000, 10'000}) {
        etl::dataset::Options options{.uses_indexes = true};
        if (share > 1) {
            const std::int64_t at =
                std::min(begin + (end - begin) * 2 / 3, end - (end - begin) / share);
            options.from = std::to_string(at);
            options.to = std::to_string(at + (end - begin) / share);
        }
        const auto traces = etl::dataset::Dataset::open({argv[1]}, options);
        const Measured by_levels = measure(traces, {.bins = columns}, repetitions);
        std::printf("1/%-22lld %10.1f %10.1f %8zu %10zu\n", static_cast<long long>(share),
                    by_levels.median_ms, by_levels.max_ms, by_levels.tracks, by_levels.pieces);
    }
    return 0;
}
