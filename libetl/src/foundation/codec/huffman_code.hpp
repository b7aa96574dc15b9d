// Canonical Huffman codes of the 512 symbols of XPRESS-Huffman.
// docs/format/compression.md#xpress-huffman
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace etl::codec::huffman {

inline constexpr std::size_t symbols = 512;
inline constexpr unsigned max_bits = 15;

/// Bits of each symbol's code; 0 for a symbol that does not occur.
using CodeLengths = std::array<std::uint8_t, symbols>;

/// How often each symbol occurs.
using Counts = std::array<std::uint32_t, symbols>;

/// Codes, their first bit highest.
using Codes = std::array<std::uint16_t, symbols>;

/// Bits of each code when all symbols have the same.
inline constexpr unsigned flat_bits = 9;

/// The lengths of the best code for `counts` whose longest has `max_bits`, or nearly so when the
/// limit binds; never worse than `flat_bits` for all. A complete code in any case: when fewer than
/// two symbols occur, others are given codes that stay unused.
CodeLengths code_lengths(const Counts& counts) noexcept;

/// The codes that belong to `lengths`: ascending by length, then by symbol.
Codes codes(const CodeLengths& lengths) noexcept;

/// Finds the symbol that a run of bits begins with.
class Decoder {
public:
    struct Symbol {
        std::uint16_t value;
        std::uint8_t bits; // 0: no code begins like this
    };

    /// False when there are more codes than their lengths have room for. Room may be left over.
    bool build(const CodeLengths& lengths) noexcept;

    /// `next` holds the next `max_bits` bits, the first of them highest.
    Symbol find(std::uint32_t next) const noexcept {
        const Symbol symbol = short_codes_[next >> (max_bits - short_bits)];
        return symbol.bits != 0 ? symbol : find_long(next);
    }

private:
    static constexpr unsigned short_bits = 11;

    Symbol find_long(std::uint32_t next) const noexcept;

    std::array<Symbol, std::size_t{1} << short_bits> short_codes_{};
    std::array<std::uint16_t, symbols> sorted_{};          // ascending by length, then by symbol
    std::array<std::uint32_t, max_bits + 1> first_code_{}; // of each length
    std::array<std::uint32_t, max_bits + 1> count_{};
    std::array<std::uint32_t, max_bits + 1> first_place_{}; // in sorted_
};

} // namespace etl::codec::huffman
