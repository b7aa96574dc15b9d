// The side file of an index. Properties: what is accepted has as many buffers as its trace, and is
// the same when it is written again.
#include <etl/base/layout.hpp>
#include <etl/trace/trace_index.hpp>

#include "fuzz/require.hpp"

#include <algorithm>

using namespace etl;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Bytes file = std::as_bytes(std::span(data, size));
    trace::TraceIdentity identity;
    if (size >= 40) { // the trace that the file is about, so that more than refusals are reached
        identity = {.size = load_le<std::uint64_t>(file.data() + 16),
                    .buffers = load_le<std::uint64_t>(file.data() + 24),
                    .hash = load_le<std::uint64_t>(file.data() + 32)};
    }
    const auto index = trace::parse_index(file, identity);
    if (index) {
        fuzz::require(index->buffers.size() == identity.buffers);
        // Bits without a meaning are not kept.
        const auto again = trace::parse_index(trace::encode(*index, identity), identity);
        fuzz::require(again && *again == *index);
    }
    return 0;
}
