// A buffer on its way to those who listen: one copy for all of them, and the events that one of
// them found in it. docs/session-internals.md#live
#pragma once

#include "flow/event.hpp"
#include "flow/source.hpp"
#include "format/logfile_header.hpp"
#include "session/buffers/buffers.hpp"
#include "trace/recording.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

namespace etl::session {

/// Immutable. Its first 0x48 bytes are a buffer header as files have it.
struct DeliveredBuffer {
    std::unique_ptr<std::byte[]> memory;
    std::uint32_t used = 0;
    std::uint16_t stripe = 0, logger_id = 0;
    std::uint64_t number = 0; // of deliveries; the header buffer is 0
    std::int64_t sequence = 0;
    std::int64_t closed_at = 0;

    Bytes bytes() const noexcept { return {memory.get(), used}; }

    /// What it takes of a queue.
    std::uint64_t cost() const noexcept { return used + sizeof(DeliveredBuffer); }
};

using SharedBuffer = std::shared_ptr<const DeliveredBuffer>;

/// What a copy is told beside what the view has.
struct Delivery {
    std::uint32_t buffer_size = 0;
    std::uint16_t logger_id = 0;
    std::uint64_t number = 0;
    std::int64_t sequence = 0;
};

/// What became of a delivery: how many consumers (or the backlog) have it, and how many buffers
/// were lost by it, those of all consumers together.
struct DeliveryCounts {
    std::uint32_t taken = 0, lost = 0;
};

/// Null: there is no memory.
SharedBuffer copy_buffer(const ClosedBuffer& closed, const Delivery& delivery);

/// What was lost in front of a buffer, for one consumer.
struct Losses {
    bool events = false, buffers = false, backlog = false;

    explicit operator bool() const noexcept { return events || buffers || backlog; }

    void add(const Losses& more) noexcept {
        events = events || more.events;
        buffers = buffers || more.buffers;
        backlog = backlog || more.backlog;
    }
};

/// One buffer while its events are given. What a pin keeps.
struct OpenBuffer {
    SharedBuffer buffer;
    flow::BufferContext context;
    std::vector<flow::Event> events;    // in the order of time
    std::size_t at = 0;                 // the next one
    std::shared_ptr<OpenBuffer> notice; // told first: Lost_Event records

    bool is_done() const noexcept { return at == events.size() && notice == nullptr; }

    /// The time at which the next event takes its place: its own, but never one that the buffer
    /// cannot have seen (stamps of a caller's own).
    std::int64_t key() const noexcept { return key_of(events[at]); }

    std::int64_t key_of(const flow::Event& event) const noexcept {
        return std::min(event.raw_time, buffer->closed_at);
    }
};

/// Finds the events of a buffer. `before` is the time of those without a stamp of their own in
/// front of the first that has one. ERROR records, which reservations that were given up leave, are
/// no events.
std::shared_ptr<OpenBuffer> open_buffer(SharedBuffer buffer, const flow::TraceInfo& trace,
                                        std::int64_t before);

/// Buffer 0: the log file header record, and the extras of the recording.
std::shared_ptr<OpenBuffer> make_header(const flow::TraceInfo& trace, Bytes extras);

/// Lost_Event records, at a time; of buffer 0, too. docs/sessions.md#live
std::shared_ptr<OpenBuffer> make_notice(const flow::TraceInfo& trace, const Losses& losses,
                                        std::int64_t time);

/// A session as its consumers see it.
flow::TraceInfo trace_info_of(const trace::Recording& recording, std::uint32_t buffer_size);

} // namespace etl::session
