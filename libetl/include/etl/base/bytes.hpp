// Bytes as they come from a file, and where in the file they lie. Values; any thread.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>

namespace etl {

/// A view of bytes that somebody else owns.
using Bytes = std::span<const std::byte>;
using MutableBytes = std::span<std::byte>;

/// A position in a file, in bytes from its beginning. 64-bit: traces exceed 4 GB.
struct FileOffset {
    std::uint64_t value = 0;

    constexpr auto operator<=>(const FileOffset&) const = default;

    constexpr FileOffset operator+(std::uint64_t bytes) const noexcept { return {value + bytes}; }
};

/// The part of `bytes` from `offset` on, at most `size` long; empty when `offset` lies behind the
/// end.
constexpr Bytes clamped(Bytes bytes, std::size_t offset,
                        std::size_t size = std::dynamic_extent) noexcept {
    if (offset >= bytes.size()) {
        return {};
    }
    const std::size_t left = bytes.size() - offset;
    return bytes.subspan(offset, size < left ? size : left);
}

/// True when `bytes` holds `size` bytes at `offset`. Never overflows.
constexpr bool has_range(Bytes bytes, std::size_t offset, std::size_t size) noexcept {
    return offset <= bytes.size() && size <= bytes.size() - offset;
}

} // namespace etl
