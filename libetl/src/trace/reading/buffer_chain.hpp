// The buffers of one processor in the order of time, loaded as they are needed and, with a pool,
// ahead of need.
#pragma once

#include <etl/base/task_pool.hpp>

#include "trace/reading/buffer_streams.hpp"
#include "trace/reading/loaded_buffer.hpp"

#include <deque>
#include <future>
#include <mutex>
#include <vector>

namespace etl::trace {

using BufferPointer = std::shared_ptr<LoadedBuffer>;

/// Buffers whose events nobody holds any more, with their memory, for reuse. Any thread.
class BufferShelf : public std::enable_shared_from_this<BufferShelf> {
public:
    /// A buffer that comes back here when its last holder lets go.
    BufferPointer take();

private:
    void put(std::unique_ptr<LoadedBuffer> buffer);

    std::mutex mutex_;
    std::vector<std::unique_ptr<LoadedBuffer>> free_;
    std::size_t made_ = 0; // buffers so far
};

/// Gives buffers one after another. One thread; the pool's threads only load.
class BufferChain {
public:
    /// `stream` holds indices into `entries`. `ahead` buffers are loaded before they are asked for;
    /// needs a pool.
    BufferChain(const LoadRequest& request, std::span<const BufferEntry> entries,
                BufferStream stream, TaskPool* pool, std::size_t ahead,
                std::shared_ptr<BufferShelf> shelf);

    /// The next buffer that holds events, or null at the end. Buffers without events are passed
    /// over; their findings go to `findings`, as do those of the buffer returned.
    BufferPointer next(std::vector<Diagnostic>& findings);

    /// The next buffer, whatever it holds, or null at the end.
    BufferPointer load_one();

private:
    void refill();
    BufferPointer load_now(std::size_t i) const;

    LoadRequest request_;
    std::span<const BufferEntry> entries_;
    BufferStream stream_;
    std::size_t next_ = 0; // of stream_.buffers
    TaskPool* pool_;
    std::size_t ahead_;
    std::shared_ptr<BufferShelf> shelf_;
    std::deque<std::future<BufferPointer>> loading_;
};

} // namespace etl::trace
