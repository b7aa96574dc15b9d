#include "trace/loading/buffer_chain.hpp"

#include <algorithm>
#include <utility>

namespace etl::trace {

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

/// Whether another buffer is to be loaded. What threads load already is given even then: they work
/// on this chain until they are done.
bool BufferChain::has_next() const noexcept {
    return next_ < stream_.buffers.size() && !is_stopped(request_);
}

void BufferChain::refill() {
    while (loading_.size() < ahead_.groups && has_next()) {
        const std::size_t first = next_, end = group_end(first);
        loading_.push_back(pool_->start([this, first, end] { return load_group(first, end); }));
        next_ = end;
    }
}

BufferChain::Group BufferChain::take_group() {
    refill();
    if (loading_.empty()) {
        return {};
    }
    pool_->wait(loading_.front()); // with two threads it has but one
    Group group = loading_.front().get();
    loading_.pop_front();
    refill();
    return group;
}

BufferPointer BufferChain::load_one() {
    if (pool_ == nullptr) {
        return has_next() ? load_now(next_++) : nullptr;
    }
    if (in_group_ == group_.size()) {
        group_ = take_group();
        in_group_ = 0;
    }
    return group_.empty() ? nullptr : std::move(group_[in_group_++]);
}

/// The next one that holds events.
ChainedBuffer BufferChain::load_next() {
    ChainedBuffer next;
    do {
        next.buffer = load_one();
        if (next.buffer) {
            const std::vector<Diagnostic>& found = next.buffer->findings;
            next.findings.insert(next.findings.end(), found.begin(), found.end());
        }
    } while (next.buffer && next.buffer->events.empty());
    return next;
}

ChainedBuffer& BufferChain::peek(std::size_t calls) {
    while (peeked_.size() <= calls) {
        peeked_.push_back(load_next());
    }
    return peeked_[calls];
}

BufferPointer BufferChain::next(std::vector<Diagnostic>& findings) {
    ChainedBuffer next = std::move(peek(0));
    peeked_.pop_front();
    findings.insert(findings.end(), next.findings.begin(), next.findings.end());
    return std::move(next.buffer);
}

} // namespace etl::trace
