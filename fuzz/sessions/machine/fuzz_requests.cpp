// Requests of controllers and their answers. Property: what decodes is encoded so that it decodes
// to the same.
#include "fuzz/require.hpp"
#include "machine/requests.hpp"

#include <algorithm>

using namespace etl;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Bytes message = std::as_bytes(std::span(data, size));
    if (const auto request = machine::decode_request(message)) {
        const auto bytes = machine::encode(*request);
        const auto again = machine::decode_request(bytes);
        fuzz::require(again && std::ranges::equal(machine::encode(*again), bytes));
    }
    if (const auto reply = machine::decode_reply(message)) {
        const auto bytes = machine::encode(*reply);
        const auto again = machine::decode_reply(bytes);
        fuzz::require(again && std::ranges::equal(machine::encode(*again), bytes));
    }
    return 0;
}
