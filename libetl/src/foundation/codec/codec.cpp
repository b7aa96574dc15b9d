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

} // namespace etl::codec
