// MS-XCA plain LZ77 (COMPRESSION_FORMAT_XPRESS): the format of every compressed trace seen so far.
// docs/format/compression.md#xpress
#pragma once

#include "codec/codec.hpp"

namespace etl::codec::xpress {

/// Decompresses until `out` is full; see codec::decompress.
Outcome decompress(Bytes in, MutableBytes out) noexcept;

/// Appends the compressed form of `in` to `out`.
void compress(Bytes in, std::vector<std::byte>& out, Level level = Level::normal);

} // namespace etl::codec::xpress
