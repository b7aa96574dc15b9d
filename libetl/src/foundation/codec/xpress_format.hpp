// Plain LZ77 as numbers: what decoder and encoder share. docs/format/compression.md#xpress
#pragma once

#include <cstddef>

namespace etl::codec::xpress {

inline constexpr std::size_t window = 8192; // the farthest distance

// Lengths of matches, by the form that begins there.
inline constexpr std::size_t min_length = 3;           // three bits of the match
inline constexpr std::size_t min_nibble_length = 10;   // ... and a nibble
inline constexpr std::size_t min_byte_length = 25;     // ... and a byte
inline constexpr std::size_t min_word_length = 280;    // ... and the length less 3, in 16 bits
inline constexpr std::size_t min_dword_length = 65539; // ... or in 32 bits behind a zero

} // namespace etl::codec::xpress
