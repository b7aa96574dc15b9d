// The numbers of events that a section of an index contains. Properties: what parses is encoded as
// the same bytes, but for what is reserved; cuts ascend, and no search leaves their order.
#include "analysis/event_counts.hpp"
#include "fuzz/require.hpp"

#include <span>

using namespace etl;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto counts = analysis::parse_event_counts(std::as_bytes(std::span(data, size)));
    if (!counts) {
        return 0;
    }
    const auto again = analysis::parse_event_counts(encode(*counts));
    fuzz::require(again && *again == *counts);
    for (const auto& before : counts->cuts) {
        fuzz::require(before.events <= counts->events);
        fuzz::require(counts->last_up_to(before.events) == before);
        fuzz::require(counts->last_before(before.cut.raw) == before);
    }
    return 0;
}
