// BufferPool: the buffers of one session: their memory, which are free, which are full. Any thread,
// without a lock, between begin and end, which belong to one. docs/session-internals.md#pool
#pragma once

#include <etl/bytes.hpp>
#include <etl/session.hpp>

#include "format/live_buffers.hpp"
#include "host/memory.hpp"
#include "session/buffers/buffer_words.hpp"
#include "session/buffers/waiting.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etl::session {

/// LiveFile: what the file of a session's buffers says of them, so that they can be found in it
/// when the process is gone. docs/format/live-buffers.md
class LiveFile {
public:
    struct Plan {
        std::uint32_t buffer_size = 0, buffers = 0, stripes = 0, clock = 0;
    };

    static std::size_t bytes_in_front(std::uint32_t buffers, std::size_t page) noexcept;

    LiveFile() = default;

    /// Returns false if there is no file; all calls then do nothing.
    explicit operator bool() const noexcept { return file_ != nullptr; }

    /// Writes the header into a file of zeros, that has `bytes_in_front` of room.
    static LiveFile begin(std::byte* file, const Plan& plan, std::size_t buffer_offset) noexcept;

    /// Log file and how it begins, cut where it does not fit, and which losses that includes. One
    /// thread.
    void tell(std::string_view log_file, Bytes header_buffer,
              const format::LiveLosses& included) noexcept;

    /// Any thread.
    void lose_events(std::uint64_t count) noexcept;
    /// All since the session began. One thread.
    void set_lost_buffers(std::uint64_t count) noexcept;

    void opened(std::uint32_t buffer, std::uint16_t stripe, std::uint64_t order) noexcept;
    void filled(std::uint32_t buffer, std::uint32_t used, std::int64_t closed_at) noexcept;
    void freed(std::uint32_t buffer) noexcept;

private:
    std::byte* entry(std::uint32_t buffer) const noexcept;
    void set_state(std::uint32_t buffer, format::LiveState state) noexcept;

    std::byte* file_ = nullptr;
};

/// One buffer. Alone in its cache lines, because every writer adds to `in_place`.
struct alignas(128) BufferFacts {
    std::atomic<std::uint32_t> in_place{0};  // bytes of records that are whole
    std::atomic<std::uint32_t> next_free{0}; // number + 1; 0: the last
    std::atomic<std::uint64_t> opened{0};    // order: which of its lives this is
    // Of a closed one; put down before it is marked as full.
    std::atomic<std::uint32_t> end{0}; // bytes, the header included
    std::atomic<std::int64_t> closed_at{0};
    std::atomic<std::uint16_t> stripe{0};
    std::atomic<bool> is_given_up{false}; // it was waited for a record that did not come
};

class BufferPool {
public:
    struct Plan {
        std::uint32_t buffer_size = 0;
        std::uint32_t minimum = 0, maximum = 0, ceiling = 0; // of the pool, for ever
        bool is_ring = false;
        std::string mapped_file;
        std::uint32_t stripes = 0, clock = 0; // for that file
        std::chrono::milliseconds patience{0};
    };

    static constexpr std::uint32_t none = 0xFFFFFFFF;
    static constexpr std::uint32_t no_limit = 0xFFFFFFFF;

    Outcome<void> begin(const Plan& plan);
    /// The memory goes, a mapped file is removed. Nobody is inside. What a writer that did not come
    /// may still write to is kept.
    void end() noexcept;
    /// Does what end() does, but keeps a mapped file: it belongs to another process.
    void forget() noexcept;

    /// A buffer for the caller alone: a free one, a new one, of a ring the one that was closed
    /// first. None: there is none, or as many are in use as may be.
    std::uint32_t acquire() noexcept;

    /// Lets acquire() succeed only while fewer buffers than this are in use: open, full, or with
    /// the logger. Not for rings. Any time; buffers beyond a new limit stay in use.
    void admit(std::uint32_t max) noexcept { admitted_.store(max); }

    bool is_at_limit() const noexcept { return used_.load() >= admitted_.load(); }

    /// How often acquire() succeeds from now on. Not for rings.
    std::uint32_t available() const noexcept {
        const std::uint32_t max = std::min(maximum_.load(), admitted_.load());
        const std::uint32_t used = used_.load();
        return used < max ? max - used : 0;
    }

