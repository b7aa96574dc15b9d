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

/// What is loaded before it is asked for, by a pool's threads.
struct LoadAhead {
    std::size_t groups = 1; // of buffers that follow each other
    /// What a group may take, as a sum of its buffers' sizes: handing over costs as much as finding
    /// the records of some 10 KB. A group is at least one buffer.
    std::uint64_t group_bytes = 0;
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

    /// The next buffer, whatever it holds, or null at the end.
    BufferPointer load_one();

private:
    using Group = std::vector<BufferPointer>;

    void refill();
    BufferPointer load_now(std::size_t i) const;
    Group load_group(std::size_t first, std::size_t end) const;
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
};

} // namespace etl::trace
