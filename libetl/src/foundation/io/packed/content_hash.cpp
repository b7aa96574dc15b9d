#include "io/packed/content_hash.hpp"

// As part of this file: who links with the library needs no libxxhash.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace etl::io {

std::uint32_t xxh32(Bytes bytes) noexcept {
    return XXH32(bytes.data(), bytes.size(), 0);
}

std::uint64_t xxh64(Bytes bytes) noexcept {
    return XXH64(bytes.data(), bytes.size(), 0);
}

} // namespace etl::io
