// The bytes of one buffer behind its header. Property: each record found lies inside the bytes, and
// all that its header tells of (items, counters, payload) lies inside the record.
#include "flow/event.hpp"
#include "fuzz/require.hpp"

using namespace etl;

namespace {

void require_inside(Bytes part, Bytes whole) {
    fuzz::require(fuzz::lies_inside(part, whole));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Bytes rest = std::as_bytes(std::span(data, size));
    flow::TraceInfo trace;
    trace.has_header = size % 2 == 1; // layout 1.0 has other instance records
    trace.header.sub_version = 1;
    flow::BufferContext buffer;
    buffer.trace = &trace;
    buffer.bytes = rest;
    while (true) {
        const format::RecordShape shape = format::record_at(rest);
        if (shape.kind == format::RecordKind::none) {
            return 0;
        }
        fuzz::require(shape.size <= rest.size() && shape.size > 0);
        const flow::Event event{rest.data(), shape.time, &buffer,
                                shape.size,  shape.kind, shape.has_time};
        const flow::EventHeader header = flow::read_header(event);
        for (const Bytes part : {header.items, header.pebs, header.counters, header.payload}) {
            require_inside(part, event.bytes());
        }
        rest = clamped(rest, format::padded(shape.size));
    }
}
