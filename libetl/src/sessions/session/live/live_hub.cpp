#include "session/live/live_hub.hpp"

#include <algorithm>
#include <limits>
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

LiveHub::LiveHub(HubPlan plan)
    : plan_(std::move(plan)), floors_(std::max(1U, plan_.recording.header.number_of_processors),
                                      plan_.recording.reference_time),
      is_real_time_(plan_.is_real_time) {
    decide_admission();

} // namespace etl::session

DeliveryCounts LiveHub::deliver(const ClosedBuffer& closed, std::int64_t sequence) {
    Delivery delivery{.buffer_size = plan_.buffer_size,
                      .logger_id = plan_.recording.logger_id,
                      .sequence = sequence};
    {
        const std::scoped_lock lock(mutex_);
        delivery.number = ++deliveries_;
        if (!wants_buffers() || has_ended_) {
            raise_floor(closed.processor, closed.closed_at);
            return {};
        }
    }
    const SharedBuffer buffer = copy_buffer(closed, delivery);
    const std::scoped_lock lock(mutex_);
    raise_floor(closed.processor, closed.closed_at);
    DeliveryCounts all;
    for (const auto& listener : listeners_) {
        const DeliveryCounts one = listener->accept(buffer);
        all.taken += one.taken;
        all.lost += one.lost;
        listener->ring();
    }
    if (keeps()) {
        all = keep(buffer);
    }
    remove_ended();
    decide_admission();
    return all;
}

void LiveHub::advance(std::int64_t time) {
    const std::scoped_lock lock(mutex_);
    for (std::size_t stripe = 0; stripe < floors_.size(); ++stripe) {
        raise_floor(stripe, time);
    }
    for (const auto& listener : listeners_) {
        listener->ring();
    }
}

void LiveHub::tell_lost_events() {
    const std::scoped_lock lock(mutex_);
    for (const auto& listener : listeners_) {
        listener->tell({.events = true});
    }
    if (listeners_.empty()) {
        losses_.events = true;
    }
}

void LiveHub::set_real_time(bool is_real_time) {
    const std::scoped_lock lock(mutex_);
    is_real_time_ = is_real_time;
    if (!is_real_time) {
        for (const auto& listener : listeners_) {
            listener->end();
            listener->ring();
        }
        drop_backlog();
        remove_ended();
    }
    decide_admission();
}

void LiveHub::end() {
    const std::scoped_lock lock(mutex_);
    has_ended_ = true;
    for (const auto& listener : listeners_) {
        listener->end();
        listener->ring();
    }
    listeners_.clear();
    drop_backlog();
}

Outcome<std::shared_ptr<Listener>> LiveHub::connect(const LiveOptions& options) {
    auto listener = std::make_shared<Listener>(options);
    const std::scoped_lock lock(mutex_);
    if (!is_real_time_ || has_ended_) {
        return refuse(Status::wmi_instance_not_found, "no real-time session");
    }
    if (options.with_backlog) {
        listener->begin_with(std::exchange(backlog_, {}));
        backlog_bytes_ = 0;
        listener->tell(std::exchange(losses_, {}));
    }
    listeners_.push_back(listener);
    decide_admission();
    return listener;
}

std::uint32_t LiveHub::consumers() const noexcept {
    const std::scoped_lock lock(mutex_);
    return static_cast<std::uint32_t>(listeners_.size());
}

std::uint64_t LiveHub::refusals() const noexcept {
    const std::scoped_lock lock(mutex_);
    return refusals_;
}

void LiveHub::look(Listener& listener, std::span<const std::shared_ptr<OpenBuffer>> open,
                   Look& into) {
    const std::scoped_lock lock(mutex_);
    into.taken.clear();
    into.floors = floors_;
    for (std::size_t stripe = 0; stripe < floors_.size(); ++stripe) {
        if (stripe < open.size() && open[stripe] != nullptr) {
            continue;
        }
        if (auto waiting = listener.take(stripe)) {
            into.taken.push_back(std::move(*waiting));
        }
    }
    into.has_ended = listener.has_ended();
    if (into.has_ended) {
        std::ranges::fill(into.floors, std::numeric_limits<std::int64_t>::max());
    }
    decide_admission();
}

