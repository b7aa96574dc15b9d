// Views of bytes, file offsets, and little-endian values. Values; thread-safe.
#pragma once

#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

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

namespace detail {

template <std::size_t Size>
struct RawBytes {
    std::byte bytes[Size];
};

template <typename T>
inline constexpr bool is_swapped =
    std::endian::native == std::endian::big && std::is_arithmetic_v<T>;

} // namespace detail

/// Loads a little-endian T from the front of `bytes`. The caller has checked the size.
template <typename T>
constexpr T load_le(const std::byte* bytes) noexcept {
    static_assert(std::is_trivially_copyable_v<T>);
    detail::RawBytes<sizeof(T)> raw{};
    for (std::size_t i = 0; i < sizeof(T); ++i) {
        raw.bytes[detail::is_swapped<T> ? sizeof(T) - 1 - i : i] = bytes[i];
    }
    return std::bit_cast<T>(raw);
}

/// Stores `value` little-endian at `bytes`. The caller has checked the size.
template <typename T>
constexpr void store_le(std::byte* bytes, T value) noexcept {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto raw = std::bit_cast<detail::RawBytes<sizeof(T)>>(value);
    for (std::size_t i = 0; i < sizeof(T); ++i) {
        bytes[i] = raw.bytes[detail::is_swapped<T> ? sizeof(T) - 1 - i : i];
    }
}

} // namespace etl
