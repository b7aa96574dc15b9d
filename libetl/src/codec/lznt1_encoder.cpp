#include <etl/codec/compressor.hpp>
#include <etl/codec/lznt1.hpp>

#include "codec/encoder.hpp"
#include "codec/lazy_parse.hpp"
#include "codec/lznt1_format.hpp"

#include <array>

namespace etl::codec::lznt1 {

namespace {

/// Writes the items of one chunk in groups.
class ChunkWriter {
public:
    void begin() noexcept {
        size_ = 0;
        done_ = 0;
        count_ = items;
    }

    bool sequence(const std::byte* from, std::size_t count, Match match) noexcept {
        literals(from, count);
        begin_item(1);
        const unsigned bits = length_bits(done_);
        const std::size_t word = (match.distance - 1) << bits | (match.length - min_length);
        store_le(data_.data() + size_, static_cast<std::uint16_t>(word));
        size_ += 2;
        done_ += match.length;
        return true;
    }

    bool literals(const std::byte* from, std::size_t count) noexcept {
        for (std::size_t i = 0; i < count; ++i) {
            begin_item(0);
            data_[size_++] = from[i];
        }
        done_ += count;
        return true;
    }

    Bytes data() const noexcept { return Bytes(data_).first(size_); }

private:
    void begin_item(unsigned tag) noexcept {
        if (count_ == items) {
            tags_at_ = size_;
            data_[size_++] = std::byte{0};
            count_ = 0;
        }
        data_[tags_at_] |= static_cast<std::byte>(tag << count_);
        ++count_;
    }

    // No item is longer than what it stands for.
    std::array<std::byte, chunk_size + chunk_size / items> data_;
    std::size_t size_ = 0;
    std::size_t done_ = 0; // bytes of the chunk that the items so far stand for
    std::size_t tags_at_ = 0;
    std::size_t count_ = items; // in the group at tags_at_
};

constexpr unsigned depth_of(Level level) noexcept {
    return level == Level::fast ? 2 : level == Level::small ? 64 : 16;
}

class ChunkEncoder final : public Encoder {
public:
    explicit ChunkEncoder(Level level) : finder_(chunk_size, depth_of(level)) {}

    std::optional<std::size_t> encode(Bytes in, MutableBytes out) noexcept override {
        finder_.begin(in);
        std::size_t written = 0;
        for (std::size_t begin = 0; begin < in.size();) {
            const Bytes chunk = clamped(in, begin, chunk_size);
            writer_.begin();
            parse_lazily(in, begin, begin + chunk.size(), finder_, writer_,
                         [&](std::size_t at) { return search(at, begin, begin + chunk.size()); });
            const bool shrinks = writer_.data().size() < chunk.size();
            const Bytes data = shrinks ? writer_.data() : chunk;
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
    /// The longest match within the chunk [from, to).
    Match search(std::size_t at, std::size_t from, std::size_t to) const noexcept {
        const std::size_t limit = max_length(length_bits(at - from));
        return finder_.longest(at, from, std::min(limit, to - at));
    }

    MatchFinder finder_;
    ChunkWriter writer_;
};

} // namespace

std::unique_ptr<Encoder> make_encoder(Level level) {
    return std::make_unique<ChunkEncoder>(level);
}

void compress(Bytes in, std::vector<std::byte>& out, Level level) {
    append(*make_encoder(level), in, max_compressed_size(Format::lznt1, in.size()), out);
}

} // namespace etl::codec::lznt1
