// Buffers into a file in an order of writes that leaves it readable at any moment.
// docs/format/writing.md#crash
#pragma once

#include "io/writable_file.hpp"

namespace etl::trace {

/// One thread.
class CrashSafeWrites {
public:
    /// `file` outlives this object. `is_preallocated`: room behind what was written is reserved.
    CrashSafeWrites(io::WritableFile& file, bool is_preallocated) noexcept
        : file_(file), is_preallocated_(is_preallocated) {}

    /// Behind everything that was written. When it fails the file is as it was, as far as the
    /// system lets us. Errors: io_failure.
    Result<void> append(FileOffset where, Bytes packed);

    /// Over an old buffer, which is declared empty first: a torn write leaves no records of two
    /// times in one. Errors: io_failure.
    Result<void> overwrite(FileOffset where, Bytes packed);

private:
    Result<void> clear(FileOffset where, std::uint64_t size);
    Result<void> clear_torn();
    Result<void> write_new(FileOffset where, Bytes packed);

    io::WritableFile& file_;
    bool is_preallocated_;
    // What a failed write may have left; empty: nothing.
    FileOffset torn_at_{};
    std::uint64_t torn_bytes_ = 0;
};

} // namespace etl::trace
