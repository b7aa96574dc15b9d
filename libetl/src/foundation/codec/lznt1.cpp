#include "base/layout.hpp"
#include "codec/codec.hpp"
#include "codec/copy.hpp"
#include "codec/formats.hpp"
#include "codec/parse.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

namespace etl::codec::lznt1 {

// LZNT1 as numbers: what decoder and encoder share. docs/format/compression.md#lznt1

inline constexpr std::size_t chunk_size = 4096; // bytes of output that a chunk holds at most
inline constexpr std::size_t min_length = 3;    // of a match
inline constexpr std::size_t items = 8;         // of a group, behind its byte of tags

// The head of a chunk.
inline constexpr unsigned size_mask = 0x0FFF; // bytes behind the head, less one
inline constexpr unsigned signature = 0x3000; // written, never looked at
inline constexpr unsigned compressed_bit = 0x8000;
inline constexpr unsigned end_of_stream = 0;

/// Bits of a match that are its length when `done` bytes of the chunk are there; the others are the
/// distance, and just wide enough to reach the chunk's beginning.
constexpr unsigned length_bits(std::size_t done) noexcept {
    return done <= 16 ? 12U : 16U - static_cast<unsigned>(std::bit_width(done - 1));
}

static_assert(length_bits(16) == 12 && length_bits(17) == 11 && length_bits(32) == 11);
static_assert(length_bits(33) == 10 && length_bits(2049) == 4 && length_bits(4096) == 4);

constexpr std::size_t max_length(unsigned bits) noexcept {
    return (std::size_t{1} << bits) - 1 + min_length;
}

namespace {

/// Decodes the items of one chunk.
class ChunkReader {
public:
    ChunkReader(Bytes in, MutableBytes out) noexcept : in_(in), out_(out) {}

    /// Decodes until the input or the output ends. Truncated: within a match.
    Outcome run() noexcept {
        while (more()) {
            std::uint32_t tags = load_le<std::uint8_t>(in_.data() + result_.consumed);
            ++result_.consumed;
            for (std::size_t i = 0; i < items && more(); ++i, tags >>= 1U) {
                if (result_.written >= chunk_size) {
                    fail(ErrorCode::malformed, "lznt1: chunk larger than 4096 bytes");
                } else if ((tags & 1U) != 0) {
                    match();
                } else {
                    out_[result_.written++] = in_[result_.consumed++];
                }
            }
        }
        return result_;
    }

private:
    bool more() const noexcept {
        return result_.is_complete() && result_.consumed < in_.size() &&
               result_.written < out_.size();
    }

    void match() noexcept {
        if (!has_range(in_, result_.consumed, 2)) {
            return fail(ErrorCode::truncated, "lznt1: match");
        }
        const std::uint32_t match = load_le<std::uint16_t>(in_.data() + result_.consumed);
        const unsigned bits = length_bits(result_.written);
        const std::size_t distance = (match >> bits) + std::size_t{1};
        const std::size_t length = (match & ((1U << bits) - 1)) + min_length;
        if (distance > result_.written) {
            return fail(ErrorCode::malformed, "lznt1: match before the start of its chunk");
        }
        const std::size_t room = std::min(out_.size(), chunk_size) - result_.written;
        const std::size_t count = std::min(length, room);
        copy_match(out_, result_.written, distance, count);
        result_.consumed += 2;
        result_.written += count;
    }

    void fail(ErrorCode code, const char* what) noexcept {
        result_.code = code;
        result_.what = what;
    }

    Bytes in_;
    MutableBytes out_;
    Outcome result_;
};

/// Decodes the data of one chunk, `size` bytes of which `in` may be only the beginning.
Outcome read_chunk(bool compressed, Bytes in, std::size_t size, MutableBytes out) noexcept {
    Outcome chunk;
    if (compressed) {
        chunk = ChunkReader(in, out).run();
    } else {
        chunk.written = chunk.consumed = std::min(in.size(), out.size());
        std::copy_n(in.begin(), chunk.written, out.begin());
    }
    if (chunk.written == out.size() || chunk.code == ErrorCode::malformed) {
        return chunk;
    }
    if (in.size() < size) {
        chunk.code = ErrorCode::truncated;
        chunk.what = "lznt1: data of a chunk";
    } else if (!chunk.is_complete()) {
        chunk.code = ErrorCode::malformed;
        chunk.what = "lznt1: chunk ends within a match";
    }
    return chunk;
}

} // namespace

Outcome decompress(Bytes in, MutableBytes out) noexcept {
    Outcome result;
    while (result.is_complete() && result.written < out.size()) {
        const Bytes rest = in.subspan(result.consumed);
        const unsigned head = rest.size() < 2 ? end_of_stream : load_le<std::uint16_t>(rest.data());
        if (head == end_of_stream) {
            result.code = ErrorCode::truncated;
            result.what = "lznt1: chunk";
            break;
        }
        const std::size_t size = (head & size_mask) + std::size_t{1};
        const Outcome chunk = read_chunk((head & compressed_bit) != 0, clamped(rest, 2, size), size,
                                         out.subspan(result.written));
        result.written += chunk.written;
        result.consumed += 2 + chunk.consumed;
        result.code = chunk.code;
        result.what = chunk.what;
    }
    return result;
}

namespace {

/// Writes the items of one chunk in groups.
class ChunkWriter {
public:
    /// All literals lie in `chunk`.
    void begin(Bytes chunk) noexcept {
        chunk_end_ = chunk.data() + chunk.size();
        done_ = 0;
        size_ = 0;
        begin_group();
    }

