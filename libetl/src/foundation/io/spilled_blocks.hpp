// Blocks of bytes that are made one after the other and wanted at the end: in memory up to a bound,
// and the rest in a temporary file. Not thread-safe.
#pragma once

#include "base/shared_bytes.hpp"
#include "io/temporary_file.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace etl::io {

class SpilledBlocks {
public:
    /// Keeps about so many bytes in memory.
    explicit SpilledBlocks(std::size_t kept_bytes) : kept_bytes_(kept_bytes) {}

    /// Keeps a block. If it cannot be written to a file, it stays in memory, like all that follow.
    void add(std::vector<std::byte> block);

    /// Returns the blocks in the order in which they were added. Those of the file are mapped.
    /// Errors: io_failure.
    Result<std::vector<SharedBytes>> take();

    /// Returns the bytes of blocks that are in memory.
    std::size_t bytes_in_memory() const noexcept { return in_memory_; }

private:
    /// A block in memory, or a place in the file.
    struct Block {
        std::vector<std::byte> bytes;
        std::uint64_t at = 0, size = 0;
        bool is_in_file = false;
    };

    bool write(Bytes block);

    std::size_t kept_bytes_;
    std::size_t in_memory_ = 0;
    std::vector<Block> blocks_;
    std::optional<TemporaryFile> file_;
    std::unique_ptr<WritableFile> writing_;
    std::uint64_t end_ = 0; // of the file
    bool has_failed_ = false;
};

} // namespace etl::io
