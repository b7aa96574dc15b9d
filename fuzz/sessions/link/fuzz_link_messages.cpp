// Messages between a process and the host. Property: what decodes encodes to the same bytes.
#include "fuzz/require.hpp"
#include "link/messages.hpp"

#include <algorithm>

using namespace etl;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Bytes packet = std::as_bytes(std::span(data, size));
    if (const auto message = link::decode_provider_message(packet)) {
        fuzz::require(std::ranges::equal(link::encode(*message), packet));
    }
    if (const auto welcome = link::decode_welcome(packet)) {
        fuzz::require(welcome->shape.is_valid());
        fuzz::require(std::ranges::equal(link::encode(*welcome), packet));
    }
    if (const auto refusal = link::decode_refusal(packet)) {
        fuzz::require(std::ranges::equal(link::encode(*refusal), packet));
    }
    return 0;
}
