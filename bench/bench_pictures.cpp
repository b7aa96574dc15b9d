// bench_pictures FILE: how long pictures of threads and processors with a thousand columns take, as
// numbers: lines of the share of the trace that is shown, and the median, the 95th percentile, and
// the longest of windows all over the trace, in seconds; `picture.first` is the first question of
// an opened trace.
#include "best_seconds.hpp"

#include "explore/explorer.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using etl::explore::Explorer;
using etl::explore::LodQuestion;

constexpr int rounds = 40;

Explorer open(const char* path) {
    auto opened = Explorer::open({path});
    if (!opened) {
        std::fprintf(stderr, "%s\n", describe(opened.error()).c_str());
        std::exit(1);
    }
    return *std::move(opened);
}

double seconds_of(const Explorer& explorer, const LodQuestion& question) {
    return etl::bench::seconds([&] {
        if (!explorer.tracks(question)) {
            std::fprintf(stderr, "no answer\n");
            std::exit(1);
        }
    });
}

void print(const std::string& name, std::vector<double> times) {
    std::ranges::sort(times);
    std::printf("%s %.6f %.6f %.6f\n", name.c_str(), times[times.size() / 2],
                times[times.size() * 95 / 100], times.back());
}

/// Window i, which shows a share of a trace.
LodQuestion window(double length, int i, int share) {
    const double from = (i * 7 % rounds + 0.5) / rounds * length * (1.0 - 1.0 / share);
    return {.selection = {.from = "+" + std::to_string(from) + "s",
                          .to = "+" + std::to_string(from + length / share) + "s"},
            .kinds = {"processor", "thread"}};
}

/// Of a trace, in seconds.
double length_of(const Explorer& explorer) {
    const auto all = explorer.tracks({.kinds = {"processor"}});
    const auto& bins = all->traces.front();
    std::int64_t first = 0, last = 0;
    for (const auto& piece : bins.pieces) {
        first = first == 0 ? piece.bin : std::min(first, piece.bin);
        last = std::max(last, piece.bin + static_cast<std::int64_t>(piece.bins));
    }
    return static_cast<double>((last - first) << bins.shift) /
           static_cast<double>(bins.clock.frequency());
}

} // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        std::fprintf(stderr, "usage: bench_pictures FILE\n");
        return 64;
    }
    const Explorer explorer = open(arguments[1]);
    const double length = length_of(explorer);
    std::vector<double> opening, first;
    for (int i = 0; i < rounds; i += 4) {
        opening.push_back(etl::bench::seconds([&] { open(arguments[1]); }));
        const Explorer fresh = open(arguments[1]);
        first.push_back(seconds_of(fresh, window(length, i, i % 8 == 0 ? 10 : 1000)));
    }
    print("picture.open", opening);
    print("picture.first", first);
    for (const int share : {1, 3, 10, 100, 1000, 10'000}) {
        std::vector<double> times;
        for (int i = 0; i < rounds; ++i) {
            times.push_back(seconds_of(explorer, window(length, i, share)));
        }
        print("picture." + std::to_string(share), times);
    }
    print("picture.all", {seconds_of(explorer, {}), seconds_of(explorer, {})});
    return 0;
}
