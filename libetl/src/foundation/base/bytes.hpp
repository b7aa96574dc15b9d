// Views of bytes, and file offsets. Values; thread-safe.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>

namespace etl {

/// A non-owning view of bytes.
using Bytes = std::span<const std::byte>;
using MutableBytes = std::span<std::byte>;

/// An offset in a file, in bytes. 64-bit, because traces exceed 4 GB.
struct FileOffset {
    std::uint64_t value = 0;

    constexpr auto operator<=>(const FileOffset&) const = default;

    constexpr FileOffset operator+(std::uint64_t bytes) const noexcept { return {value + bytes}; }
};

/// Returns the part of `bytes` from `offset` on, at most `size` long; empty if `offset` is beyond
/// the end.
constexpr Bytes clamped(Bytes bytes, std::size_t offset,
                        std::size_t size = std::dynamic_extent) noexcept {
    if (offset >= bytes.size()) {
        return {};
    }
    const std::size_t left = bytes.size() - offset;
    return bytes.subspan(offset, size < left ? size : left);
}

/// Returns whether `bytes` contains `size` bytes at `offset`. Never overflows.
constexpr bool has_range(Bytes bytes, std::size_t offset, std::size_t size) noexcept {
    return offset <= bytes.size() && size <= bytes.size() - offset;
}

} // namespace etl
