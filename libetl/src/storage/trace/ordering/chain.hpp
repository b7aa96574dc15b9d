// Buffers that follow each other, on their way into the order of time.
#pragma once

#include "trace/loading/chain_loading.hpp"

namespace etl::trace {

struct Chain {
    BufferStream stream;                   // until it begins
    std::unique_ptr<BufferChain> loader{}; // from then on, up to its end; tasks point at it
    BufferPointer waiting{};               // loaded, not yet open
    std::uint64_t rank = 0;                // of the next buffer
    bool has_begun = false;
    std::uint32_t open_count = 0;     // buffers that are being merged
    std::int64_t last_time = no_time; // of the last event of the last opened buffer
};

/// Loads the buffer that waits next, if there is one. Its first events without a time have that of
/// the last opened buffer.
inline void load_waiting(Chain& chain, ChainLoading& loading, TraceFindings& findings) {
    chain.waiting = loading.next(chain.loader, findings);
    if (chain.waiting) {
        chain.waiting->restamp(chain.last_time);
    }
}

/// A buffer that is being merged, of the chain with this number.
struct OpenBuffer {
    BufferPointer buffer; // null: none
    flow::Run rest;       // events of it that have not been returned
    std::uint64_t rank = 0;
    std::uint32_t chain = 0;
};

} // namespace etl::trace
