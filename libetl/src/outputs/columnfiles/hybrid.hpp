// Levels and indices: the hybrid of run lengths and bit packing. Private to columnfiles.
// Format: parquet-format, Encodings.md, "Run Length Encoding / Bit-Packing Hybrid".
#pragma once

#include "columnfiles/bit_packer.hpp"
#include "columnfiles/compact_protocol.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

namespace etl::columnfiles {

inline constexpr std::size_t packed_group = 8; // values that are packed together

/// Appends a run of equal values.
inline void append_run(std::string& to, std::uint64_t count, std::uint32_t value, unsigned width) {
    append_varint(to, count << 1U);
    for (unsigned i = 0; i < width; i += 8) {
        to.push_back(static_cast<char>(value >> i));
    }
}

/// Appends values, the last group padded with zeros: a run of packed groups.
template <typename T>
void append_packed(std::string& to, std::span<const T> values, unsigned width) {
    const std::size_t groups = (values.size() + packed_group - 1) / packed_group;
    append_varint(to, groups << 1U | 1U);
    BitPacker packer(to);
    for (const T value : values) {
        packer.add(value, width);
    }
    for (std::size_t i = values.size(); i < groups * packed_group; ++i) {
        packer.add(0, width);
    }
    packer.end();
}

/// Appends values below 2^width, 1 to 32 bits: equal values in groups of 8 and more as runs, others
/// packed.
template <typename T>
void append_hybrid(std::string& to, std::span<const T> values, unsigned width) {
    std::size_t packed = 0; // begin of the values that are to be packed
    std::size_t at = 0;
    while (at < values.size()) {
        const auto end = std::find_if(values.begin() + static_cast<std::ptrdiff_t>(at),
                                      values.end(), [&](T value) { return value != values[at]; });
        const auto equal = static_cast<std::size_t>(end - values.begin()) - at;
        if (equal >= packed_group) {
            if (packed < at) {
                append_packed(to, values.subspan(packed, at - packed), width);
            }
            append_run(to, equal, values[at], width);
            at += equal;
            packed = at;
        } else { // whole groups only: padding is allowed at the end alone
            at = std::min(at + packed_group, values.size());
        }
    }
    if (packed < at) {
        append_packed(to, values.subspan(packed, at - packed), width);
    }
}

} // namespace etl::columnfiles