    /// Before its number gets into a word. May be called again with a later order.
    void prepare(std::uint32_t buffer, std::uint16_t stripe, std::uint64_t order) noexcept;
    /// Nobody's any more.
    void release(std::uint32_t buffer) noexcept;

    /// Does what release() does, but the buffer is never used again.
    void discard() noexcept { used_.fetch_sub(1); }

    /// It is in no word any more. `order` ascends in each stripe. The result: how many are full.
    std::uint32_t mark_full(std::uint32_t buffer, std::uint32_t end, std::int64_t closed_at,
                            std::uint64_t order) noexcept;
    /// The full one with the least order below `limit`, for the caller alone.
    std::uint32_t take_full(std::uint64_t limit) noexcept;

    /// Keeps a ring from taking the buffer. Fails: it is not full with this order; `open_order`
    /// holds for one that is open or nobody's.
    static constexpr std::uint64_t open_order = 0;
    bool pin(std::uint32_t buffer, std::uint64_t order) noexcept;
    void unpin(std::uint32_t buffer) noexcept;
    /// When it was closed; open_order: it is not full.
    std::uint64_t closing_order(std::uint32_t buffer) const noexcept;

    bool is_whole(std::uint32_t buffer) const noexcept {
        const BufferFacts& it = facts(buffer);
        return it.in_place.load(std::memory_order_acquire) + format::buffer_header::size ==
               it.end.load(std::memory_order_relaxed);
    }

    /// False: the plan's patience is at its end; it may have slept so long in `wait` before, for
    /// another buffer. Asked again about the same, it does not wait again.
    bool wait_until_whole(std::uint32_t buffer, BackOff& wait) const noexcept;

    BufferFacts& facts(std::uint32_t buffer) const noexcept { return facts_[buffer]; }

    std::byte* memory(std::uint32_t buffer) const noexcept {
        return buffers_ + std::size_t{buffer} * buffer_size_;
    }

    std::uint32_t buffer_size() const noexcept { return buffer_size_; }

    std::uint32_t count() const noexcept { return count_.load(std::memory_order_relaxed); }

    std::uint32_t full() const noexcept { return full_.load(); }

    /// Full, or with the logger.
    bool is_in_use(std::uint32_t buffer) const noexcept {
        return (ages_[buffer].load(std::memory_order_acquire) & state_mask) != idle;
    }

    std::uint32_t in_use() const noexcept;
    std::uint32_t set_maximum(std::uint32_t maximum) noexcept;

    LiveFile& live() noexcept { return live_; }

private:
    // A buffer's age: order, whether it is pinned, what it is. All of them lie together: whoever
    // looks for the oldest reads nothing else.
    enum State : std::uint64_t { idle = 0, full_one = 1, taken = 2, state_mask = 3, pinned = 4 };

    static constexpr unsigned order_at = 3;

    Outcome<void> map(const Plan& plan);
    Result<void> commit(std::uint32_t first, std::uint32_t count) noexcept;
    bool is_awaited() const noexcept;
    void retire(std::uint32_t buffer) noexcept;
    bool count_in_use() noexcept;
    std::uint32_t pop_free() noexcept;
    void push_free(std::uint32_t buffer) noexcept;
    std::uint32_t grow() noexcept;
    std::uint32_t take_oldest(std::uint64_t limit, State becomes, bool only_whole) noexcept;

    std::uint32_t buffer_size_ = 0;
    std::uint32_t ceiling_ = 0;
    bool is_ring_ = false;
    std::chrono::milliseconds patience_{0};
    host::Memory memory_, tables_;
    std::vector<host::Memory> kept_; // of sessions that have ended
    LiveFile live_;
    std::byte* buffers_ = nullptr;
    std::size_t buffer_offset_ = 0; // in memory_
    BufferFacts* facts_ = nullptr;
    std::atomic<std::uint64_t>* ages_ = nullptr;
    std::atomic<std::uint32_t> count_{0}, maximum_{0};
    alignas(64) std::atomic<std::uint64_t> free_{0}; // changes:32 | number + 1, or 0
    alignas(64) std::atomic<std::uint32_t> full_{0};
    // Not of a ring.
    std::atomic<std::uint32_t> used_{0}, admitted_{no_limit};
};

} // namespace etl::session
