#include "codec/compressor.hpp"
#include "codec/copy.hpp"
#include "codec/encoder.hpp"
#include "codec/lazy_parse.hpp"
#include "codec/lznt1.hpp"
#include "codec/lznt1_format.hpp"
#include "codec/one_ahead_parse.hpp"

#include <algorithm>
#include <array>

namespace etl::codec::lznt1 {

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
    static constexpr unsigned least = min_length; // a match costs less than two literals
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
