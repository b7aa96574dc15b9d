// Hashes of 64 bits: one that finds changes, and one with a key.
#pragma once

#include <etl/bytes.hpp>

#include "base/layout.hpp"

#include <array>
#include <bit>
#include <cstdint>

namespace etl {

/// FNV-1a, 64 bits: it finds files that changed or are damaged, not those that are forged.
class Checksum {
public:
    void add(Bytes bytes) noexcept {
        for (const std::byte byte : bytes) {
            value_ = (value_ ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001B3U;
        }
    }

    std::uint64_t value() const noexcept { return value_; }

private:
    std::uint64_t value_ = 0xCBF29CE484222325U;
};

inline std::uint64_t checksum_of(Bytes bytes) noexcept {
    Checksum checksum;
    checksum.add(bytes);
    return checksum.value();
}

// SipHash-2-4: a keyed hash of 64 bits (Aumasson, Bernstein 2012). Ours, because it is these forty
// lines, while the libraries that have it (libsodium, OpenSSL) are hundreds of kilobytes of other
// things.

/// Nobody can compute or choose its values without the key. Two of them under independent keys are
/// a message authentication code of 128 bits.
class SipHash {
public:
    explicit constexpr SipHash(const std::array<std::uint8_t, 16>& key) noexcept {
        for (unsigned i = 0; i < 8; ++i) {
            k0_ |= std::uint64_t{key[i]} << (8 * i);
            k1_ |= std::uint64_t{key[8 + i]} << (8 * i);
        }
    }

    /// Returns the hash of `data`.
    std::uint64_t operator()(Bytes data) const noexcept {
        State s{k0_ ^ 0x736f6d6570736575U, k1_ ^ 0x646f72616e646f6dU, k0_ ^ 0x6c7967656e657261U,
                k1_ ^ 0x7465646279746573U};
        std::size_t at = 0;
        for (; data.size() - at >= 8; at += 8) {
            s.take(load_le<std::uint64_t>(data.data() + at));
        }
        std::uint64_t last = std::uint64_t{data.size()} << 56U;
        for (unsigned i = 0; at + i < data.size(); ++i) {
            last |= std::to_integer<std::uint64_t>(data[at + i]) << (8 * i);
        }
        s.take(last);
        s.v2 ^= 0xFF;
        for (int i = 0; i < 4; ++i) {
            s.round();
        }
        return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
    }

private:
    struct State {
        std::uint64_t v0, v1, v2, v3;

        constexpr void round() noexcept {
            v0 += v1;
            v1 = std::rotl(v1, 13) ^ v0;
            v0 = std::rotl(v0, 32);
            v2 += v3;
            v3 = std::rotl(v3, 16) ^ v2;
            v0 += v3;
            v3 = std::rotl(v3, 21) ^ v0;
            v2 += v1;
            v1 = std::rotl(v1, 17) ^ v2;
            v2 = std::rotl(v2, 32);
        }

        constexpr void take(std::uint64_t word) noexcept {
            v3 ^= word;
            round();
            round();
            v0 ^= word;
        }
    };

    std::uint64_t k0_ = 0, k1_ = 0;
};

} // namespace etl
