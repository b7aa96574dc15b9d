#include "codec/lznt1.hpp"

#include "base/layout.hpp"
#include "codec/copy.hpp"
#include "codec/lznt1_format.hpp"

#include <algorithm>

namespace etl::codec::lznt1 {

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

} // namespace etl::codec::lznt1
