#include "session/live/listener.hpp"

#include <new>
#include <utility>

namespace etl::session {

void Listener::begin_with(std::deque<Waiting> backlog) {
    for (Waiting& waiting : backlog) {
        waiting.is_backlog = true;
        push(std::move(waiting));
    }
}

DeliveryCounts Listener::accept(const SharedBuffer& buffer) {
    DeliveryCounts counts;
    if (buffer != nullptr && !fits(buffer->cost()) && options_.slow == SlowConsumer::drop_oldest) {
        while (!fits(buffer->cost())) {
            counts.lost += lose_oldest();
        }
    }
    try {
        if (buffer != nullptr && fits(buffer->cost())) {
            push({buffer, pending_, false});
            pending_ = {};
            ++counts.taken;
        }
    } catch (const std::bad_alloc&) { // NOLINT(bugprone-empty-catch): it is lost
    }
    if (counts.taken == 0) {
        ++counts.lost;
        ++buffers_lost_;
        pending_.buffers = true;
        has_ended_ = has_ended_ || options_.slow == SlowConsumer::disconnect;
    }
    return counts;
}

std::optional<Waiting> Listener::take(std::size_t stripe) {
    if (stripe >= stripes_.size() || stripes_[stripe].empty()) {
        return std::nullopt;
    }
    Waiting waiting = std::move(stripes_[stripe].front());
    stripes_[stripe].pop_front();
    account_taken(waiting);
    return waiting;
}

void Listener::push(Waiting waiting) {
    const std::size_t stripe = waiting.buffer->stripe;
    if (stripe >= stripes_.size()) {
        stripes_.resize(stripe + 1);
    }
    std::deque<Waiting>& queue = stripes_[stripe];
    queue.push_back(std::move(waiting));
    const Waiting& last = queue.back();
    (last.is_backlog ? backlog_bytes_ : live_bytes_) += last.buffer->cost();
}

/// That there is one is known by live_bytes_.
std::uint32_t Listener::lose_oldest() {
    std::deque<Waiting>* oldest = nullptr;
    for (std::deque<Waiting>& stripe : stripes_) {
        if (!stripe.empty() &&
            (oldest == nullptr || stripe.front().buffer->number < oldest->front().buffer->number)) {
            oldest = &stripe;
        }
    }
    Losses losses = oldest->front().before;
    losses.buffers = true;
    account_taken(oldest->front());
    oldest->pop_front();
    (oldest->empty() ? pending_ : oldest->front().before).add(losses);
    ++buffers_lost_;
    return 1;
}

void Listener::account_taken(const Waiting& waiting) noexcept {
    (waiting.is_backlog ? backlog_bytes_ : live_bytes_) -= waiting.buffer->cost();
}

} // namespace etl::session
