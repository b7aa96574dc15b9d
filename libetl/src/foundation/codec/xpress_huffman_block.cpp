#include "codec/xpress_huffman_block.hpp"

namespace etl::codec::xpress_huffman {

namespace {

struct Code {
    std::uint32_t value;
    std::uint32_t bits;

    /// Without bits if `one` is 0, else it is 1.
    Code if_one(std::uint64_t one) const noexcept {
        const auto factor = static_cast<std::uint32_t>(one);
        return {value * factor, bits * factor};
    }
};

class CodeTable {
public:
    explicit CodeTable(const huffman::CodeLengths& lengths) noexcept {
        const huffman::Codes codes = huffman::codes(lengths);
        for (std::size_t symbol = 0; symbol < huffman::symbols; ++symbol) {
            codes_[symbol] = {codes[symbol], lengths[symbol]};
        }
    }

    Code of(std::size_t symbol) const noexcept { return codes_[symbol]; }

    Code of(std::byte literal) const noexcept {
        return codes_[std::to_integer<std::size_t>(literal)];
    }

private:
    std::array<Code, huffman::symbols> codes_;
};

/// Writes bits into u16 words, first bit highest. A decoder holds two words and fetches the next
/// one when it needs it, so the place of two words is always set aside, and bytes in between go
/// behind them. The caller has proved that there is room.
class BitWriter {
public:
    explicit BitWriter(std::byte* to) noexcept : word_at_(to), next_at_(to + 2), at_(to + 4) {}

    /// Appends a code, whose bits may be 0. The codes between two flushes have 45 bits at most.
    void hold(Code code) noexcept {
        held_ |= std::uint64_t{code.value} << (63 - count_ - code.bits) << 1U;
        count_ += code.bits;
    }

    /// Stores the words that are full. Without a branch: nobody could foresee it.
    void flush() noexcept {
        store_word();
        const bool full = count_ > 16;
        word_at_ = full ? next_at_ : word_at_;
        next_at_ = full ? at_ : next_at_;
        at_ += full ? 2 : 0;
        held_ <<= full ? 16U : 0U;
        count_ -= full ? 16U : 0U;
    }

    template <typename T>
    void put_bytes(T value) noexcept {
        store_le(at_, value);
        at_ += sizeof(T);
    }

    /// The end of what was written.
    std::byte* finish() noexcept {
        store_word();
        store_le(next_at_, std::uint16_t{0});
        return at_;
    }

private:
    void store_word() noexcept { store_le(word_at_, static_cast<std::uint16_t>(held_ >> 48U)); }

    std::byte* word_at_;
    std::byte* next_at_;
    std::byte* at_;
    std::uint64_t held_ = 0; // bits not in a full word, the first highest
    unsigned count_ = 0;     // of those: 16 at most
};

void put_length(BitWriter& bits, std::size_t length) noexcept {
    if (length < min_byte_length) {
        return;
    }
    bits.put_bytes(static_cast<std::uint8_t>(std::min<std::size_t>(length - min_byte_length, 255)));
    if (length >= min_word_length) {
        bits.put_bytes(static_cast<std::uint16_t>(length - min_length));
    }
}

} // namespace

std::size_t Block::size_with(const huffman::CodeLengths& lengths) const noexcept {
    std::size_t bits = 0;
    for (std::size_t symbol = 0; symbol < huffman::symbols; ++symbol) {
        const std::size_t open = symbol < first_match ? 0 : open_bits_of(symbol);
        bits += counts_[symbol] * (lengths[symbol] + open);
    }
    // The last word need not be full, and another one is set aside behind it.
    return table_size + ((bits + 15) / 16 + 1) * 2 + bytes_;
}

std::optional<std::size_t> Block::write(const huffman::CodeLengths& lengths,
                                        MutableBytes out) const noexcept {
    if (out.size() < size_with(lengths)) {
        return std::nullopt;
    }
    std::byte* to = out.data();
    for (std::size_t i = 0; i < table_size; ++i) {
        *to++ = static_cast<std::byte>(lengths[2 * i] | lengths[2 * i + 1] << 4U);
    }
    BitWriter bits(to);
    const CodeTable codes(lengths);
    const std::byte* at = from_;
    for (const Sequence& sequence : std::span(sequences_.get(), used_)) {
        std::uint32_t literals = sequence.literals;
        for (; literals > 2; --literals) {
            bits.hold(codes.of(*at++));
            bits.flush();
        }
        bits.hold(codes.of(at[0]).if_one(is_less(0, literals)));
        bits.hold(codes.of(at[1]).if_one(is_less(1, literals)));
        bits.hold(codes.of(sequence.symbol));
        bits.flush();
        bits.flush();
        bits.flush();
        put_length(bits, sequence.length);
        const unsigned open = open_bits_of(sequence.symbol);
        bits.hold({sequence.distance - (1U << open), open});
        bits.flush();
        at += literals + sequence.length;
    }
    for (const std::byte literal : Bytes(at, tail_)) {
        bits.hold(codes.of(literal));
        bits.flush();
    }
    if (ends_) {
        bits.hold(codes.of(end_mark));
        bits.flush();
    }
    return static_cast<std::size_t>(bits.finish() - out.data());
}

} // namespace etl::codec::xpress_huffman
