#include "trace/index/buffer_index.hpp"

#include "base/limits.hpp"
#include "trace/index/buffer_indexer.hpp"

#include <algorithm>

namespace etl::trace {

BufferIndex index_buffers(Bytes file, const IndexHints& hints, const io::InputFile* content) {
    return BufferIndexer(file, hints, content).run();
}

std::uint32_t fullest(std::span<const BufferEntry> entries, std::uint32_t nominal) noexcept {
    std::uint32_t bytes = 0;
    for (const BufferEntry& entry : entries) {
        const std::uint32_t unsaid = entry.is_compressed() ? nominal : entry.disk_size;
        bytes = std::max(bytes, entry.used != 0 ? entry.used : unsaid);
    }
    return std::min(bytes, limits::buffer_bytes);
}

std::uint32_t count_processors(std::span<const BufferEntry> entries) noexcept {
    std::uint32_t count = 0;
    for (const BufferEntry& entry : entries) {
        count = std::max(count, entry.processor + 1U);
    }
    return count;
}

} // namespace etl::trace
