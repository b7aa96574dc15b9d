// StripeQueue: what was taken from one ring and not written yet, with the time before which nothing
// more can come. Merge: the queues of all rings as one sequence in time order. Pure: times come
// from the caller. docs/machine-sessions-internals.md#drain
#pragma once

#include "base/function_ref.hpp"
#include "link/ring.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace etl::machine {

/// A record that waits for its turn.
struct QueuedRecord {
    std::int64_t time = 0;    // not before that of the record in front of it
    std::int64_t late_by = 0; // its own time is earlier by so much
    std::uint32_t registration = 0;
    std::uint32_t offset = 0, size = 0; // in the bytes of the queue
};

class StripeQueue {
public:
    StripeQueue(link::RingReader reader, std::uint16_t processor)
        : reader_(std::move(reader)), processor_(processor) {}

    /// What was written until now is to be taken; `now` is the time before the call.
    void begin(std::int64_t now) noexcept;

    /// Takes about `max` bytes of it. `clock` returns the time. With `wait`, stops at a record
    /// that is being written, and the floor remains there.
    link::RingLook take(link::Unfinished unfinished, std::size_t max,
                        FunctionRef<std::int64_t()> clock);

    /// All of it has been taken, except what was passed or given up.
    bool is_complete() const noexcept { return is_complete_; }

    /// Whether the producer has used half of its space.
    bool is_half_full() const noexcept { return reader_.is_half_full(); }

    /// No record that comes later is older.
    std::int64_t floor() const noexcept { return floor_; }

    bool is_empty() const noexcept { return next_ == records_.size(); }

    const QueuedRecord& front() const noexcept { return records_[next_]; }

    Bytes bytes_of(const QueuedRecord& record) const noexcept {
        return Bytes(bytes_).subspan(record.offset, record.size);
    }

    void pop() noexcept { ++next_; }

    std::uint16_t processor() const noexcept { return processor_; }

    /// Whether the last call of take returned records.
    bool has_progressed() const noexcept { return has_progressed_; }

private:
    void drop_written() noexcept;

    link::RingReader reader_;
    std::uint16_t processor_;
    std::int64_t floor_ = 0;
    std::vector<std::byte> bytes_;
    std::vector<QueuedRecord> records_;
    std::size_t next_ = 0;
    std::int64_t now_ = 0; // before begin()
    bool has_progressed_ = false;
    bool is_complete_ = false;
    bool is_final_ = false; // the producer has ended, and everything was taken
};

/// Calls `write` with every record up to the minimum floor of all queues, in time order, and
/// removes it; the number is that of its queue. Of equal times, the lowest queue comes first.
/// Returns that floor; `now` if there are no queues.
std::int64_t merge(std::span<StripeQueue* const> queues, std::int64_t now,
                   FunctionRef<void(std::size_t, const QueuedRecord&)> write);

} // namespace etl::machine
