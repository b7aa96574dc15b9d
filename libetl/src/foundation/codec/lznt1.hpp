// LZNT1: used in payloads injected by a merge, and possible as the format of a trace.
// docs/format/compression.md#lznt1
#pragma once

#include "codec/codec.hpp"

namespace etl::codec::lznt1 {

/// Decompresses until `out` is full; see codec::decompress.
Outcome decompress(Bytes in, MutableBytes out) noexcept;

/// Appends the compressed form of `in` to `out`.
void compress(Bytes in, std::vector<std::byte>& out, Level level = Level::normal);

} // namespace etl::codec::lznt1
