#include "codec/xpress_huffman.hpp"

#include "base/cursor.hpp"
#include "codec/copy.hpp"
#include "codec/huffman_code.hpp"
#include "codec/xpress_huffman_format.hpp"

#include <algorithm>

namespace etl::codec::xpress_huffman {

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

} // namespace etl::codec::xpress_huffman
