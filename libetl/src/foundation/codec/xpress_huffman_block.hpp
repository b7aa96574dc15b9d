// One block of LZ77 with Huffman codes: collected first, because its code depends on all of it.
// docs/format/compression.md#xpress-huffman
#pragma once

#include "codec/huffman_code.hpp"
#include "codec/match.hpp"
#include "codec/xpress_huffman_format.hpp"

#include <algorithm>
#include <memory>
#include <optional>

namespace etl::codec::xpress_huffman {

/// Bits of a distance that its symbol leaves open.
inline unsigned open_bits(std::size_t distance) noexcept {
    return static_cast<unsigned>(std::bit_width(distance)) - 1;
}

inline std::size_t symbol_of(std::size_t length, std::size_t distance) noexcept {
    return first_match + std::min<std::size_t>(length - min_length, 15) +
           std::size_t{16} * open_bits(distance);
}

inline unsigned open_bits_of(std::size_t match_symbol) noexcept {
    return static_cast<unsigned>(match_symbol - first_match) / 16;
}

/// Bytes that say a length, besides the symbol.
inline std::size_t length_bytes(std::size_t length) noexcept {
    // A block ends a match, so 16 bits are enough: the form with 32 is for others' streams.
    static_assert(block_size < min_dword_length);
    return length < min_byte_length ? 0 : length < min_word_length ? 1 : 3;
}

class Block {
public:
    /// Begins a block whose bytes lie at `from`.
    void begin(const std::byte* from) noexcept {
        from_ = from;
        used_ = 0;
        tail_ = 0;
        ends_ = false;
        bytes_ = 0;
        counts_ = {};
    }

    /// The next literals, and the match behind them. True: there is room for all of a block.
    bool sequence(const std::byte* from, std::size_t count, Match match) noexcept {
        // Most have less than three literals. With the match, there are three bytes.
        for (std::size_t i = 0; i < 3; ++i) {
            counts_[std::to_integer<std::size_t>(from[i])] +=
                static_cast<std::uint32_t>(is_less(i, count));
        }
        for (std::size_t i = 3; i < count; ++i) {
            ++counts_[std::to_integer<std::size_t>(from[i])];
        }
        const std::size_t symbol = symbol_of(match.length, match.distance);
        ++counts_[symbol];
        bytes_ += length_bytes(match.length);
        sequences_[used_++] = {
            static_cast<std::uint32_t>(count), static_cast<std::uint32_t>(match.length),
            static_cast<std::uint16_t>(match.distance), static_cast<std::uint16_t>(symbol)};
        return true;
    }

    /// The literals behind the last match.
    bool literals(const std::byte* from, std::size_t count) noexcept {
        for (std::size_t i = 0; i < count; ++i) {
            ++counts_[std::to_integer<std::size_t>(from[i])];
        }
        tail_ = count;
        return true;
    }

    /// The block is the last one, and the mark stands behind it: a match that would repeat the last
    /// byte three times. A decoder whose output is full does not get to it.
    void end() noexcept {
        ++counts_[end_mark];
        ends_ = true;
    }

    const huffman::Counts& counts() const noexcept { return counts_; }

    /// Writes the block to the front of `out`, with the code that `lengths` give. Its size, or
    /// nothing when it does not fit.
    std::optional<std::size_t> write(const huffman::CodeLengths& lengths,
                                     MutableBytes out) const noexcept;

private:
    struct Sequence {
        std::uint32_t literals;
        std::uint32_t length; // of the match behind them
        std::uint16_t distance;
        std::uint16_t symbol;
    };

    static constexpr std::size_t most = block_size / min_length; // sequences
    static constexpr std::size_t end_mark = first_match;         // length 3, distance 1

    std::size_t size_with(const huffman::CodeLengths& lengths) const noexcept;

    const std::byte* from_ = nullptr;
    std::unique_ptr<Sequence[]> sequences_ = std::make_unique<Sequence[]>(most);
    std::size_t used_ = 0;
    std::size_t tail_ = 0;  // literals behind the last sequence
    bool ends_ = false;     // with the mark
    std::size_t bytes_ = 0; // of lengths
    huffman::Counts counts_{};
};

} // namespace etl::codec::xpress_huffman
