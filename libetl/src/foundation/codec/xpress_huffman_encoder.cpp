#include "codec/compressor.hpp"
#include "codec/encoder.hpp"
#include "codec/greedy_parse.hpp"
#include "codec/lazy_parse.hpp"
#include "codec/xpress_huffman.hpp"
#include "codec/xpress_huffman_block.hpp"

namespace etl::codec::xpress_huffman {

namespace {

struct HuffmanRules {
    static constexpr std::uint32_t window = max_distance;
    static constexpr unsigned least = 4; // three bytes from afar cost as much as three literals
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
