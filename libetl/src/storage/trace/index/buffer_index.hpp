// The index pass: hops over buffer headers, finds every buffer, steps over damage.
// docs/format/buffer.md#index
#pragma once

#include "trace/reader.hpp"

#include <vector>

namespace etl::trace {

/// What the index pass found out about a file.
struct BufferIndex {
    std::vector<BufferEntry>
        entries; // in file order; entry 0 is the header buffer of an undamaged file
    std::vector<Diagnostic> findings;
    std::uint32_t codec = 3;    // COMPRESSION_FORMAT of compressed buffers
    bool is_convincing = false; // one header or more hardly is one by chance
};

/// Facts of the log file header that the hops need; all zero when it could not be read.
struct IndexHints {
    std::uint32_t buffer_size = 0;
    std::uint32_t log_file_mode = 0;
};

/// `content` is the file with these bytes: headers are read from it, not through its mapping, of
/// which each would take a page. Null: there is no file.
BufferIndex index_buffers(Bytes file, const IndexHints& hints,
                          const io::InputFile* content = nullptr);

/// What the fullest buffer holds, header included. `nominal` is what buffers hold at most.
std::uint32_t fullest(std::span<const BufferEntry> entries, std::uint32_t nominal) noexcept;

/// The highest processor number that buffers name, plus one.
std::uint32_t count_processors(std::span<const BufferEntry> entries) noexcept;

} // namespace etl::trace
