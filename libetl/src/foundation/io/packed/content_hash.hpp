// XXH32 and XXH64 with seed 0: the checksums of content that LZ4 and zstd frames end with (the
// latter's low 32 bits). https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md. Private to
// io.
#pragma once

#include "base/bytes.hpp"

#include <cstdint>

namespace etl::io {

std::uint32_t xxh32(Bytes bytes) noexcept;
std::uint64_t xxh64(Bytes bytes) noexcept;

} // namespace etl::io