Losses LiveHub::last_losses(Listener& listener) noexcept {
    const std::scoped_lock lock(mutex_);
    return listener.take_losses();
}

void LiveHub::disconnect(Listener& listener, Rest rest) {
    const std::scoped_lock lock(mutex_);
    listener.end();
    listener.ring();
    const bool was_connected =
        std::erase_if(listeners_, [&](const auto& one) { return one.get() == &listener; }) != 0;
    if (was_connected && rest == Rest::goes && listener.backlog_bytes() != 0) {
        losses_.backlog = true;
    }
    decide_admission();
}

void LiveHub::hear(Listener& listener, std::shared_ptr<Bell> bell) {
    const std::scoped_lock lock(mutex_);
    listener.hear(std::move(bell));
}

std::uint64_t LiveHub::buffers_lost(const Listener& listener) const noexcept {
    const std::scoped_lock lock(mutex_);
    return listener.buffers_lost();
}

/// Whatever the bound: it has been decided when the events were accepted.
DeliveryCounts LiveHub::keep(const SharedBuffer& buffer) {
    bool is_kept = buffer != nullptr;
    if (is_kept) {
        try {
            backlog_.push_back({buffer, losses_, true});
        } catch (const std::bad_alloc&) {
            is_kept = false;
        }
    }
    if (!is_kept) {
        losses_.buffers = true;
        return {.lost = 1};
    }
    backlog_bytes_ += buffer->cost();
    losses_ = {};
    return {.taken = 1};
}

void LiveHub::raise_floor(std::size_t stripe, std::int64_t time) {
    if (stripe >= floors_.size()) {
        floors_.resize(stripe + 1, plan_.recording.reference_time);
    }
    floors_[stripe] = std::max(floors_[stripe], time);
}

std::uint64_t LiveHub::kept_bytes() const noexcept {
    std::uint64_t bytes = backlog_bytes_;
    for (const auto& listener : listeners_) {
        bytes += listener->backlog_bytes();
    }
    return bytes;
}

void LiveHub::drop_backlog() {
    losses_.backlog = losses_.backlog || !backlog_.empty();
    backlog_.clear();
    backlog_bytes_ = 0;
}

void LiveHub::remove_ended() {
    std::erase_if(listeners_, [](const auto& listener) { return listener->has_ended(); });
}

/// How many buffers may come beside so many bytes of backlog. An empty backlog has space for one.
std::uint32_t LiveHub::admitted(std::uint64_t kept) const noexcept {
    const std::uint64_t cost = plan_.buffer_size + sizeof(DeliveredBuffer); // of one that is full
    const std::uint64_t bytes = plan_.backlog_bytes - std::min(plan_.backlog_bytes, kept);
    constexpr std::uint64_t max = Buffers::no_limit - 1;
    return static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(bytes / cost, kept == 0 ? 1 : 0, max));
}

/// All buffers in use may end in the backlog, so as many may be in use as it has space for. A full
/// backlog refuses everything until half of it was read, or there is a consumer that did not ask
/// for it.
void LiveHub::decide_admission() {
    if (has_ended_) {
        return; // the buffers may be another session's
    }
    const std::uint64_t kept = kept_bytes();
    const bool is_full = admitted(kept) == 0;
    const bool stays = is_refusing_ && kept > plan_.backlog_bytes / 2;
    const bool is_for_others = !listeners_.empty() && !backlog_.empty();
    const bool refuses = (is_full || stays) && !is_for_others;
    refusals_ += refuses && !is_refusing_ ? 1 : 0;
    is_refusing_ = refuses;
    const std::uint32_t unrefused = keeps() ? admitted(kept) : Buffers::no_limit;
    const std::uint32_t now = refuses ? 0 : unrefused;
    if (std::exchange(admitted_, now) != now && plan_.admit) {
        plan_.admit(now);
    }
}

} // namespace etl::session
