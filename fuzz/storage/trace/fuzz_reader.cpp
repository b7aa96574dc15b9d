// A whole file, or a container that is read in place. Property: every record lies inside its
// buffer, no place is given twice over, time descends only where a finding says so, for_each_buffer
// sees as many events, a reader that knows the buffers sees the same, and all of it ends.
#include "fuzz/require.hpp"
#include "trace/reader.hpp"

using namespace etl;

namespace {

using fuzz::require;

struct Walk {
    std::uint64_t events = 0;
    std::uint64_t descents = 0;
};

Walk walk(trace::Reader& reader) {
    Walk result;
    std::int64_t last = 0;
    for (flow::Run run = reader.next_run(); !run.empty(); run = reader.next_run()) {
        for (const flow::Event& event : run) {
            const Bytes buffer = event.buffer->bytes;
            require(event.record >= buffer.data() && event.size <= buffer.size() &&
                    event.offset() <= buffer.size() - event.size);
            result.descents += result.events > 0 && event.raw_time < last ? 1U : 0U;
            last = event.raw_time;
            ++result.events;
            const flow::EventHeader header = flow::read_header(event);
            require(header.payload.size() <= event.size);
        }
    }
    return result;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Bytes bytes = std::as_bytes(std::span(data, size));
    const auto file = io::InputFile::from_memory({bytes.begin(), bytes.end()}, "fuzz");
    for (const auto order :
         {trace::Order::time, trace::Order::recorded, trace::Order::file, trace::Order::buffers}) {
        DiagnosticList findings;
        auto reader = trace::Reader::open(file, {.order = order, .diagnostics = &findings});
        if (!reader) {
            return 0;
        }
        std::uint64_t claimed = 0;
        for (const trace::BufferEntry& entry : (*reader)->buffers()) {
            claimed += entry.is_packed() ? entry.disk_size : entry.used;
            require(entry.is_packed() ? entry.packed_where.value + entry.packed_size <= size
                                      : entry.where.value + entry.disk_size <= size);
        }
        if (claimed > (32U << 20U)) {
            return 0; // sound, but it takes a while: runs of zeros unpack to 16 MB a buffer
        }
        const Walk seen = walk(**reader);
        require(order != trace::Order::time || seen.descents <= findings.list().size());
        std::uint64_t again = 0;
        (*reader)->for_each_buffer(
            1, [&](unsigned, const trace::BufferEntry&, flow::Run run) { again += run.size(); });
        require(again == seen.events);
        if (const auto known = (*reader)->known_buffers(); !known.empty()) {
            const auto other = trace::Reader::open(file, {.order = order, .known_buffers = known});
            require(other && walk(**other).events == seen.events);
        }
    }
    // Whatever an index claims to know.
    if (const auto reader = trace::Reader::open(file, {.known_buffers = bytes})) {
        walk(**reader);
    }
    return 0;
}
