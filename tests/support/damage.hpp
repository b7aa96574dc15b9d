// What can happen to a file, as verbs. Offsets are in bytes from the beginning.
#pragma once

#include "tests/support/traces/trace_builder.hpp"

namespace etl::test {

struct Place {
    std::size_t offset = 0;
    std::size_t size = 0; // on disk
};

/// Where the buffers of an undamaged file lie.
std::vector<Place> buffers_of(const Image& file);

/// Cuts the file off: `size` bytes remain.
Image truncate_at(Image file, std::size_t size);

/// Inverts the bits of `mask` at an offset.
Image flip(Image file, std::size_t offset, std::uint8_t mask = 0xFF);

/// Overwrites what lies at an offset.
Image overwrite(Image file, std::size_t offset, Bytes with);

/// Makes BufferSize of a buffer larger (or, by a negative number, smaller) than it is.
Image grow_size(Image file, std::size_t buffer, std::int64_t by);

/// Takes a buffer out.
Image drop_buffer(Image file, std::size_t buffer);

/// Puts `count` bytes of noise in front of a buffer; behind the last with buffer = their number.
Image insert_garbage(Image file, std::size_t buffer, std::size_t count);

/// Bytes that were reserved and never written.
Image preallocate(Image file, std::size_t zeros);

/// Files put together with `cat`.
Image concatenate(Image first, const Image& second);

/// Noise without a meaning; the same for the same seed.
Image noise(std::size_t count, std::uint32_t seed = 1);

} // namespace etl::test
