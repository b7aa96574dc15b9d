// LZNT1 as numbers: what decoder and encoder share. docs/format/compression.md#lznt1
#pragma once

#include <bit>
#include <cstddef>

namespace etl::codec::lznt1 {

inline constexpr std::size_t chunk_size = 4096; // bytes of output that a chunk holds at most
inline constexpr std::size_t min_length = 3;    // of a match
inline constexpr std::size_t items = 8;         // of a group, behind its byte of tags

// The head of a chunk.
inline constexpr unsigned size_mask = 0x0FFF; // bytes behind the head, less one
inline constexpr unsigned signature = 0x3000; // written, never looked at
inline constexpr unsigned compressed_bit = 0x8000;
inline constexpr unsigned end_of_stream = 0;

/// Bits of a match that are its length when `done` bytes of the chunk are there; the others are the
/// distance, and just wide enough to reach the chunk's beginning.
constexpr unsigned length_bits(std::size_t done) noexcept {
    return done <= 16 ? 12U : 16U - static_cast<unsigned>(std::bit_width(done - 1));
}

static_assert(length_bits(16) == 12 && length_bits(17) == 11 && length_bits(32) == 11);
static_assert(length_bits(33) == 10 && length_bits(2049) == 4 && length_bits(4096) == 4);

constexpr std::size_t max_length(unsigned bits) noexcept {
    return (std::size_t{1} << bits) - 1 + min_length;
}

} // namespace etl::codec::lznt1
