// The decoder has two halves. The fast one decodes while there is room to read and write blindly
// past an item, and stops in front of whatever it does not like; the exact one takes over there,
// checks every byte, and is the only one that reports damage.
#include "base/cursor.hpp"
#include "codec/codec.hpp"
#include "codec/copy.hpp"
#include "codec/formats.hpp"
#include "codec/match_finder.hpp"
#include "codec/parse.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <optional>

namespace etl::codec::xpress {

// Plain LZ77 as numbers: what decoder and encoder share. docs/format/compression.md#xpress

inline constexpr std::size_t window = 8192; // the farthest distance

// Lengths of matches, by the form that begins there.
inline constexpr std::size_t min_length = 3;           // three bits of the match
inline constexpr std::size_t min_nibble_length = 10;   // ... and a nibble
inline constexpr std::size_t min_byte_length = 25;     // ... and a byte
inline constexpr std::size_t min_word_length = 280;    // ... and the length less 3, in 16 bits
inline constexpr std::size_t min_dword_length = 65539; // ... or in 32 bits behind a zero

namespace {

/// Indicator bits, the next one lowest; a 1 above the last one ends them.
using Indicators = std::uint64_t;
constexpr Indicators used_up = 1;

constexpr Indicators to_indicators(std::uint32_t bits) noexcept {
    bits = ((bits >> 1U) & 0x55555555U) | ((bits & 0x55555555U) << 1U);
    bits = ((bits >> 2U) & 0x33333333U) | ((bits & 0x33333333U) << 2U);
    bits = ((bits >> 4U) & 0x0F0F0F0FU) | ((bits & 0x0F0F0F0FU) << 4U);
    return std::byteswap(bits) | (Indicators{1} << 32U);
}

/// Where a decoder stands between two items.
struct Place {
    const std::byte* in;
    std::byte* out;
    Indicators indicators = used_up;
    std::uint32_t nibble = 0; // the high half of the last length byte,
    bool has_nibble = false;  // which no match has used yet
};

/// The views that are decoded from and to.
struct Limits {
    const std::byte* in_begin;
    const std::byte* in_end;
    std::byte* out_begin;
    std::byte* out_end;
};

/// What the fast half checks, and how often.
enum class Checks : std::uint8_t {
    every_item, // room before each item, and distances
    every_word, // room for 32 items at once; only behind the first `window` bytes, where no
                // distance is bad
};

// The most that one item reads: 32 literals up to the next match, distance, nibble, byte, u16, u32.
// The most that it writes: 32 literals and a match of up to 24 bytes; longer ones look for
// themselves.
constexpr std::size_t item_reads = 32 + 2 + 1 + 1 + 2 + 4;
constexpr std::size_t item_writes = 32 + 24 + copy_wide_slack;
// The same for an indicator word and its 32 items.
constexpr std::size_t word_reads = 4 + std::size_t{32} * 3 + item_reads;
constexpr std::size_t word_writes = std::size_t{32} * 24 + item_writes;

/// How far the fast half may go.
struct Safe {
    const std::byte* in;
    const std::byte* out;

