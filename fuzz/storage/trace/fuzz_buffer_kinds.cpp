// The section of an index that says which buffers contain which kinds of events. Properties: ranges
// of what is accepted ascend, do not touch, and are of buffers that exist; it is the same when it
// is written and read again.
#include "fuzz/require.hpp"
#include "trace/buffer_kinds.hpp"

using namespace etl;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::uint64_t buffers = size == 0 ? 0 : std::uint64_t{data[0]} * data[size - 1];
    const auto kinds = trace::parse_kinds(std::as_bytes(std::span(data, size)), buffers);
    if (!kinds) {
        return 0;
    }
    for (const trace::BufferKind& kind : *kinds) {
        fuzz::require(!kind.buffers.empty());
        std::uint64_t next = 0;
        for (const trace::BufferKind::Range& range : kind.buffers) {
            fuzz::require(range.first >= next && range.first <= range.last && range.last < buffers);
            next = std::uint64_t{range.last} + 2;
        }
    }
    const auto again = trace::parse_kinds(trace::encode(*kinds), buffers);
    fuzz::require(again && *again == *kinds);
    return 0;
}
