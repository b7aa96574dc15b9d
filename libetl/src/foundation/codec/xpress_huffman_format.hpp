// LZ77 with Huffman codes as numbers: what decoder and encoder share.
// docs/format/compression.md#xpress-huffman
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::codec::xpress_huffman {

inline constexpr std::size_t block_size = 65536; // bytes of output after which a block ends
inline constexpr std::size_t table_size = 256;   // bytes of a block's code lengths
inline constexpr std::size_t max_distance = 65535;

inline constexpr std::size_t first_match = 256; // symbols from here on are matches

// Lengths of matches, by the form that begins there.
inline constexpr std::size_t min_length = 3;           // four bits of the symbol
inline constexpr std::size_t min_byte_length = 18;     // ... and a byte
inline constexpr std::size_t min_word_length = 273;    // ... and the length less 3, in 16 bits
inline constexpr std::size_t min_dword_length = 65539; // ... or in 32 bits behind a zero

} // namespace etl::codec::xpress_huffman
