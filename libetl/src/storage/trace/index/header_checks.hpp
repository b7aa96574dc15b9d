// What bytes say of a buffer that may begin there, by themselves.
#pragma once

#include "format/buffer_header.hpp"

namespace etl::trace {

/// A header that could stand at the front of a buffer: a plausible size and type.
bool is_plausible(Bytes at) noexcept;

/// Everything but BufferSize is as in a header that Windows wrote.
bool looks_written(Bytes at) noexcept;

/// A header that hardly stands there by chance. For finding buffers again after damage.
bool is_convincing(Bytes at) noexcept;

/// COMPRESSION_FORMAT of the compressed buffers of a trace that begins so.
std::uint32_t codec_of(Bytes trace) noexcept;

/// The header at the front of these bytes, which are as many at least.
inline format::BufferHeaderView header_view(Bytes at) noexcept {
    return format::BufferHeaderView(at.first<format::buffer_header::size>());
}

} // namespace etl::trace
