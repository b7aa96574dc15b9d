// What the self-describing events that libetl writes itself carry: blobs that begin with their
// size. docs/format/decoding.md
#pragma once

#include <etl/byte_writer.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace etl::format {

/// Returns the blob; its first two bytes become its size.
inline std::vector<std::byte> with_size(ByteWriter& blob) {
    blob.patch(0, static_cast<std::uint16_t>(blob.size()));
    return blob.take();
}

/// Returns provider traits with a name only. `name`: UTF-8.
inline std::vector<std::byte> provider_traits(std::string_view name) {
    ByteWriter blob;
    return with_size(blob.u16(0).zero_terminated8(name));
}

} // namespace etl::format
