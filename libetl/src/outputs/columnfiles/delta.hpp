// Integers as packed differences. Private to columnfiles.
// Format: parquet-format, Encodings.md, "Delta Encoding (DELTA_BINARY_PACKED = 5)".
#pragma once

#include "columnfiles/bit_packer.hpp"
#include "columnfiles/compact_protocol.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string>

namespace etl::columnfiles {

inline constexpr std::size_t delta_block = 128;
inline constexpr std::size_t delta_parts = 4; // parts of a block, each with a width of its own
inline constexpr std::size_t delta_part = delta_block / delta_parts;

/// Appends a block of differences: at most delta_block, at least 1.
inline void append_delta_block(std::string& to, std::span<const std::int64_t> deltas) {
    const std::int64_t least = *std::ranges::min_element(deltas);
    std::array<std::uint64_t, delta_block> above{};
    std::array<unsigned, delta_parts> widths{};
    for (std::size_t i = 0; i < deltas.size(); ++i) {
        above[i] = static_cast<std::uint64_t>(deltas[i]) - static_cast<std::uint64_t>(least);
        unsigned& width = widths[i / delta_part];
        width = std::max(width, static_cast<unsigned>(std::bit_width(above[i])));
    }
    append_varint(to, zigzag(least));
    for (const unsigned width : widths) {
        to.push_back(static_cast<char>(width));
    }
    for (std::size_t part = 0; part * delta_part < deltas.size(); ++part) {
        BitPacker packer(to);
        for (std::size_t i = 0; i < delta_part; ++i) {
            packer.add(above[part * delta_part + i], widths[part]);
        }
        packer.end();
    }
}

/// Appends all values; differences wrap around, as readers add them.
inline void append_deltas(std::string& to, std::span<const std::int64_t> values) {
    append_varint(to, delta_block);
    append_varint(to, delta_parts);
    append_varint(to, values.size());
    append_varint(to, zigzag(values.empty() ? 0 : values.front()));
    std::array<std::int64_t, delta_block> deltas;
    for (std::size_t at = 1; at < values.size(); at += delta_block) {
        const std::size_t count = std::min(delta_block, values.size() - at);
        for (std::size_t i = 0; i < count; ++i) {
            deltas[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(values[at + i]) -
                                                  static_cast<std::uint64_t>(values[at + i - 1]));
        }
        append_delta_block(to, std::span(deltas).first(count));
    }
}

} // namespace etl::columnfiles
