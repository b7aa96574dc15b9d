// Any bytes as an LZ77 + Huffman stream. Beyond "does not crash": fuzz/codec_rules.hpp.
#include "fuzz/codec_rules.hpp"
#include "tests/support/codecs/plain_xpress_huffman.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace etl;
    fuzz::require_codec(codec::Format::xpress_huffman, test::plain_xpress_huffman,
                        std::as_bytes(std::span(data, size)));
    return 0;
}
