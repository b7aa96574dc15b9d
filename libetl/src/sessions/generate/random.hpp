// Pseudorandom numbers, the same on every machine: SplitMix64, and logarithms in integers. Results
// of libm can differ in the last bit between machines, and compilers can fuse additions into
// multiplications. One thread.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace etl::generate {

/// Fraction bits of the results.
inline constexpr unsigned fraction_bits = 24;
inline constexpr std::uint64_t one = std::uint64_t{1} << fraction_bits;

namespace fixed_point {

/// log2 of 1 + mantissa / 2^31, in units of 2^-24, bit by bit, by squaring.
constexpr std::uint32_t log2_of_mantissa(std::uint64_t mantissa) noexcept {
    std::uint64_t x = (std::uint64_t{1} << 31U) + mantissa;
    std::uint32_t result = 0;
    for (unsigned bit = 0; bit < fraction_bits; ++bit) {
        x = x * x >> 31U;
        const std::uint64_t is_two = x >> 32U;
        x >>= is_two;
        result = result << 1U | static_cast<std::uint32_t>(is_two);
    }
    return result;
}

inline constexpr unsigned table_bits = 8;

/// log2 of 1 + i / 256.
inline constexpr auto logarithms = [] {
    std::array<std::uint32_t, (1U << table_bits) + 1> table{};
    for (std::size_t i = 0; i + 1 < table.size(); ++i) {
        table[i] = log2_of_mantissa(std::uint64_t{i} << (31U - table_bits));
    }
    table.back() = one;
    return table;
}();

/// The largest r with r * r <= x.
constexpr std::uint64_t root(std::uint64_t x) noexcept {
    std::uint64_t result = 0;
    for (std::uint64_t bit = std::uint64_t{1} << 31U; bit != 0; bit >>= 1U) {
        const std::uint64_t next = result | bit;
        result = next * next <= x ? next : result;
    }
    return result;
}

} // namespace fixed_point

/// log2(x), interpolated between 257 points: at most 3e-6 too small. x must not be 0.
constexpr std::uint64_t log2_fixed(std::uint64_t x) noexcept {
    using fixed_point::table_bits;
    const auto whole = static_cast<unsigned>(std::bit_width(x)) - 1;
    const std::uint64_t mantissa = whole == 0 ? 0 : x << (64U - whole);
    const auto entry = static_cast<std::size_t>(mantissa >> (64U - table_bits));
    const std::uint64_t within = mantissa << table_bits >> 32U;
    const std::uint64_t low = fixed_point::logarithms[entry];
    const std::uint64_t rise = fixed_point::logarithms[entry + 1] - low;
    return std::uint64_t{whole} * one + low + (rise * within >> 32U);
}

/// 2^(32 - x / 2^24): the reciprocal of the power of two, in units of 2^-32.
constexpr std::uint64_t inverse_exp2_fixed(std::uint64_t x) noexcept {
    std::uint64_t result = std::uint64_t{1} << 32U;
    std::uint64_t factor = result; // 2^-1, 2^-1/2, 2^-1/4, ... within 32 bits
    factor >>= 1U;
    for (unsigned bit = fraction_bits; bit-- > 0;) {
        factor = fixed_point::root(factor << 32U);
        if ((x >> bit & 1U) != 0) {
            result = result * factor >> 32U;
        }
    }
    const std::uint64_t whole = x >> fraction_bits;
    return whole > 32 ? 0 : result >> whole;
}

static_assert(log2_fixed(1) == 0);
static_assert(log2_fixed(1024) == 10 * one);
static_assert(log2_fixed(3) > 158496200 * one / 100000000 &&
              log2_fixed(3) < 158496300 * one / 100000000);
static_assert(log2_fixed(~std::uint64_t{0}) <= 64 * one);
static_assert(inverse_exp2_fixed(0) == std::uint64_t{1} << 32U);
static_assert(inverse_exp2_fixed(3 * one) == std::uint64_t{1} << 29U);
static_assert(inverse_exp2_fixed(one / 2) > 3037000480 && inverse_exp2_fixed(one / 2) < 3037000510);

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

    /// `min` to `max`.
    template <typename T>
    T between(T min, T max) noexcept {
        const auto span = static_cast<std::uint64_t>(max) - static_cast<std::uint64_t>(min) + 1;
        return static_cast<T>(static_cast<std::uint64_t>(min) + (span == 0 ? next() : below(span)));
    }

    /// In [0, 1).
    double unit() noexcept { return static_cast<double>(next() >> 11U) * 0x1p-53; }

    bool chance(double probability) noexcept { return unit() < probability; }

    /// Exponentially distributed with the mean `one`, up to 37 times that.
    std::uint64_t exponential() noexcept {
        constexpr std::uint64_t ln2 = 2'977'044'472; // in units of 2^-32
        const std::uint64_t above_zero = (next() >> 11U) + 1;
        return (53 * one - log2_fixed(above_zero)) * ln2 >> 32U;
    }

private:
    std::uint64_t state_;
};

} // namespace etl::generate
