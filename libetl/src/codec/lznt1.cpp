#include <etl/codec/lznt1.hpp>

#include "codec/copy.hpp"
#include "codec/match_finder.hpp"

#include <algorithm>
#include <bit>

namespace etl::codec::lznt1 {

namespace {

constexpr std::size_t chunk_size = 4096; // bytes of output that a chunk holds at most
constexpr std::size_t min_length = 3;    // of a match
constexpr std::size_t items = 8;         // of a group, behind its byte of tags

// The head of a chunk.
constexpr unsigned size_mask = 0x0FFF; // bytes behind the head, less one
constexpr unsigned signature = 0x3000; // written, never looked at
constexpr unsigned compressed_bit = 0x8000;
constexpr unsigned end_of_stream = 0;

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
                    fail(ErrorCode::malformed, "lznt1: more in a chunk than 4096 bytes");
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
        return result_.complete() && result_.consumed < in_.size() && result_.written < out_.size();
    }

    void match() noexcept {
        if (!holds(in_, result_.consumed, 2)) {
            return fail(ErrorCode::truncated, "lznt1: match");
        }
        const std::uint32_t match = load_le<std::uint16_t>(in_.data() + result_.consumed);
        const unsigned bits = length_bits(result_.written);
        const std::size_t distance = (match >> bits) + std::size_t{1};
        const std::size_t length = (match & ((1U << bits) - 1)) + min_length;
        if (distance > result_.written) {
            return fail(ErrorCode::malformed, "lznt1: match before its chunk");
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
    } else if (!chunk.complete()) {
        chunk.code = ErrorCode::malformed;
        chunk.what = "lznt1: chunk ends within a match";
    }
    return chunk;
}

/// Writes the items of one chunk in groups.
class ChunkWriter {
public:
    ChunkWriter(std::vector<std::byte>& out, std::size_t begin, std::size_t end)
        : out_(out), begin_(begin), end_(end) {}

    Match search(const MatchFinder& finder, std::size_t position) const noexcept {
        const std::size_t limit = max_length(length_bits(position - begin_));
        return finder.longest(position, begin_, std::min(limit, end_ - position));
    }

    void literal(std::byte value) {
        begin_item(0);
        out_.push_back(value);
        done_ += 1;
    }

    void match(Match match) {
        begin_item(1);
        const unsigned bits = length_bits(done_);
        const std::size_t word = (match.distance - 1) << bits | (match.length - min_length);
        out_.push_back(static_cast<std::byte>(word & 0xFFU));
        out_.push_back(static_cast<std::byte>(word >> 8U));
        done_ += match.length;
    }

private:
    void begin_item(unsigned tag) {
        if (count_ == items) {
            tags_at_ = out_.size();
            out_.push_back(std::byte{0});
            count_ = 0;
        }
        out_[tags_at_] |= static_cast<std::byte>(tag << count_);
        ++count_;
    }

    std::vector<std::byte>& out_;
    std::size_t begin_;
    std::size_t end_;
    std::size_t done_ = 0; // bytes of the chunk that the items so far stand for
    std::size_t tags_at_ = 0;
    std::size_t count_ = items; // in the group at tags_at_
};

void put_head(std::vector<std::byte>& out, std::size_t at, std::size_t size, unsigned flags) {
    store_le(out.data() + at, static_cast<std::uint16_t>((size - 1) | signature | flags));
}

} // namespace

Outcome decompress(Bytes in, MutableBytes out) noexcept {
    Outcome result;
    while (result.complete() && result.written < out.size()) {
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

void compress(Bytes in, std::vector<std::byte>& out) {
    constexpr unsigned depth = 16;
    MatchFinder finder(in, chunk_size, depth);
    for (std::size_t begin = 0; begin < in.size();) {
        const std::size_t end = std::min(in.size() - begin, chunk_size) + begin;
        const std::size_t head = out.size();
        out.resize(head + 2);
        ChunkWriter writer(out, begin, end);
        parse(in, begin, end, finder, writer);
        std::size_t size = out.size() - head - 2;
        unsigned flags = compressed_bit;
        if (size >= end - begin) {
            size = end - begin;
            flags = 0;
            out.resize(head + 2);
            const Bytes raw = in.subspan(begin, size);
            out.insert(out.end(), raw.begin(), raw.end());
        }
        put_head(out, head, size, flags);
        begin = end;
    }
}

} // namespace etl::codec::lznt1
