// Any bytes as an LZNT1 stream. Beyond "does not crash": fuzz/codec_rules.hpp.
#include "fuzz/codec_rules.hpp"
#include "tests/support/codecs/plain_lznt1.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace etl;
    fuzz::require_codec(codec::Format::lznt1, test::plain_lznt1,
                        std::as_bytes(std::span(data, size)));
    return 0;
}
