// How benches state what they measure: the best of five runs of each, mixed with the runs of the
// others, and its ratio to memcpy in the same program.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace etl::bench {

/// The measurement that all others are compared with.
inline constexpr const char* reference = "memcpy";

/// A size that no cache holds.
inline std::size_t beyond_caches() {
    std::size_t largest = 0;
    for (const auto& cache : benchmark::CPUInfo::Get().caches) {
        largest = std::max(largest, static_cast<std::size_t>(cache.size));
    }
    return std::max<std::size_t>(4 * largest, 64U << 20U);
}

/// False, and said why, when an argument is unknown.
inline bool initialize(int count, char** arguments) {
    // Mixed, so that what is compared meets the same weather.
    std::vector<char*> all(arguments, arguments + count);
    static std::string mixed = "--benchmark_enable_random_interleaving=true";
    all.insert(all.begin() + 1, mixed.data());
    int all_count = count + 1;
    benchmark::Initialize(&all_count, all.data());
    return !benchmark::ReportUnrecognizedArguments(all_count, all.data());
}

inline benchmark::internal::Benchmark* add(const std::string& name, auto measure) {
    return benchmark::RegisterBenchmark(name.c_str(), measure)->Iterations(1)->Repetitions(5);
}

/// Prints nothing but the best speed of each, and its ratio.
class BestReporter final : public benchmark::BenchmarkReporter {
public:
    bool ReportContext(const Context&) override { return true; }

    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs) {
            const auto speed = run.counters.find("bytes_per_second");
            if (run.error_occurred) {
                std::printf("%s: %s\n", run.run_name.function_name.c_str(),
                            run.error_message.c_str());
            } else if (run.run_type == Run::RT_Iteration && speed != run.counters.end()) {
                Best& best = best_[run.run_name.function_name];
                best.speed = std::max(best.speed, speed->second.value);
                const auto packed = run.counters.find("packed");
                best.packed = packed == run.counters.end() ? 0 : packed->second.value;
            }
        }
    }

    void Finalize() override {
        for (const auto& [name, best] : best_) {
            std::printf("%-34s %8.0f MB/s  %.3f of memcpy", name.c_str(), best.speed / 1e6,
                        best.speed / best_[reference].speed);
            if (best.packed != 0) {
                std::printf("  packed to %.3f", best.packed);
            }
            std::printf("\n");
        }
    }

private:
    struct Best {
        double speed = 0;
        double packed = 0; // bytes for each byte; 0: does not apply
    };

    std::map<std::string, Best> best_;
};

inline void run() {
    BestReporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
}

} // namespace etl::bench