    constexpr bool holds(const std::byte* at_in, const std::byte* at_out) const noexcept {
        return at_in < in && at_out < out;
    }
};

constexpr std::size_t long_step = 48; // a long match is copied in such steps

/// Decodes a length from its byte on and copies the match; `in` lies behind the nibble. False, with
/// nothing changed, when that needs a closer look.
[[gnu::always_inline]] inline bool long_match(const std::byte*& in, std::byte*& out,
                                              std::size_t distance, const Limits& limits) noexcept {
    const std::byte* at = in;
    std::size_t length = min_byte_length + load_le<std::uint8_t>(at);
    at += 1;
    if (length == min_word_length) [[unlikely]] {
        length = load_le<std::uint16_t>(at);
        at += 2;
        if (length == 0) {
            length = load_le<std::uint32_t>(at);
            at += 4;
        }
        length += min_length;
        if (length < min_byte_length) {
            return false;
        }
    }
    const auto room = static_cast<std::size_t>(limits.out_end - out);
    if (room < long_step || length > room - long_step) [[unlikely]] {
        return false;
    }
    std::byte* const end = out + length;
    if (distance < 16) [[unlikely]] {
        copy_wide(out, distance, length);
    } else {
        for (std::byte* to = out; to < end; to += long_step) {
            copy_block<16>(to, to - distance);
            copy_block<16>(to + 16, to + 16 - distance);
            copy_block<16>(to + 32, to + 32 - distance);
        }
    }
    in = at;
    out = end;
    return true;
}

/// Copies up to 32 bytes of input; reads and writes 32.
[[gnu::always_inline]] inline void copy_literals(std::byte* out, const std::byte* in,
                                                 unsigned count) noexcept {
    copy_block<8>(out, in);
    if (count > 8) [[unlikely]] {
        copy_block<8>(out + 8, in + 8);
        copy_block<16>(out + 16, in + 16);
    }
}

/// Decodes items up to and including the next match whose length has a nibble. From then on the
/// state of the shared length byte is the other one and other code runs: a state in a variable
/// would cost a branch that cannot be foreseen. False when it stopped early; then `place` knows the
/// state.
template <Checks checks, bool has_nibble>
[[gnu::always_inline]] inline bool run(Place& place, const Safe& safe,
                                       const Limits& limits) noexcept {
    // Variables that no store through a byte pointer can reach.
    const std::byte* in = place.in;
    std::byte* out = place.out;
    Indicators indicators = place.indicators;
    const auto leave = [&]() noexcept {
        place = {in, out, indicators, place.nibble, has_nibble};
        return false;
    };
    for (;;) {
        if (checks == Checks::every_item && !safe.holds(in, out)) [[unlikely]] {
            return leave();
        }
        const auto literals = static_cast<unsigned>(std::countr_zero(indicators));
        copy_literals(out, in, literals);
        in += literals;
        out += literals;
        indicators >>= literals;
        if (indicators == used_up) [[unlikely]] {
            if (checks == Checks::every_word && !safe.holds(in, out)) [[unlikely]] {
                return leave();
            }
            indicators = to_indicators(load_le<std::uint32_t>(in));
            in += 4;
            continue;
        }
        const std::size_t match = load_le<std::uint16_t>(in);
        const std::size_t distance = (match >> 3U) + 1;
        const std::size_t length = (match & 7U) + min_length;
        if (checks == Checks::every_item &&
            distance > static_cast<std::size_t>(out - limits.out_begin)) [[unlikely]] {
            return leave();
        }
        if (length < min_nibble_length) {
            copy_short<min_nibble_length - 1>(out, distance, length);
            in += 2;
            out += length;
            indicators >>= 1U;
            continue;
        }
        const std::uint32_t byte = load_le<std::uint8_t>(in + 2);
        const std::uint32_t nibble = has_nibble ? place.nibble : byte & 15U;
        const std::byte* at = in + (has_nibble ? 2 : 3);
        if (nibble < 15) {
            copy_short<min_byte_length - 1>(out, distance, length + nibble);
            out += length + nibble;
        } else if (!long_match(at, out, distance, limits)) [[unlikely]] {
            return leave();
        }
        in = at;
        indicators >>= 1U;
        place = {in, out, indicators, byte >> 4U, !has_nibble};
        return checks == Checks::every_item || nibble < 15 || safe.holds(in, out);
    }
}

/// Decodes as far as `safe` allows, or less. The place is a value here so that it lives in
/// registers.
template <Checks checks>
Place sweep(Place place, Safe safe, Limits limits) noexcept {
    if (place.has_nibble && !run<checks, true>(place, safe, limits)) {
        return place;
    }
    while (run<checks, false>(place, safe, limits) && run<checks, true>(place, safe, limits)) {
    }
    return place;
}

/// The fast half.
Place decode_fast(Place place, const Limits& limits) noexcept {
    const auto in_size = static_cast<std::size_t>(limits.in_end - limits.in_begin);
    const auto out_size = static_cast<std::size_t>(limits.out_end - limits.out_begin);
    if (in_size < item_reads || out_size < item_writes) {
        return place;
    }
    const Safe last{limits.in_end - item_reads, limits.out_end - item_writes};
    if (in_size >= word_reads && out_size >= window + word_writes) {
        place = sweep<Checks::every_item>(place, {last.in, limits.out_begin + window}, limits);
        const Safe bulk{limits.in_end - word_reads, limits.out_end - word_writes};
        if (place.out >= limits.out_begin + window && bulk.holds(place.in, place.out)) {
            place = sweep<Checks::every_word>(place, bulk, limits);
        }
    }
    return sweep<Checks::every_item>(place, last, limits);
}

constexpr std::uint64_t no_length = 0;

/// Decodes the length of a match whose own three bits say only that a nibble follows. `no_length`
/// when the bytes give one that is too small for its form.
std::uint64_t exact_length(Cursor& in, Place& place) noexcept {
    std::uint32_t nibble = place.nibble;
    if (!place.has_nibble) {
        const std::uint32_t byte = in.u8("xpress: nibble of a length");
        nibble = byte & 15U;
        place.nibble = byte >> 4U;
    }
    place.has_nibble = !place.has_nibble;
    if (nibble < 15) {
        return min_nibble_length + nibble;
    }
    const std::uint64_t length = min_byte_length + in.u8("xpress: byte of a length");
    if (length < min_word_length) {
        return length;
    }
    const std::uint64_t word = in.u16("xpress: word of a length");
    const std::uint64_t whole =
        min_length + (word != 0 ? word : in.u32("xpress: dword of a length"));
    return whole < min_byte_length ? no_length : whole;
}

/// The exact half.
Outcome decode_exact(Place place, const Limits& limits) noexcept {
    Cursor in(Bytes(place.in, limits.in_end));
    std::size_t read = 0; // up to the end of the last whole element
    const auto ended = [&](ErrorCode code, const char* what) noexcept {
        return Outcome{static_cast<std::size_t>(place.out - limits.out_begin),
                       static_cast<std::size_t>(place.in - limits.in_begin) + read, code, what};
    };
    while (place.out < limits.out_end) {
        if (place.indicators == used_up) {
            place.indicators = to_indicators(in.u32("xpress: indicator bits"));
            if (!in) {
                break;
            }
            read = in.position();
        }
        const bool is_match = (place.indicators & 1U) != 0;
        place.indicators >>= 1U;
        if (!is_match) {
            const auto literal = static_cast<std::byte>(in.u8("xpress: literal"));
            if (!in) {
                break;
            }
            *place.out = literal;
            place.out += 1;
        } else {
            const std::size_t match = in.u16("xpress: match");
            const std::size_t distance = (match >> 3U) + 1;
            std::uint64_t length = (match & 7U) + min_length;
            if (length == min_nibble_length) {
                length = exact_length(in, place);
            }
            if (!in) {
                break;
            }
            if (length == no_length) {
                return ended(ErrorCode::malformed, "xpress: length too small for its encoding");
            }
            if (distance > static_cast<std::size_t>(place.out - limits.out_begin)) {
                return ended(ErrorCode::malformed, "xpress: match before the start");
            }
            const auto room = static_cast<std::uint64_t>(limits.out_end - place.out);
            const auto count = static_cast<std::size_t>(std::min(length, room));
            copy_exact(place.out, distance, count);
            place.out += count;
        }
        read = in.position();
    }
    return in ? ended(ErrorCode::none, "") : ended(ErrorCode::truncated, in.error().what);
}

} // namespace

Outcome decompress(Bytes in, MutableBytes out) noexcept {
    const Limits limits{in.data(), in.data() + in.size(), out.data(), out.data() + out.size()};
    const Place begin{.in = limits.in_begin, .out = limits.out_begin};
    return decode_exact(decode_fast(begin, limits), limits);
}

namespace {

// Writes the items of plain LZ77. docs/format/compression.md#xpress

/// An indicator word has its place as soon as the one before it is full, and so has the byte that
/// two length nibbles share: where they lie is part of the format.
class Writer {
public:
    /// `in` is where all literals lie.
    Writer(Bytes in, MutableBytes out) noexcept
        : in_end_(in.data() + in.size()), begin_(out.data()), end_(out.data() + out.size()),
          indicators_at_(begin_), at_(begin_) {
        fits_ = room() >= word;
        at_ += fits_ ? word : 0;
    }

