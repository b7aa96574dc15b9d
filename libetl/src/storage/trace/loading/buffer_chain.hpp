// The buffers of one processor in the order of time, loaded as they are needed and, with a pool,
// ahead of need.
#pragma once

#include "base/task_pool.hpp"
#include "trace/loading/buffer_streams.hpp"
#include "trace/loading/loaded_buffer.hpp"

#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <vector>

namespace etl::trace {

/// Objects that nobody holds any more. `T::put_away()` lets go of what an object keeps alive, and
/// returns false if its own memory is too large to be kept. Any thread.
template <typename T>
class Shelf : public std::enable_shared_from_this<Shelf<T>> {
public:
    /// An object that comes back here when its last holder lets go.
    std::shared_ptr<T> take() {
        std::unique_ptr<T> object;
        {
            const std::scoped_lock lock(mutex_);
            if (!free_.empty()) {
                object = std::move(free_.back());
                free_.pop_back();
            }
        }
        if (!object) {
            object = std::make_unique<T>();
            const std::scoped_lock lock(mutex_);
            free_.reserve(++made_); // so that put() needs no memory
        }
        return {object.release(), [shelf = this->shared_from_this()](T* done) {
                    shelf->put(std::unique_ptr<T>(done));
                }};
    }

private:
    void put(std::unique_ptr<T> object) {
        if (object->put_away()) {
            const std::scoped_lock lock(mutex_);
            free_.push_back(std::move(object));
        }
    }

    std::mutex mutex_;
    std::vector<std::unique_ptr<T>> free_;
    std::size_t made_ = 0; // objects so far
};

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

    bool has_next() const noexcept;
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
