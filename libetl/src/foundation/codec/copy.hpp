// How decoders move bytes inside their own output. Distances count back from `to` and lie inside
// the output; the caller has proved that and the room that each function says it needs.
#pragma once

#include <etl/bytes.hpp>

#include <array>
#include <cstring>

namespace etl::codec {

/// Copies `count` bytes at once through registers: all are read before the first is written.
template <std::size_t count>
inline void copy_block(std::byte* to, const std::byte* from) noexcept {
    std::array<std::byte, count> block;
    std::memcpy(block.data(), from, count);
    std::memcpy(to, block.data(), count);
}

/// Bytes behind the end of a match that copy_wide may overwrite.
inline constexpr std::size_t copy_wide_slack = 32;

/// Copies a match in blocks of 16; writes up to `copy_wide_slack` bytes more than `length`.
inline void copy_wide(std::byte* to, std::size_t distance, std::size_t length) noexcept {
    const std::byte* from = to - distance;
    const std::byte* const end = to + length;
    // A block may overlap its source only when the pattern that it repeats is as long as the block.
    while (distance < 16) {
        copy_block<16>(to, from);
        to += distance;
        distance += distance;
    }
    while (to < end) {
        copy_block<16>(to, from);
        to += 16;
        from += 16;
    }
}

/// Copies a match of up to `max` bytes (24 at most); writes up to `copy_wide_slack` bytes more
/// than `length`.
template <std::size_t max>
inline void copy_short(std::byte* to, std::size_t distance, std::size_t length) noexcept {
    static_assert(max <= 24);
    if (distance < (max <= 16 ? length : 16)) [[unlikely]] {
        copy_wide(to, distance, length);
        return;
    }
    copy_block<16>(to, to - distance);
    if constexpr (max > 16) {
        copy_block<16>(to + 16, to + 16 - distance);
    }
}

/// Copies a match and writes nothing behind it.
inline void copy_exact(std::byte* to, std::size_t distance, std::size_t length) noexcept {
    const std::byte* const from = to - distance;
    while (length > distance) {
        std::memcpy(to, from, distance);
        to += distance;
        length -= distance;
        distance += distance;
    }
    std::memcpy(to, from, length);
}

/// Copies a match to out[at..] as fast as the room behind it allows; the match itself fits.
inline void copy_match(MutableBytes out, std::size_t at, std::size_t distance,
                       std::size_t length) noexcept {
    if (out.size() - at >= length + copy_wide_slack) {
        copy_wide(out.data() + at, distance, length);
    } else {
        copy_exact(out.data() + at, distance, length);
    }
}

} // namespace etl::codec