    /// Literals and the match behind them. False when they do not fit.
    bool sequence(const std::byte* from, std::size_t count, Match match) noexcept {
        if (room() < count + count / 8 + plenty) [[unlikely]] {
            fits_ = fits_ && literals_one_by_one(from, count) && match_that_fits(match);
            return fits_;
        }
        put_literals(from, count);
        put_match(match);
        return true;
    }

    /// Literals without a match. False when they do not fit.
    bool literals(const std::byte* from, std::size_t count) noexcept {
        if (room() < count + count / 8 + plenty) [[unlikely]] {
            fits_ = fits_ && literals_one_by_one(from, count);
            return fits_;
        }
        put_literals(from, count);
        return true;
    }

    /// Fills the last indicator word with ones. The size of the stream, if all of it did fit.
    std::optional<std::size_t> finish() noexcept {
        if (!fits_) {
            return std::nullopt;
        }
        const unsigned unused = word_bits - count_;
        const std::uint64_t filled = ((std::uint64_t{indicators_} + 1) << unused) - 1;
        store_le(indicators_at_, static_cast<std::uint32_t>(filled));
        return static_cast<std::size_t>(at_ - begin_);
    }

private:
    static constexpr std::size_t word = 4;
    static constexpr unsigned word_bits = 32;
    static constexpr std::size_t step = 32; // bytes that are copied at once when there is room
    // What a sequence may need besides an eighth of its literals: two words of indicators, the
    // longest match, a step. Literals need a word for each 32.
    static constexpr std::size_t plenty = 2 * word + 10 + step;

