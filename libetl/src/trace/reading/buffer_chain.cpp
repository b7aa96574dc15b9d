#include "trace/reading/buffer_chain.hpp"

#include <etl/trace/limits.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace etl::trace {

BufferPointer BufferShelf::take() {
    std::unique_ptr<LoadedBuffer> buffer;
    {
        const std::scoped_lock lock(mutex_);
        if (!free_.empty()) {
            buffer = std::move(free_.back());
            free_.pop_back();
        }
    }
    if (!buffer) {
        buffer = std::make_unique<LoadedBuffer>();
        const std::scoped_lock lock(mutex_);
        free_.reserve(++made_); // so that put() needs no memory
    }
    return {buffer.release(), [shelf = shared_from_this()](LoadedBuffer* done) {
                shelf->put(std::unique_ptr<LoadedBuffer>(done));
            }};
}

void BufferShelf::put(std::unique_ptr<LoadedBuffer> buffer) {
    if (buffer->storage.capacity() <= limits::copied_buffer &&
        buffer->events.capacity() * sizeof(flow::Event) <= limits::copied_buffer) {
        const std::scoped_lock lock(mutex_);
        free_.push_back(std::move(buffer));
    }
}

BufferChain::BufferChain(const LoadRequest& request, std::span<const BufferEntry> entries,
                         BufferStream stream, TaskPool* pool, LoadAhead ahead,
                         std::shared_ptr<BufferShelf> shelf)
    : request_(request), entries_(entries), stream_(std::move(stream)), pool_(pool), ahead_(ahead),
      shelf_(std::move(shelf)) {}

BufferPointer BufferChain::load_now(std::size_t i) const {
    BufferPointer buffer = shelf_->take();
    const std::uint32_t number = stream_.buffers[i];
    load_records(request_, entries_[number], number, *buffer, stream_.range_of(i));
    return buffer;
}

std::size_t BufferChain::group_end(std::size_t first) const noexcept {
    std::uint64_t bytes = 0;
    std::size_t end = first;
    do {
        const BufferEntry& entry = entries_[stream_.buffers[end]];
        bytes += std::max(entry.disk_size, entry.used);
    } while (++end < stream_.buffers.size() && bytes < ahead_.group_bytes);
    return end;
}

BufferChain::Group BufferChain::load_group(std::size_t first, std::size_t end) const {
    Group group;
    group.reserve(end - first);
    for (std::size_t i = first; i < end; ++i) {
        group.push_back(load_now(i));
    }
    return group;
}

void BufferChain::refill() {
    while (loading_.size() < ahead_.groups && next_ < stream_.buffers.size()) {
        // Shared, because a std::function can be copied and a task cannot. What the task throws
        // comes out of the future.
        const std::size_t first = next_, end = group_end(first);
        auto task = std::make_shared<std::packaged_task<Group()>>(
            [this, first, end] { return load_group(first, end); });
        loading_.push_back(task->get_future());
        next_ = end;
        pool_->submit([task] { (*task)(); });
    }
}

BufferChain::Group BufferChain::take_group() {
    refill();
    if (loading_.empty()) {
        return {};
    }
    // Who waits helps: with two threads the pool has but one.
    while (loading_.front().wait_for(std::chrono::seconds(0)) != std::future_status::ready &&
           pool_->run_one()) {
    }
    Group group = loading_.front().get();
    loading_.pop_front();
    refill();
    return group;
}

BufferPointer BufferChain::load_one() {
    if (pool_ == nullptr) {
        return next_ < stream_.buffers.size() ? load_now(next_++) : nullptr;
    }
    if (in_group_ == group_.size()) {
        group_ = take_group();
        in_group_ = 0;
    }
    return group_.empty() ? nullptr : std::move(group_[in_group_++]);
}

BufferPointer BufferChain::next(std::vector<Diagnostic>& findings) {
    while (BufferPointer buffer = load_one()) {
        findings.insert(findings.end(), buffer->findings.begin(), buffer->findings.end());
        if (!buffer->events.empty()) {
            return buffer;
        }
    }
    return nullptr;
}

} // namespace etl::trace
