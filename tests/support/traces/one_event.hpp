// One record as an event, without a trace around it.
#pragma once

#include "flow/event.hpp"
#include "format/encode.hpp"

#include <memory>
#include <stdexcept>
#include <vector>

namespace etl::test {

/// Owns what its event points into.
struct OneEvent {
    flow::TraceInfo trace;
    flow::BufferContext buffer;
    std::vector<std::byte> bytes;
    flow::Event event;
};

/// Finds the record at the front of `bytes` as the reader does.
inline std::unique_ptr<OneEvent> event_of_bytes(std::vector<std::byte> bytes) {
    auto one = std::make_unique<OneEvent>();
    one->bytes = std::move(bytes);
    const format::RecordShape shape = format::record_at(one->bytes);
    if (shape.kind == format::RecordKind::none) {
        throw std::logic_error("not a record");
    }
    one->buffer.trace = &one->trace;
    one->buffer.bytes = one->bytes;
    one->event = {one->bytes.data(), shape.time, &one->buffer,
                  shape.size,        shape.kind, shape.has_time};
    return one;
}

template <typename Record>
std::unique_ptr<OneEvent> event_of(const Record& record) {
    ByteWriter to;
    if (!format::encode(record, to)) {
        throw std::logic_error("record cannot be encoded");
    }
    return event_of_bytes(to.take());
}

} // namespace etl::test
