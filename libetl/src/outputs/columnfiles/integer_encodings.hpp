// Encodings of integers: packed bits, packed differences, and the hybrid of run lengths and bit
// packing. Private to columnfiles. Format: parquet-format, Encodings.md.
#pragma once

#include "columnfiles/compact_protocol.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string>

namespace etl::columnfiles {

/// Numbers of few bits, packed from the lowest bit on.
class BitPacker {
public:
    explicit BitPacker(std::string& to) : to_(&to) {}

    /// `width`: 0 to 64; higher bits of the value are 0.
    void add(std::uint64_t value, unsigned width) {
        bits_ |= value << used_;
        if (used_ + width < 64) {
            used_ += width;
            return;
        }
        flush(64);
        bits_ = used_ == 0 ? 0 : value >> (64 - used_);
        used_ = used_ + width - 64;
    }

    /// Completes the last byte with zeros.
    void end() {
        flush(used_);
        bits_ = 0;
        used_ = 0;
    }

private:
    void flush(unsigned bits) {
        for (unsigned i = 0; i < bits; i += 8) {
            to_->push_back(static_cast<char>(bits_ >> i));
        }
    }

    std::string* to_;
    std::uint64_t bits_ = 0;
    unsigned used_ = 0; // 0 to 63
};

// Integers as packed differences. Format: parquet-format, Encodings.md, "Delta Encoding
// (DELTA_BINARY_PACKED = 5)".

inline constexpr std::size_t delta_block = 128;
inline constexpr std::size_t delta_parts = 4; // parts of a block, each with a width of its own
inline constexpr std::size_t delta_part = delta_block / delta_parts;

/// Appends a block of differences: at most delta_block, at least 1.
inline void append_delta_block(std::string& to, std::span<const std::int64_t> deltas) {
    const std::int64_t min = *std::ranges::min_element(deltas);
    std::array<std::uint64_t, delta_block> above{};
    std::array<unsigned, delta_parts> widths{};
    for (std::size_t i = 0; i < deltas.size(); ++i) {
        above[i] = static_cast<std::uint64_t>(deltas[i]) - static_cast<std::uint64_t>(min);
        unsigned& width = widths[i / delta_part];
        width = std::max(width, static_cast<unsigned>(std::bit_width(above[i])));
    }
    append_varint(to, zigzag(min));
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

// Levels and indices: the hybrid of run lengths and bit packing. Format: parquet-format,
// Encodings.md, "Run Length Encoding / Bit-Packing Hybrid".

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
