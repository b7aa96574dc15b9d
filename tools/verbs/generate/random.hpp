// Pseudorandom numbers, the same on every machine: SplitMix64. One thread.
#pragma once

#include "verbs/generate/fixed_point.hpp"

#include <cstdint>

namespace cli::generate {

class Random {
public:
    explicit Random(std::uint64_t seed) noexcept : state_(seed) {}

    std::uint64_t next() noexcept {
        state_ += 0x9E3779B97F4A7C15U;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
        return z ^ (z >> 31U);
    }

    /// 0 to count - 1; `count` must not be 0.
    std::uint64_t below(std::uint64_t count) noexcept { return next() % count; }

    /// `least` to `most`.
    template <typename T>
    T between(T least, T most) noexcept {
        const auto span = static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least) + 1;
        return static_cast<T>(static_cast<std::uint64_t>(least) +
                              (span == 0 ? next() : below(span)));
    }

    /// In [0, 1).
    double unit() noexcept { return static_cast<double>(next() >> 11U) * 0x1p-53; }

    bool chance(double probability) noexcept { return unit() < probability; }

    /// Exponentially distributed with the mean one(), up to 37 times that.
    std::uint64_t exponential() noexcept {
        constexpr std::uint64_t ln2 = 2'977'044'472; // in units of 2^-32
        const std::uint64_t above_zero = (next() >> 11U) + 1;
        return (53 * one - log2_fixed(above_zero)) * ln2 >> 32U;
    }

private:
    std::uint64_t state_;
};

} // namespace cli::generate
