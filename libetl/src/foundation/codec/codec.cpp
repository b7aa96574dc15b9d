#include "codec/codec.hpp"

#include "codec/formats.hpp"

#include <algorithm>

namespace etl::codec {

namespace {

Outcome copy(Bytes in, MutableBytes out) noexcept {
    const std::size_t size = std::min(in.size(), out.size());
    std::copy_n(in.begin(), size, out.begin());
    if (size < out.size()) {
        return {size, size, ErrorCode::truncated, "plain bytes"};
    }
    return {size, size, ErrorCode::none, ""};
}

} // namespace

Outcome decompress(Format format, Bytes in, MutableBytes out) noexcept {
    switch (format) {
    case Format::none:
        return copy(in, out);
    case Format::lznt1:
        return lznt1::decompress(in, out);
    case Format::xpress:
        return xpress::decompress(in, out);
    case Format::xpress_huffman:
        return xpress_huffman::decompress(in, out);
    }
    return {0, 0, ErrorCode::unsupported, "compression format"};
}

namespace {

class CopyEncoder final : public Encoder {
public:
    std::optional<std::size_t> encode(Bytes in, MutableBytes out) noexcept override {
        if (out.size() < in.size()) {
            return std::nullopt;
        }
        std::ranges::copy(in, out.begin());
        return in.size();
    }
};

std::unique_ptr<Encoder> make_encoder(Format format, Level level) {
    switch (format) {
    case Format::none:
        return std::make_unique<CopyEncoder>();
    case Format::lznt1:
        return lznt1::make_encoder(level);
    case Format::xpress:
        return xpress::make_encoder(level);
    case Format::xpress_huffman:
        return xpress_huffman::make_encoder(level);
    }
    return nullptr;
}

std::unexpected<Error> unsupported(Format format) {
    return fail(ErrorCode::unsupported, "compression format", {}, 0,
                static_cast<std::uint64_t>(format));
}

} // namespace

Compressor::Compressor(std::unique_ptr<Encoder> encoder) noexcept : encoder_(std::move(encoder)) {}

Compressor::Compressor(Compressor&&) noexcept = default;
Compressor& Compressor::operator=(Compressor&&) noexcept = default;
Compressor::~Compressor() = default;

Result<Compressor> Compressor::create(Format format, Level level) {
    auto encoder = make_encoder(format, level);
    if (encoder == nullptr) {
        return unsupported(format);
    }
    return Compressor(std::move(encoder));
}

std::optional<std::size_t> Compressor::compress(Bytes in, MutableBytes out) noexcept {
    return encoder_->encode(in, out);
}

void append(Encoder& encoder, Bytes in, std::size_t max, std::vector<std::byte>& out) {
    const std::size_t begin = out.size();
    out.resize(begin + max);
    out.resize(begin + encoder.encode(in, MutableBytes(out).subspan(begin)).value_or(0));
}

Result<void> compress(Format format, Bytes in, std::vector<std::byte>& out, Level level) {
    const auto encoder = make_encoder(format, level);
    if (encoder == nullptr) {
        return unsupported(format);
    }
    append(*encoder, in, max_compressed_size(format, in.size()), out);
    return {};
}

} // namespace etl::codec
