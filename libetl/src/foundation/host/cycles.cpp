// The cycle counters of processors: the same on all systems.
#include "host/clock.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string_view>
#include <thread>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#include <x86intrin.h>
#define ETL_HAS_TSC 1
#elif defined(_M_X64) || defined(_M_IX86)
#include <intrin.h>
#define ETL_HAS_TSC 1
#else
#define ETL_HAS_TSC 0
#endif

namespace etl::host {

namespace {

#if ETL_HAS_TSC

/// CPUID leaf 0x80000007, EDX bit 8: the counter runs at one speed in all states of the processor.
bool has_invariant_counter() noexcept {
    constexpr unsigned leaf = 0x80000007U;
    constexpr unsigned invariant = 1U << 8U;
#if defined(_MSC_VER)
    int registers[4] = {};
    __cpuid(registers, static_cast<int>(0x80000000U));
    if (static_cast<unsigned>(registers[0]) < leaf) {
        return false;
    }
    __cpuid(registers, static_cast<int>(leaf));
    return (static_cast<unsigned>(registers[3]) & invariant) != 0;
#else
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    return __get_cpuid(leaf, &a, &b, &c, &d) != 0 && (d & invariant) != 0;
#endif
}

/// Whether those of all processors agree, nobody but the kernel knows, who has compared them: where
/// they do not, or jump, it goes by another clock.
bool counters_agree() noexcept {
#if defined(__linux__)
    constexpr const char* path = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path, "re"),
                                                               &std::fclose);
    std::array<char, 8> name{};
    return file && std::fgets(name.data(), static_cast<int>(name.size()), file.get()) != nullptr &&
           std::string_view(name.data()) == "tsc\n";
#else
    return true;
#endif
}

/// Both clocks at one moment, as close as some tries bring them.
struct Pair {
    std::int64_t cycles = 0;
    std::int64_t ticks = 0;
};

Pair read_pair() noexcept {
    constexpr int tries = 10;
    Pair best;
    std::int64_t min = INT64_MAX;
    for (int i = 0; i < tries; ++i) {
        const std::int64_t before = cycles();
        const std::int64_t ticks = monotonic_ticks();
        const std::int64_t took = cycles() - before;
        if (took >= 0 && took < min) {
            min = took;
            best = {before + took / 2, ticks};
        }
    }
    return best;
}

/// In Hz; 0: none that can serve as a clock.
double measure() noexcept {
    if (!has_invariant_counter() || !counters_agree()) {
        return 0;
    }
    const Pair first = read_pair();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    const Pair last = read_pair();
    const std::int64_t ticks = last.ticks - first.ticks;
    const std::int64_t count = last.cycles - first.cycles;
    if (ticks <= 0 || count <= 0) {
        return 0;
    }
    return static_cast<double>(count) / static_cast<double>(ticks) * monotonic_frequency;
}

#elif defined(__aarch64__)

double measure() noexcept {
    std::uint64_t frequency = 0;
    __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(frequency));
    return static_cast<double>(frequency);
}

#else

double measure() noexcept {
    return 0;
}

#endif

constexpr std::int64_t not_requested = -1;
std::atomic<std::int64_t> known_frequency{not_requested}; // of the machine, not of anybody's state

/// A whole number per microsecond, or 0 where that would be off by more than a thousandth.
std::int64_t per_microsecond(double hertz) noexcept {
    constexpr double microseconds = 1e6;
    constexpr double max = 1e6; // per microsecond: nothing counts as fast
    constexpr double tolerance = 1e-3;
    const double exact = hertz / microseconds;
    if (!(exact >= 1) || exact > max) {
        return 0;
    }
    const auto whole =
        static_cast<std::int64_t>(exact + 0.5); // NOLINT(bugprone-incorrect-roundings)
    const double error = (static_cast<double>(whole) - exact) / exact;
    return error < tolerance && error > -tolerance ? whole : 0;
}

} // namespace

std::int64_t cycles() noexcept {
#if ETL_HAS_TSC
    _mm_lfence(); // or it would be read ahead of what was to be looked at first
    return static_cast<std::int64_t>(__rdtsc());
#elif defined(__aarch64__)
    std::int64_t count = 0;
    __asm__ volatile("isb; mrs %0, cntvct_el0; isb" : "=r"(count)::"memory");
    return count;
#else
    return monotonic_ticks();
#endif
}

std::optional<std::uint32_t> cycle_frequency() noexcept {
    std::int64_t frequency = known_frequency.load(std::memory_order_relaxed);
    if (frequency == not_requested) {
        frequency = per_microsecond(measure());
        std::int64_t none = not_requested;
        if (!known_frequency.compare_exchange_strong(none, frequency)) {
            frequency = none; // another thread measured too: one answer for all
        }
    }
    if (frequency == 0) {
        return std::nullopt;
    }
    return static_cast<std::uint32_t>(frequency);
}

} // namespace etl::host
