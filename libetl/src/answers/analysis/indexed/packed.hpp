// Bytes of an index, compressed by zstd. Private to analysis.
#pragma once

#include <etl/bytes.hpp>

#include <zstd.h>

#include <cstddef>
#include <vector>

namespace etl::analysis {

/// Returns a frame that states its size; empty: it cannot be made.
inline std::vector<std::byte> packed(Bytes content, int level) {
    std::vector<std::byte> frame(ZSTD_compressBound(content.size()));
    const std::size_t size =
        ZSTD_compress(frame.data(), frame.size(), content.data(), content.size(), level);
    frame.resize(ZSTD_isError(size) != 0 ? 0 : size);
    return frame;
}

/// Returns its content; empty: damaged, or larger than `max`.
inline std::vector<std::byte> unpacked(Bytes frame, std::size_t max) {
    const std::uint64_t stated = ZSTD_getFrameContentSize(frame.data(), frame.size());
    if (stated > max) { // also that it is not stated
        return {};
    }
    std::vector<std::byte> content(static_cast<std::size_t>(stated));
    const std::size_t size =
        ZSTD_decompress(content.data(), content.size(), frame.data(), frame.size());
    return ZSTD_isError(size) == 0 && size == content.size() ? content : std::vector<std::byte>();
}

} // namespace etl::analysis
