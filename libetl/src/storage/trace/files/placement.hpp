// Where the buffers of one file go, by its mode. docs/format/writing.md#modes
#pragma once

#include "io/writable_file.hpp"
#include "trace/log_file.hpp"

#include <memory>
#include <optional>

namespace etl::trace {

struct Place {
    enum class Kind : std::uint8_t {
        new_ground, // behind everything written so far
        old_buffer, // over the oldest buffer
    };

    Kind kind = Kind::new_ground;
    FileOffset where{};
};

/// A strategy: asked where the next buffer goes, and told when it got there. One thread.
class Placement {
public:
    virtual ~Placement() = default;

    /// Where `size` bytes go, the next time that `written` is called; nowhere, when the limit has
    /// no room for them.
    virtual std::optional<Place> next(std::uint64_t size) const noexcept = 0;
    virtual void written(std::uint64_t size) noexcept = 0;

    /// The last bytes on new ground are given up again. Nothing for a rotation.
    virtual void take_back(std::uint64_t size) noexcept = 0;

    /// Behind the last byte in use.
    virtual FileOffset end() const noexcept = 0;
};

/// What a file has besides buffers: the table at the end of a container.
struct Table {
    std::uint64_t bytes = 0; // with no buffer
    std::uint64_t bytes_per_buffer = 0;
};

/// Buffers behind each other until `limit` (0: none), in a file that has `begin` bytes.
std::unique_ptr<Placement> grow_from(FileOffset begin, std::uint64_t limit, Table table = {});

/// Buffers of `buffer_size` in rotation behind the header buffer.
std::unique_ptr<Placement> rotate_within(std::uint64_t limit, std::uint32_t buffer_size);

/// How many buffers a circular file has room for: two at least, whatever the limit.
constexpr std::uint64_t ring_slots(std::uint64_t limit, std::uint32_t buffer_size) noexcept {
    constexpr std::uint64_t min = 2;
    return limit / buffer_size < min ? min : limit / buffer_size;
}

// Buffers into a file in an order of writes that leaves it readable at any moment.
// docs/format/writing.md#crash

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
