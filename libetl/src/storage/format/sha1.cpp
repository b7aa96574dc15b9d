#include "format/sha1.hpp"

#include <bit>
#include <cstdint>
#include <vector>

namespace etl::format {

namespace {

using State = std::array<std::uint32_t, 5>;

struct Step {
    std::uint32_t mix;
    std::uint32_t constant;
};

Step step(std::size_t round, std::uint32_t b, std::uint32_t c, std::uint32_t d) noexcept {
    switch (round / 20) {
    case 0:
        return {(b & c) | (~b & d), 0x5A827999};
    case 1:
        return {b ^ c ^ d, 0x6ED9EBA1};
    case 2:
        return {(b & c) | (b & d) | (c & d), 0x8F1BBCDC};
    default:
        return {b ^ c ^ d, 0xCA62C1D6};
    }
}

void add_block(State& state, Bytes block) noexcept {
    std::array<std::uint32_t, 80> words{};
    for (std::size_t i = 0; i < 64; ++i) {
        words[i / 4] = (words[i / 4] << 8U) | std::to_integer<std::uint32_t>(block[i]);
    }
    for (std::size_t i = 16; i < words.size(); ++i) {
        words[i] = std::rotl(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
    }
    auto [a, b, c, d, e] = state;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const Step now = step(i, b, c, d);
        const std::uint32_t next = std::rotl(a, 5) + now.mix + e + now.constant + words[i];
        e = d;
        d = c;
        c = std::rotl(b, 30);
        b = a;
        a = next;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
}

} // namespace

std::array<std::byte, 20> sha1(Bytes message) {
    // The message, a bit 1, zeros, and the length in bits as a big-endian u64 at the end of the
    // last block.
    std::vector<std::byte> padded(message.begin(), message.end());
    padded.push_back(std::byte{0x80});
    padded.resize((padded.size() + 8 + 63) / 64 * 64);
    std::uint64_t bits = std::uint64_t{message.size()} * 8;
    for (std::size_t i = 1; i <= 8; ++i, bits >>= 8U) {
        padded[padded.size() - i] = static_cast<std::byte>(bits & 0xFFU);
    }

    State state{0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
    for (Bytes rest = padded; !rest.empty(); rest = rest.subspan(64)) {
        add_block(state, rest.first(64));
    }
    std::array<std::byte, 20> digest{};
    for (std::size_t i = 0; i < digest.size(); ++i) {
        digest[i] = static_cast<std::byte>((state[i / 4] >> (24 - 8 * (i % 4))) & 0xFFU);
    }
    return digest;
}

} // namespace etl::format
