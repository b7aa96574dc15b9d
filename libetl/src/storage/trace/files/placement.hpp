// Where the buffers of one file go, by its mode. docs/format/writing.md#modes
#pragma once

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

} // namespace etl::trace
