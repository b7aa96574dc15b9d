#include "base/cursor.hpp"
#include "codec/codec.hpp"
#include "codec/copy.hpp"
#include "codec/formats.hpp"
#include "codec/huffman_code.hpp"
#include "codec/match_finder.hpp"
#include "codec/parse.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace etl::codec::xpress_huffman {

// LZ77 with Huffman codes as numbers: what decoder and encoder share.
// docs/format/compression.md#xpress-huffman

inline constexpr std::size_t block_size = 65536; // bytes of output after which a block ends
inline constexpr std::size_t table_size = 256;   // bytes of a block's code lengths
inline constexpr std::size_t max_distance = 65535;

inline constexpr std::size_t first_match = 256; // symbols from here on are matches

// Lengths of matches, by the form that begins there.
inline constexpr std::size_t min_length = 3;           // four bits of the symbol
inline constexpr std::size_t min_byte_length = 18;     // ... and a byte
inline constexpr std::size_t min_word_length = 273;    // ... and the length less 3, in 16 bits
inline constexpr std::size_t min_dword_length = 65539; // ... or in 32 bits behind a zero

namespace {

/// The bits of a block: u16 words, first bit highest, of which at least 16 bits are held at any
/// time. Bytes for long lengths lie between the words, at the place that fetching has come to.
/// Behind the end there are zeros, and overrun() tells when such a bit was taken.
class BitReader {
public:
    /// Starts at a block's bits.
    BitReader(Bytes in, std::size_t at) noexcept : in_(in), at_(at) {
        held_ = fetch() << 16U;
        held_ |= fetch();
    }

    std::uint32_t peek(unsigned bits) const noexcept { return held_ >> (32 - bits); }

    void skip(unsigned bits) noexcept {
        held_ <<= bits;
        spare_ -= static_cast<int>(bits);
        if (spare_ < 0) {
            held_ |= fetch() << static_cast<unsigned>(-spare_);
            spare_ += 16;
        }
    }

    /// Takes up to 15 bits.
    std::uint32_t take(unsigned bits) noexcept {
        const std::uint32_t value = (held_ >> 16U) >> (16 - bits);
        skip(bits);
        return value;
    }

    /// Takes a little-endian number from between the words.
    template <typename T>
    T take_bytes() noexcept {
        // Behind a word that is missing, any byte left is half of that word.
        if (missing_bits_ != 0 || !has_range(in_, at_, sizeof(T))) {
            missing_bits_ = 64; // more than are ever held
            return 0;
        }
        const T value = load_le<T>(in_.data() + at_);
        at_ += sizeof(T);
        return value;
    }

    bool overrun() const noexcept { return missing_bits_ > 16 + spare_; }

    std::size_t position() const noexcept { return at_; }

private:
    std::uint32_t fetch() noexcept {
        if (!has_range(in_, at_, 2)) {
            missing_bits_ += 16;
            return 0;
        }
        const std::uint32_t word = load_le<std::uint16_t>(in_.data() + at_);
        at_ += 2;
        return word;
    }

    Bytes in_;
    std::size_t at_;
    std::uint32_t held_ = 0;
    int spare_ = 16;       // bits held beyond 16
    int missing_bits_ = 0; // of those held, at their end
};

huffman::CodeLengths read_lengths(std::span<const std::byte, table_size> table) noexcept {
    huffman::CodeLengths lengths{};
    for (std::size_t i = 0; i < table_size; ++i) {
        const auto pair = std::to_integer<std::uint8_t>(table[i]);
        lengths[2 * i] = pair & 15U;
        lengths[2 * i + 1] = pair >> 4U;
    }
    return lengths;
}

constexpr std::uint64_t bad_length = 0;

/// The length of a match: from its symbol, or from the bytes that follow. `bad_length` when those
/// give one that is too small for its form.
std::uint64_t read_length(BitReader& in, std::uint32_t symbol) noexcept {
    const std::uint32_t code = symbol & 15U;
    if (code < 15) {
        return min_length + code;
    }
    const std::uint64_t length = min_byte_length + in.take_bytes<std::uint8_t>();
    if (length < min_word_length) {
        return length;
    }
    const std::uint64_t word = in.take_bytes<std::uint16_t>();
    const std::uint64_t whole =
        min_length + (word != 0 ? word : std::uint64_t{in.take_bytes<std::uint32_t>()});
    return whole < min_byte_length ? bad_length : whole;
}

/// Decodes one block that begins at `outcome.consumed`.
void decode_block(Bytes in, MutableBytes out, huffman::Decoder& codes, Outcome& outcome) noexcept {
    const auto fail = [&](ErrorCode code, const char* what) noexcept {
        outcome.code = code;
        outcome.what = what;
    };
    if (!has_range(in, outcome.consumed, table_size)) {
        return fail(ErrorCode::truncated, "xpress huffman: code lengths");
    }
    if (!codes.build(read_lengths(in.subspan(outcome.consumed).first<table_size>()))) {
        return fail(ErrorCode::malformed, "xpress huffman: too many codes");
    }
    BitReader bits(in, outcome.consumed + table_size);
    std::size_t at = outcome.written;
    const std::size_t end = std::min(out.size() - at, block_size) + at;
    while (at < end) {
        const huffman::Decoder::Symbol symbol = codes.find(bits.peek(huffman::max_bits));
        bits.skip(symbol.bits);
        std::uint64_t length = 1;
        std::size_t distance = 0;
        if (symbol.value >= first_match) {
            length = read_length(bits, symbol.value);
            const unsigned distance_bits = (symbol.value >> 4U) & 15U;
            distance = (std::size_t{1} << distance_bits) + bits.take(distance_bits);
        }
        if (bits.overrun()) {
            fail(ErrorCode::truncated, "xpress huffman: bits");
            break;
        }
        if (symbol.bits == 0 || length == bad_length || distance > at) [[unlikely]] {
            fail(ErrorCode::malformed, symbol.bits == 0 ? "xpress huffman: unknown code"
                                       : length == bad_length
                                           ? "xpress huffman: length too small"
                                           : "xpress huffman: match before the start");
            break;
        }
        if (symbol.value < first_match) {
            out[at] = static_cast<std::byte>(symbol.value);
            ++at;
        } else {
            const auto count =
                static_cast<std::size_t>(std::min<std::uint64_t>(length, out.size() - at));
            copy_match(out, at, distance, count);
            at += count;
        }
    }
    outcome.written = at;
    outcome.consumed = bits.position();
}

} // namespace