    /// Literals and the match behind them, in as many pieces as its length needs.
    bool sequence(const std::byte* from, std::size_t count, Match match) noexcept {
        literals(from, count);
        std::size_t rest = match.length;
        do {
            const unsigned bits = length_bits(done_);
            const std::size_t length = std::min(rest, max_length(bits));
            put_match((match.distance - 1) << bits | (length - min_length));
            done_ += length;
            rest -= length;
        } while (rest >= min_length);
        return literals(from + count + match.length - rest, rest);
    }

    bool literals(const std::byte* from, std::size_t count) noexcept {
        done_ += count;
        while (count >= items - count_) {
            const std::size_t now = items - count_;
            copy(from, now);
            from += now;
            count -= now;
            end_group();
        }
        copy(from, count);
        count_ += count;
        return true;
    }

    /// What the chunk is compressed to.
    Bytes finish() noexcept {
        data_[tags_at_] = static_cast<std::byte>(tags_);
        return Bytes(data_).first(count_ == 0 ? tags_at_ : size_);
    }

private:
    /// Up to eight bytes; may write eight.
    void copy(const std::byte* from, std::size_t count) noexcept {
        if (chunk_end_ - from >= static_cast<std::ptrdiff_t>(items)) [[likely]] {
            copy_block<items>(data_.data() + size_, from);
        } else {
            std::copy_n(from, count, data_.data() + size_);
        }
        size_ += count;
    }

    void put_match(std::size_t word) noexcept {
        store_le(data_.data() + size_, static_cast<std::uint16_t>(word));
        size_ += 2;
        tags_ |= 1U << count_;
        if (++count_ == items) {
            end_group();
        }
    }

    void begin_group() noexcept {
        tags_at_ = size_++;
        tags_ = 0;
        count_ = 0;
    }

    void end_group() noexcept {
        data_[tags_at_] = static_cast<std::byte>(tags_);
        begin_group();
    }

    // No item is longer than what it stands for; behind the last group another one has begun.
    std::array<std::byte, chunk_size + chunk_size / items + 1 + items> data_;
    const std::byte* chunk_end_ = nullptr;
    std::size_t size_ = 0;
    std::size_t done_ = 0;    // bytes of the chunk that the items so far stand for
    std::size_t tags_at_ = 0; // of the group
    unsigned tags_ = 0;
    std::size_t count_ = 0; // items of the group
};

struct ChunkRules {
    static constexpr std::uint32_t window = chunk_size;
    static constexpr unsigned min = min_length; // a match costs less than two literals
    static constexpr unsigned short_width = 3;
    static constexpr unsigned long_width = 6;
    static constexpr unsigned normal_bits = 12;
};

/// The parser of the fast and normal levels, to which each chunk is an input.
template <typename Parser>
class ChunkParser {
public:
    void begin(Bytes in) noexcept { in_ = in; }

    void parse(std::size_t from, std::size_t to, ChunkWriter& writer) noexcept {
        parser_.begin(in_.subspan(from, to - from));
        parser_.parse(0, to - from, writer);
    }

private:
    Bytes in_;
    Parser parser_;
};

/// The parser of the small level.
class ChunkLazy {
public:
    void begin(Bytes in) noexcept {
        in_ = in;
        finder_.begin(in);
    }

    void parse(std::size_t from, std::size_t to, ChunkWriter& writer) noexcept {
        parse_lazily(in_, from, to, finder_, writer,
                     [&](std::size_t at) { return search(at, from, to); });
    }

private:
    static constexpr unsigned depth = 64;

    /// The longest match within the chunk [from, to).
    Match search(std::size_t at, std::size_t from, std::size_t to) const noexcept {
        const std::size_t limit = max_length(length_bits(at - from));
        return finder_.longest(at, from, std::min(limit, to - at));
    }

    Bytes in_;
    MatchFinder finder_{chunk_size, depth};
};

template <typename Parser>
class ChunkEncoder final : public Encoder {
public:
    std::optional<std::size_t> encode(Bytes in, MutableBytes out) noexcept override {
        parser_.begin(in);
        std::size_t written = 0;
        for (std::size_t begin = 0; begin < in.size();) {
            const Bytes chunk = clamped(in, begin, chunk_size);
            writer_.begin(chunk);
            parser_.parse(begin, begin + chunk.size(), writer_);
            const Bytes packed = writer_.finish();
            const bool shrinks = packed.size() < chunk.size();
            const Bytes data = shrinks ? packed : chunk;
            if (!has_range(out, written, 2 + data.size())) {
                return std::nullopt;
            }
            const std::size_t head =
                (data.size() - 1) | signature | (shrinks ? compressed_bit : 0U);
            store_le(out.data() + written, static_cast<std::uint16_t>(head));
            std::ranges::copy(data, out.begin() + static_cast<std::ptrdiff_t>(written + 2));
            written += 2 + data.size();
            begin += chunk.size();
        }
        return written;
    }

private:
    Parser parser_;
    ChunkWriter writer_;
};

} // namespace

std::unique_ptr<Encoder> make_encoder(Level level) {
    switch (level) {
    case Level::fast:
        return std::make_unique<ChunkEncoder<ChunkParser<Greedy<NormalFinder<ChunkRules>>>>>();
    case Level::small:
        return std::make_unique<ChunkEncoder<ChunkLazy>>();
    case Level::normal:
        break;
    }
    return std::make_unique<ChunkEncoder<ChunkParser<OneAhead<ThreePlaceFinder<ChunkRules>>>>>();
}

void compress(Bytes in, std::vector<std::byte>& out, Level level) {
    append(*make_encoder(level), in, max_compressed_size(Format::lznt1, in.size()), out);
}

} // namespace etl::codec::lznt1
