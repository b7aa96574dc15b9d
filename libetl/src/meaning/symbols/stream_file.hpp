// The streams of a program database (.pdb), stored in either container: MSF (multi-stream file), or
// its compressed form MSFZ. docs/format/pdb.md#containers
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace etl::symbols {

class Streams;

/// Numbered streams of bytes. Views the file it was opened from. Immutable; thread-safe.
class StreamFile {
public:
    /// Returns whether the file begins like one of the two containers.
    static bool is_likely(Bytes file) noexcept;

    /// Reads the directory of streams. `file` must outlive the result. Errors: malformed,
    /// truncated; unsupported (a container older than version 7.00, a version or compression of
    /// MSFZ that is not known); limit (decompressed size).
    static Result<StreamFile> open(Bytes file);

    /// Returns the number of streams. Some of them can be absent.
    std::size_t streams() const noexcept;

    /// Returns the size of a stream in bytes; 0 if it is absent.
    std::uint64_t size_of(std::size_t stream) const noexcept;

    /// Replaces the content of `to` with a stream. Returns false if it is absent, empty, or
    /// damaged.
    bool read(std::size_t stream, std::vector<std::byte>& to) const;

    /// Returns `size` bytes at `offset` of a stream: a view of the file if they are contiguous
    /// there, otherwise of `scratch`. Empty if the stream does not contain them or is damaged.
    Bytes part(std::size_t stream, std::uint64_t offset, std::size_t size,
               std::vector<std::byte>& scratch) const;

private:
    explicit StreamFile(std::shared_ptr<const Streams> streams) noexcept
        : streams_(std::move(streams)) {}

    std::shared_ptr<const Streams> streams_;
};

} // namespace etl::symbols
