#include <etl/codec/xpress_huffman.hpp>

#include "codec/huffman_code.hpp"
#include "codec/match_finder.hpp"
#include "codec/xpress_huffman_format.hpp"

namespace etl::codec::xpress_huffman {

namespace {

/// A literal or a match on its way to the bits.
struct Token {
    std::uint32_t length;   // 0: a literal
    std::uint16_t distance; // or the byte of a literal
};

/// What stands behind the last byte: a match that would repeat the last byte three times. A decoder
/// whose output is full does not get to it.
constexpr Match end_of_data{.length = 3, .distance = 1};

/// Bits of a distance that its symbol leaves open.
unsigned open_bits(std::uint32_t distance) noexcept {
    return static_cast<unsigned>(std::bit_width(distance)) - 1;
}

std::size_t symbol_of(const Token& token) noexcept {
    if (token.length == 0) {
        return token.distance;
    }
    const std::size_t code = std::min<std::size_t>(token.length - min_length, 15);
    return first_match + code + std::size_t{16} * open_bits(token.distance);
}

/// Collects the tokens of one block.
class Block {
public:
    /// The block of in[.., end); what `tokens` held is forgotten.
    Block(std::vector<Token>& tokens, std::size_t end) : tokens_(tokens), end_(end) {
        tokens_.clear();
    }

    Match search(const MatchFinder& finder, std::size_t position) const noexcept {
        const std::size_t floor = position - std::min(position, max_distance);
        const Match match = finder.longest(position, floor, end_ - position);
        // Three literals are cheaper than three bytes from afar.
        return match.length == min_length && match.distance > 4096 ? Match{} : match;
    }

    void literal(std::byte value) { add({0, std::to_integer<std::uint16_t>(value)}); }

    void match(Match match) {
        add({static_cast<std::uint32_t>(match.length), static_cast<std::uint16_t>(match.distance)});
    }

    const huffman::Counts& counts() const noexcept { return counts_; }

private:
    void add(Token token) {
        tokens_.push_back(token);
        ++counts_[symbol_of(token)];
    }

    std::vector<Token>& tokens_;
    std::size_t end_;
    huffman::Counts counts_{};
};

/// Writes bits into u16 words, first bit highest. A decoder holds two words and fetches the next
/// one when it needs it, so the place of two words is always set aside, and bytes in between go
/// behind them.
class BitWriter {
public:
    explicit BitWriter(std::vector<std::byte>& out)
        : out_(out), word_at_(set_aside()), next_at_(set_aside()) {}

    /// The lower `bits` bits of `value`, 16 at most.
    void put(unsigned bits, std::uint32_t value) {
        value &= (1U << bits) - 1;
        if (bits > free_) {
            bits -= free_;
            finish_word(value >> bits);
            word_at_ = next_at_;
            next_at_ = set_aside();
            free_ = 16;
            word_ = 0;
        }
        free_ -= bits;
        word_ |= (value & ((1U << bits) - 1)) << free_;
    }

    template <typename T>
    void put_bytes(T value) {
        out_.resize(out_.size() + sizeof(T));
        store_le(out_.data() + out_.size() - sizeof(T), value);
    }

    void finish() { finish_word(0); }

private:
    std::size_t set_aside() {
        put_bytes(std::uint16_t{0});
        return out_.size() - 2;
    }

    /// Stores the word, `last` filling its free bits.
    void finish_word(std::uint32_t last) {
        store_le(out_.data() + word_at_, static_cast<std::uint16_t>(word_ | last));
    }

    std::vector<std::byte>& out_;
    std::size_t word_at_;
    std::size_t next_at_;
    std::uint32_t word_ = 0;
    unsigned free_ = 16; // bits of word_
};

void put_length(BitWriter& bits, std::size_t length) {
    if (length < min_byte_length) {
        return;
    }
    bits.put_bytes(static_cast<std::uint8_t>(std::min<std::size_t>(length - min_byte_length, 255)));
    if (length < min_word_length) {
        return;
    }
    // A block ends a match, so the length fits: the form with 32 bits is for others' streams.
    static_assert(block_size < min_dword_length);
    bits.put_bytes(static_cast<std::uint16_t>(length - min_length));
}

void write_block(const std::vector<Token>& tokens, const huffman::Counts& counts,
                 std::vector<std::byte>& out) {
    const huffman::CodeLengths lengths = huffman::code_lengths(counts);
    const huffman::Codes codes = huffman::codes(lengths);
    for (std::size_t i = 0; i < table_size; ++i) {
        out.push_back(static_cast<std::byte>(lengths[2 * i] | lengths[2 * i + 1] << 4U));
    }
    BitWriter bits(out);
    for (const Token& token : tokens) {
        const std::size_t symbol = symbol_of(token);
        bits.put(lengths[symbol], codes[symbol]);
        if (token.length != 0) {
            put_length(bits, token.length);
            bits.put(open_bits(token.distance), token.distance);
        }
    }
    bits.finish();
}

} // namespace

void compress(Bytes in, std::vector<std::byte>& out) {
    constexpr unsigned depth = 16;
    MatchFinder finder(in, std::bit_ceil(max_distance), depth);
    std::vector<Token> tokens;
    std::size_t at = 0;
    do {
        const std::size_t end = std::min(in.size() - at, block_size) + at;
        Block block(tokens, end);
        parse(in, at, end, finder, block);
        if (end == in.size()) {
            block.match(end_of_data);
        }
        write_block(tokens, block.counts(), out);
        at = end;
    } while (at < in.size());
}

} // namespace etl::codec::xpress_huffman
