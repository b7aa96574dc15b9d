// MS-XCA LZ77 with Huffman codes (COMPRESSION_FORMAT_XPRESS_HUFF).
// docs/format/compression.md#xpress-huffman
#pragma once

#include "codec/codec.hpp"

namespace etl::codec::xpress_huffman {

/// Decompresses until `out` is full; see codec::decompress.
Outcome decompress(Bytes in, MutableBytes out) noexcept;

/// Appends the compressed form of `in` to `out`.
void compress(Bytes in, std::vector<std::byte>& out, Level level = Level::normal);

} // namespace etl::codec::xpress_huffman
