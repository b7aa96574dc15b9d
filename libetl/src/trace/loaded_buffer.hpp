// One buffer made ready: decompressed if need be, its records found and in time order.
#pragma once

#include <etl/codec/codec.hpp>
#include <etl/trace/reader.hpp>

#include <memory>
#include <vector>

namespace etl::trace {

/// Immutable once loaded, except by restamp().
struct LoadedBuffer {
    flow::BufferContext context;
    std::unique_ptr<std::byte[]> storage; // decompressed bytes; empty when they lie in the file
    std::vector<flow::Event> events;
    std::vector<Diagnostic> findings;
    std::uint32_t unstamped = 0; // events at the front that have no time stamp to inherit yet

    std::int64_t first_time() const noexcept { return events.front().raw_time; }

    std::int64_t last_time() const noexcept { return events.back().raw_time; }

    /// Gives the unstamped events at the front the time of what came before them.
    void restamp(std::int64_t before) noexcept;
};

struct LoadRequest {
    Bytes file;
    const flow::TraceInfo* trace = nullptr;
    codec::Format codec = codec::Format::xpress;
    Order order = Order::time;
};

/// Loads a buffer into `into`, whose memory is reused. `number` is its place in the file.
void load(const LoadRequest& request, const BufferEntry& entry, std::uint64_t number,
          LoadedBuffer& into);

} // namespace etl::trace