    std::size_t room() const noexcept { return static_cast<std::size_t>(end_ - at_); }

    template <typename T>
    void put(T value) noexcept {
        store_le(at_, value);
        at_ += sizeof(T);
    }

    /// Copies up to 32 bytes of input; may write 32.
    void copy(const std::byte* from, std::size_t count) noexcept {
        if (in_end_ - from >= static_cast<std::ptrdiff_t>(step)) [[likely]] {
            copy_block<8>(at_, from);
            if (count > 8) [[unlikely]] {
                copy_block<8>(at_ + 8, from + 8);
                copy_block<16>(at_ + 16, from + 16);
            }
        } else {
            std::copy_n(from, count, at_);
        }
        at_ += count;
    }

    void put_literals(const std::byte* from, std::size_t count) noexcept {
        while (count >= word_bits - count_) [[unlikely]] {
            const unsigned now = word_bits - count_;
            copy(from, now);
            from += now;
            count -= now;
            indicators_ = now == word_bits ? 0 : indicators_ << now;
            next_word();
        }
        copy(from, count);
        indicators_ <<= count;
        count_ += static_cast<unsigned>(count);
    }

    void put_match(Match match) noexcept {
        const std::size_t extra = match.length - min_length;
        put(static_cast<std::uint16_t>((match.distance - 1) << 3U |
                                       std::min<std::size_t>(extra, 7)));
        if (match.length >= min_nibble_length) {
            put_length(match.length);
        }
        indicators_ = indicators_ << 1U | 1U;
        if (++count_ == word_bits) [[unlikely]] {
            next_word();
        }
    }

    void next_word() noexcept {
        store_le(indicators_at_, indicators_);
        indicators_at_ = at_;
        at_ += word;
        indicators_ = 0;
        count_ = 0;
    }

