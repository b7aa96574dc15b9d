// What the heads of all records share when they are written.
#pragma once

#include "base/byte_writer.hpp"
#include "base/result.hpp"
#include "format/encode.hpp"

#include <array>
#include <cstdint>

namespace etl::format {

inline constexpr std::uint8_t trace_header = 0xC0;

/// HeaderType by pointer size.
constexpr std::uint8_t type_of(Width width, std::uint8_t narrow, std::uint8_t wide) noexcept {
    return width == Width::bits32 ? narrow : wide;
}

/// The size field of a record. Errors: limit.
inline Result<std::uint16_t> fitting(std::size_t size) {
    if (size > largest_record) {
        return fail(ErrorCode::limit, "record size", {}, largest_record, size);
    }
    return static_cast<std::uint16_t>(size);
}

/// The head of a record, aligned in its buffer.
template <std::size_t N>
void append(const std::array<std::byte, N>& head, ByteWriter& to) {
    to.align(8).bytes(head);
}

} // namespace etl::format
