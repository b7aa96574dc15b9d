// The formats by name, each with its decoder and its encoder. docs/format/compression.md
#pragma once

#include "codec/codec.hpp"

namespace etl::codec::lznt1 {

// LZNT1: used in payloads injected by a merge, and possible as the format of a trace.
// docs/format/compression.md#lznt1

/// Decompresses until `out` is full; see codec::decompress.
Outcome decompress(Bytes in, MutableBytes out) noexcept;

/// Appends the compressed form of `in` to `out`.
void compress(Bytes in, std::vector<std::byte>& out, Level level = Level::normal);

} // namespace etl::codec::lznt1

namespace etl::codec::xpress {

// MS-XCA plain LZ77 (COMPRESSION_FORMAT_XPRESS): the format of every compressed trace seen so far.
// docs/format/compression.md#xpress

/// Decompresses until `out` is full; see codec::decompress.
Outcome decompress(Bytes in, MutableBytes out) noexcept;

/// Appends the compressed form of `in` to `out`.
void compress(Bytes in, std::vector<std::byte>& out, Level level = Level::normal);

} // namespace etl::codec::xpress

namespace etl::codec::xpress_huffman {

// MS-XCA LZ77 with Huffman codes (COMPRESSION_FORMAT_XPRESS_HUFF).
// docs/format/compression.md#xpress-huffman

/// Decompresses until `out` is full; see codec::decompress.
Outcome decompress(Bytes in, MutableBytes out) noexcept;

/// Appends the compressed form of `in` to `out`.
void compress(Bytes in, std::vector<std::byte>& out, Level level = Level::normal);

} // namespace etl::codec::xpress_huffman
