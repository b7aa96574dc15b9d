// LZNT1: payloads that a merge injects, and a format a trace may name.
// docs/format/compression.md#lznt1
#pragma once

#include <etl/codec/codec.hpp>

namespace etl::codec::lznt1 {

/// Decompresses until `out` is full; see codec::decompress.
Outcome decompress(Bytes in, MutableBytes out) noexcept;

/// Appends the compressed form of `in` to `out`.
void compress(Bytes in, std::vector<std::byte>& out, Level level = Level::normal);

} // namespace etl::codec::lznt1
