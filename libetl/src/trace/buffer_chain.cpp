#include "trace/buffer_chain.hpp"

#include <utility>

namespace etl::trace {

BufferChain::BufferChain(const LoadRequest& request, std::span<const BufferEntry> entries,
                         std::vector<std::uint32_t> order, TaskPool* pool, std::size_t ahead)
    : request_(request), entries_(entries), order_(std::move(order)), pool_(pool), ahead_(ahead) {}

BufferPointer BufferChain::load_now(std::uint32_t number) const {
    auto buffer = std::make_shared<LoadedBuffer>();
    buffer->events.reserve(expected_events_);
    load(request_, entries_[number], number, *buffer);
    return buffer;
}

void BufferChain::refill() {
    while (loading_.size() < ahead_ && next_ < order_.size()) {
        const std::uint32_t number = order_[next_++];
        // std::function wants something that can be copied, and a promise cannot be.
        auto promise = std::make_shared<std::promise<BufferPointer>>();
        loading_.push_back(promise->get_future());
        pool_->submit([this, number, promise, expected = expected_events_] {
            auto buffer = std::make_shared<LoadedBuffer>();
            buffer->events.reserve(expected);
            load(request_, entries_[number], number, *buffer);
            promise->set_value(std::move(buffer));
        });
    }
}

BufferPointer BufferChain::load_one() {
    if (pool_ == nullptr) {
        return next_ < order_.size() ? load_now(order_[next_++]) : nullptr;
    }
    refill();
    if (loading_.empty()) {
        return nullptr;
    }
    BufferPointer buffer = loading_.front().get();
    loading_.pop_front();
    refill();
    return buffer;
}

BufferPointer BufferChain::next(std::vector<Diagnostic>& findings) {
    while (BufferPointer buffer = load_one()) {
        findings.insert(findings.end(), buffer->findings.begin(), buffer->findings.end());
        if (!buffer->events.empty()) {
            expected_events_ = buffer->events.size() + buffer->events.size() / 8;
            return buffer;
        }
    }
    return nullptr;
}

} // namespace etl::trace