Outcome decompress(Bytes in, MutableBytes out) noexcept {
    huffman::Decoder codes;
    Outcome outcome;
    while (outcome.written < out.size() && outcome.is_complete()) {
        decode_block(in, out, codes, outcome);
    }
    return outcome;
}

namespace {

// One block of LZ77 with Huffman codes: collected first, because its code depends on all of it.
// docs/format/compression.md#xpress-huffman

/// Bits of a distance that its symbol leaves open.
unsigned open_bits(std::size_t distance) noexcept {
    return static_cast<unsigned>(std::bit_width(distance)) - 1;
}

std::size_t symbol_of(std::size_t length, std::size_t distance) noexcept {
    return first_match + std::min<std::size_t>(length - min_length, 15) +
           std::size_t{16} * open_bits(distance);
}

unsigned open_bits_of(std::size_t match_symbol) noexcept {
    return static_cast<unsigned>(match_symbol - first_match) / 16;
}

/// Bytes that say a length, besides the symbol.
std::size_t length_bytes(std::size_t length) noexcept {
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

    static constexpr std::size_t max = block_size / min_length; // sequences
    static constexpr std::size_t end_mark = first_match;        // length 3, distance 1

    std::size_t size_with(const huffman::CodeLengths& lengths) const noexcept;

    const std::byte* from_ = nullptr;
    std::unique_ptr<Sequence[]> sequences_ = std::make_unique<Sequence[]>(max);
    std::size_t used_ = 0;
    std::size_t tail_ = 0;  // literals behind the last sequence
    bool ends_ = false;     // with the mark
    std::size_t bytes_ = 0; // of lengths
    huffman::Counts counts_{};
};

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

struct HuffmanRules {
    static constexpr std::uint32_t window = max_distance;
    static constexpr unsigned min = 4; // three bytes from afar cost as much as three literals
    static constexpr unsigned short_width = 5;
    static constexpr unsigned long_width = 8;
    static constexpr unsigned fast_width = 6;
    static constexpr unsigned fast_bits = 13;
    static constexpr unsigned normal_bits = 14;
};

/// The parser of the small level.
class HuffmanLazy {
public:
    void begin(Bytes in) noexcept {
        in_ = in;
        finder_.begin(in);
    }

    bool parse(std::size_t from, std::size_t to, Block& block) noexcept {
        return parse_lazily(in_, from, to, finder_, block,
                            [&](std::size_t at) { return search(at, to); });
    }

private:
    static constexpr unsigned depth = 64;

    Match search(std::size_t at, std::size_t to) const noexcept {
        const Match match = finder_.longest(at, 0, to - at);
        // Three literals are cheaper than three bytes from afar.
        return match.length == min_length && match.distance > 4096 ? Match{} : match;
    }

    Bytes in_;
    MatchFinder finder_{max_distance, depth};
};

template <typename Parser>
class BlockEncoder final : public Encoder {
public:
    std::optional<std::size_t> encode(Bytes in, MutableBytes out) noexcept override {
        parser_.begin(in);
        std::size_t written = 0;
        std::size_t from = 0;
        do {
            const std::size_t to = from + std::min(in.size() - from, block_size);
            block_.begin(in.data() + from);
            parser_.parse(from, to, block_);
            if (to == in.size()) {
                block_.end();
            }
            const auto lengths = huffman::code_lengths(block_.counts());
            const auto size = block_.write(lengths, out.subspan(written));
            if (!size) {
                return std::nullopt;
            }
            written += *size;
            from = to;
        } while (from < in.size());
        return written;
    }

private:
    Parser parser_;
    Block block_;
};

} // namespace

std::unique_ptr<Encoder> make_encoder(Level level) {
    switch (level) {
    case Level::fast:
        return std::make_unique<BlockEncoder<Greedy<FastFinder<HuffmanRules>>>>();
    case Level::small:
        return std::make_unique<BlockEncoder<HuffmanLazy>>();
    case Level::normal:
        break;
    }
    return std::make_unique<BlockEncoder<Greedy<NormalFinder<HuffmanRules>>>>();
}

void compress(Bytes in, std::vector<std::byte>& out, Level level) {
    append(*make_encoder(level), in, max_compressed_size(Format::xpress_huffman, in.size()), out);
}

} // namespace etl::codec::xpress_huffman
