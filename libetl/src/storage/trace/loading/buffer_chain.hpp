// The buffers of one processor in the order of time, loaded as they are needed and, with a pool,
// ahead of need.
#pragma once

#include "base/task_pool.hpp"
#include "trace/loading/buffer_streams.hpp"
#include "trace/loading/loaded_buffer.hpp"
#include "trace/loading/shelf.hpp"

#include <deque>
#include <future>
#include <vector>

namespace etl::trace {

using BufferPointer = std::shared_ptr<LoadedBuffer>;
using BufferShelf = Shelf<LoadedBuffer>;

/// What is loaded before it is asked for, by a pool's threads.
struct LoadAhead {
    std::size_t groups = 1; // of buffers that follow each other
    /// What a group may take, as a sum of its buffers' sizes: handing over costs as much as finding
    /// the records of some 10 KB. A group is at least one buffer.
    std::uint64_t group_bytes = 0;
};

/// A buffer that a chain gives next, and what was found in it and in those without events before
/// it.
struct ChainedBuffer {
    BufferPointer buffer; // null: the chain has ended
    std::vector<Diagnostic> findings;
};

/// Gives buffers one after another. One thread; the pool's threads only load.
class BufferChain {
public:
    /// `stream` holds indices into `entries`.
    BufferChain(const LoadRequest& request, std::span<const BufferEntry> entries,
                BufferStream stream, TaskPool* pool, LoadAhead ahead,
                std::shared_ptr<BufferShelf> shelf);

    /// The next buffer that holds events, or null at the end. Buffers without events are passed
    /// over; their findings go to `findings`, as do those of the buffer returned.
    BufferPointer next(std::vector<Diagnostic>& findings);

    /// What next() gives after `calls` more calls of it; loads it. Valid until the next call of
    /// next().
    ChainedBuffer& peek(std::size_t calls);

    /// The next buffer, whatever it holds, or null at the end. Not with next() and peek().
    BufferPointer load_one();

private:
    using Group = std::vector<BufferPointer>;

    void refill();
    BufferPointer load_now(std::size_t i) const;
    Group load_group(std::size_t first, std::size_t end) const;
    ChainedBuffer load_next();
    std::size_t group_end(std::size_t first) const noexcept;
    Group take_group();

    LoadRequest request_;
    std::span<const BufferEntry> entries_;
    BufferStream stream_;
    std::size_t next_ = 0; // of stream_.buffers
    TaskPool* pool_;
    LoadAhead ahead_;
    std::shared_ptr<BufferShelf> shelf_;
    std::deque<std::future<Group>> loading_;
    Group group_;              // that is being given,
    std::size_t in_group_ = 0; // from here on
    std::deque<ChainedBuffer> peeked_;
};

} // namespace etl::trace
