// SHA-256 (FIPS 180-4), plain and slow, for the sums that stand beside the samples.
#pragma once

#include <etl/byte_writer.hpp>

#include <array>
#include <bit>
#include <string>

namespace etl::test {

namespace sha256_detail {

__extension__ using Wide = unsigned __int128;

/// The first 32 bits behind the point of the square root or cube root of a prime: the constants, so
/// that there is no table to get wrong. The bits are found from the highest on.
constexpr std::uint32_t root_fraction(std::uint32_t prime, int root) {
    Wide found = 0; // times 2^32
    for (unsigned bit = 37; bit-- > 0;) {
        const Wide tried = found | (Wide{1} << bit);
        const Wide square = tried * tried;
        const bool fits =
            root == 2 ? square <= (Wide{prime} << 64U) : tried * square <= (Wide{prime} << 96U);
        found = fits ? tried : found;
    }
    return static_cast<std::uint32_t>(found);
}

constexpr std::array<std::uint32_t, 64> primes = [] {
    std::array<std::uint32_t, 64> list{};
    std::size_t count = 0;
    for (std::uint32_t n = 2; count < list.size(); ++n) {
        bool is_prime = true;
        for (std::size_t i = 0; i < count; ++i) {
            is_prime = is_prime && n % list[i] != 0;
        }
        if (is_prime) {
            list[count++] = n;
        }
    }
    return list;
}();

constexpr std::array<std::uint32_t, 64> round_constants = [] {
    std::array<std::uint32_t, 64> list{};
    for (std::size_t i = 0; i < list.size(); ++i) {
        list[i] = root_fraction(primes[i], 3);
    }
    return list;
}();

static_assert(round_constants[0] == 0x428A2F98 && round_constants[63] == 0xC67178F2);

inline void add_block(std::array<std::uint32_t, 8>& state, const std::byte* block) {
    std::array<std::uint32_t, 64> w{};
    for (std::size_t i = 0; i < 16; ++i) {
        w[i] = std::byteswap(load_le<std::uint32_t>(block + 4 * i));
    }
    for (std::size_t i = 16; i < 64; ++i) {
        const std::uint32_t a = w[i - 15];
        const std::uint32_t b = w[i - 2];
        w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3U)) + w[i - 7] +
               (std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10U));
    }
    std::array<std::uint32_t, 8> s = state;
    for (std::size_t i = 0; i < 64; ++i) {
        const std::uint32_t first =
            s[7] + (std::rotr(s[4], 6) ^ std::rotr(s[4], 11) ^ std::rotr(s[4], 25)) +
            ((s[4] & s[5]) ^ (~s[4] & s[6])) + round_constants[i] + w[i];
        const std::uint32_t second =
            (std::rotr(s[0], 2) ^ std::rotr(s[0], 13) ^ std::rotr(s[0], 22)) +
            ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        s = {first + second, s[0], s[1], s[2], s[3] + first, s[4], s[5], s[6]};
    }
    for (std::size_t i = 0; i < 8; ++i) {
        state[i] += s[i];
    }
}

} // namespace sha256_detail

/// 64 hex digits.
inline std::string sha256(Bytes bytes) {
    using namespace sha256_detail;
    std::array<std::uint32_t, 8> state{};
    for (std::size_t i = 0; i < state.size(); ++i) {
        state[i] = root_fraction(primes[i], 2);
    }
    ByteWriter padded;
    padded.bytes(bytes).u8(0x80).fill((119 - bytes.size() % 64) % 64);
    padded.u64(std::byteswap(std::uint64_t{bytes.size()} * 8));
    for (std::size_t at = 0; at < padded.size(); at += 64) {
        add_block(state, padded.view().data() + at);
    }
    std::string text;
    for (const std::uint32_t word : state) {
        for (unsigned shift = 32; shift > 0; shift -= 4) {
            text += "0123456789abcdef"[(word >> (shift - 4)) & 15U];
        }
    }
    return text;
}

} // namespace etl::test
