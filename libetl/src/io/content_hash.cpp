#include "io/content_hash.hpp"

#include <etl/base/layout.hpp>

#include <bit>

namespace etl::io {

namespace {

/// What differs between the two, beside how they end.
struct Hash32 {
    using Word = std::uint32_t;
    static constexpr Word prime_1 = 0x9E3779B1;
    static constexpr Word prime_2 = 0x85EBCA77;
    static constexpr Word prime_3 = 0xC2B2AE3D;
    static constexpr Word prime_4 = 0x27D4EB2F;
    static constexpr Word prime_5 = 0x165667B1;
    static constexpr int rotation = 13;
};

struct Hash64 {
    using Word = std::uint64_t;
    static constexpr Word prime_1 = 0x9E3779B185EBCA87;
    static constexpr Word prime_2 = 0xC2B2AE3D27D4EB4F;
    static constexpr Word prime_3 = 0x165667B19E3779F9;
    static constexpr Word prime_4 = 0x85EBCA77C2B2AE63;
    static constexpr Word prime_5 = 0x27D4EB2F165667C5;
    static constexpr int rotation = 31;
};

template <typename Hash>
constexpr typename Hash::Word round(typename Hash::Word lane, typename Hash::Word input) noexcept {
    return std::rotl(lane + input * Hash::prime_2, Hash::rotation) * Hash::prime_1;
}

/// Four lanes take a word each of every stripe.
template <typename Hash>
struct Lanes {
    using Word = typename Hash::Word;
    static constexpr std::size_t stripe = 4 * sizeof(Word);

    // No array: lanes that are one would be kept in memory.
    Word a = Hash::prime_1 + Hash::prime_2;
    Word b = Hash::prime_2;
    Word c = 0;
    Word d = Word{0} - Hash::prime_1;

    /// `bytes` becomes what no stripe has.
    explicit Lanes(Bytes& bytes) noexcept {
        const std::byte* at = bytes.data();
        const std::byte* const end = at + bytes.size() / stripe * stripe;
        for (; at != end; at += stripe) {
            a = round<Hash>(a, load_le<Word>(at));
            b = round<Hash>(b, load_le<Word>(at + sizeof(Word)));
            c = round<Hash>(c, load_le<Word>(at + 2 * sizeof(Word)));
            d = round<Hash>(d, load_le<Word>(at + 3 * sizeof(Word)));
        }
        bytes = bytes.last(bytes.size() % stripe);
    }

    Word converged() const noexcept {
        return std::rotl(a, 1) + std::rotl(b, 7) + std::rotl(c, 12) + std::rotl(d, 18);
    }
};

template <typename T>
bool take_word(Bytes& bytes, T& word) noexcept {
    if (bytes.size() < sizeof(T)) {
        return false;
    }
    word = load_le<T>(bytes.data());
    bytes = bytes.subspan(sizeof(T));
    return true;
}

} // namespace

std::uint32_t xxh32(Bytes bytes) noexcept {
    using H = Hash32;
    const auto size = static_cast<std::uint32_t>(bytes.size());
    std::uint32_t hash = bytes.size() < 16 ? H::prime_5 : Lanes<H>(bytes).converged();
    hash += size;
    for (std::uint32_t word = 0; take_word(bytes, word);) {
        hash = std::rotl(hash + word * H::prime_3, 17) * H::prime_4;
    }
    for (std::uint8_t byte = 0; take_word(bytes, byte);) {
        hash = std::rotl(hash + byte * H::prime_5, 11) * H::prime_1;
    }
    hash = (hash ^ hash >> 15U) * H::prime_2;
    hash = (hash ^ hash >> 13U) * H::prime_3;
    return hash ^ hash >> 16U;
}

std::uint64_t xxh64(Bytes bytes) noexcept {
    using H = Hash64;
    const std::uint64_t size = bytes.size();
    std::uint64_t hash = H::prime_5;
    if (bytes.size() >= 32) {
        const Lanes<H> lanes(bytes);
        hash = lanes.converged();
        for (const std::uint64_t lane : {lanes.a, lanes.b, lanes.c, lanes.d}) {
            hash = (hash ^ round<H>(0, lane)) * H::prime_1 + H::prime_4;
        }
    }
    hash += size;
    for (std::uint64_t word = 0; take_word(bytes, word);) {
        hash = std::rotl(hash ^ round<H>(0, word), 27) * H::prime_1 + H::prime_4;
    }
    for (std::uint32_t word = 0; take_word(bytes, word);) {
        hash = std::rotl(hash ^ word * H::prime_1, 23) * H::prime_2 + H::prime_3;
    }
    for (std::uint8_t byte = 0; take_word(bytes, byte);) {
        hash = std::rotl(hash ^ byte * H::prime_5, 11) * H::prime_1;
    }
    hash = (hash ^ hash >> 33U) * H::prime_2;
    hash = (hash ^ hash >> 29U) * H::prime_3;
    return hash ^ hash >> 32U;
}

} // namespace etl::io
