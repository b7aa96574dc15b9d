// Any bytes as a plain LZ77 stream. Beyond "does not crash": fuzz/codec_rules.hpp.
#include "fuzz/codec_rules.hpp"
#include "tests/support/codecs/plain_xpress.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace etl;
    fuzz::require_codec(codec::Format::xpress, test::plain_xpress,
                        std::as_bytes(std::span(data, size)));
    return 0;
}