    void put_length(std::size_t length) noexcept {
        const auto nibble =
            static_cast<std::uint8_t>(std::min<std::size_t>(length - min_nibble_length, 15));
        if (half_used_ == nullptr) {
            half_used_ = at_;
            put(nibble);
        } else {
            *half_used_ |= static_cast<std::byte>(nibble << 4U);
            half_used_ = nullptr;
        }
        if (length < min_byte_length) {
            return;
        }
        put(static_cast<std::uint8_t>(std::min<std::size_t>(length - min_byte_length, 255)));
        if (length < min_word_length) {
            return;
        }
        if (length < min_dword_length) {
            put(static_cast<std::uint16_t>(length - min_length));
        } else {
            put(std::uint16_t{0});
            put(static_cast<std::uint32_t>(length - min_length));
        }
    }

    /// Bytes behind which the next indicator word begins.
    std::size_t room_for_next_word() const noexcept { return count_ + 1 == word_bits ? word : 0; }

    bool literals_one_by_one(const std::byte* from, std::size_t count) noexcept {
        for (std::size_t i = 0; i < count; ++i) {
            if (room() < 1 + room_for_next_word()) {
                return false;
            }
            put(from[i]);
            indicators_ <<= 1U;
            if (++count_ == word_bits) {
                next_word();
            }
        }
        return true;
    }

    bool match_that_fits(Match match) noexcept {
        std::size_t size = 2;
        if (match.length >= min_nibble_length) {
            size += half_used_ == nullptr ? 1 : 0;
            size += match.length >= min_byte_length ? 1 : 0;
            size += match.length >= min_word_length ? 2 : 0;
            size += match.length >= min_dword_length ? 4 : 0;
        }
        if (room() < size + room_for_next_word()) {
            return false;
        }
        put_match(match);
        return true;
    }

    const std::byte* in_end_;
    std::byte* begin_;
    std::byte* end_;
    std::byte* indicators_at_;
    std::byte* at_;
    std::byte* half_used_ = nullptr; // the byte whose high nibble is free
    std::uint32_t indicators_ = 0;
    unsigned count_ = 0; // of indicators_
    bool fits_ = true;
};

struct PlainRules {
    static constexpr std::uint32_t window = xpress::window;
    static constexpr unsigned min = min_length; // a match costs less than three literals
    static constexpr unsigned short_width = 3;
    static constexpr unsigned long_width = 6;
    static constexpr unsigned fast_width = 3;
    static constexpr unsigned fast_bits = 12;
    static constexpr unsigned normal_bits = 13;
};

/// The parser of the small level.
class PlainLazy {
public:
    void begin(Bytes in) noexcept {
        in_ = in;
        finder_.begin(in);
    }

    bool parse(std::size_t from, std::size_t to, Writer& writer) noexcept {
        return parse_lazily(in_, from, to, finder_, writer,
                            [&](std::size_t at) { return finder_.longest(at, 0, to - at); });
    }

private:
    static constexpr unsigned depth = 64;

    Bytes in_;
    MatchFinder finder_{window, depth};
};

template <typename Parser>
class ParsingEncoder final : public Encoder {
public:
    std::optional<std::size_t> encode(Bytes in, MutableBytes out) noexcept override {
        Writer writer(in, out);
        parser_.begin(in);
        // A length has 32 bits.
        constexpr std::size_t at_once = std::size_t{1} << 30U;
        bool fits = true;
        for (std::size_t from = 0; fits && from < in.size();) {
            const std::size_t to = from + std::min(in.size() - from, at_once);
            fits = parser_.parse(from, to, writer);
            from = to;
        }
        return writer.finish();
    }

private:
    Parser parser_;
};

} // namespace

std::unique_ptr<Encoder> make_encoder(Level level) {
    switch (level) {
    case Level::fast:
        return std::make_unique<ParsingEncoder<Greedy<FastFinder<PlainRules>>>>();
    case Level::small:
        return std::make_unique<ParsingEncoder<PlainLazy>>();
    case Level::normal:
        break;
    }
    return std::make_unique<ParsingEncoder<Greedy<NormalFinder<PlainRules>>>>();
}

void compress(Bytes in, std::vector<std::byte>& out, Level level) {
    append(*make_encoder(level), in, max_compressed_size(Format::xpress, in.size()), out);
}

} // namespace etl::codec::xpress
