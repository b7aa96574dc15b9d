#include "codec/compressor.hpp"
#include "codec/encoder.hpp"
#include "codec/greedy_parse.hpp"
#include "codec/lazy_parse.hpp"
#include "codec/xpress.hpp"
#include "codec/xpress_writer.hpp"

namespace etl::codec::xpress {

namespace {

struct PlainRules {
    static constexpr std::uint32_t window = xpress::window;
    static constexpr unsigned least = min_length; // a match costs less than three literals
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
