// Decompression of bytes whose decompressed size is declared. Private to symbols.
#pragma once

#include <etl/bytes.hpp>

#include <cstdint>
#include <vector>

namespace etl::symbols {

enum class Compression : std::uint8_t { none, zstd, deflate }; // numbered as in MSFZ

/// Replaces the content of `to` with the `size` decompressed bytes. Memory grows with the bytes
/// that exist, not with `size`. Returns false if `packed` is damaged or has another decompressed
/// size.
bool expand(Compression compression, Bytes packed, std::size_t size, std::vector<std::byte>& to);

} // namespace etl::symbols
