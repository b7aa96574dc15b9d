#include "session/live/live_queue.hpp"

#include "session/live/live_hub.hpp"
#include "session/live/live_reading.hpp"

#include <new>
#include <utility>

namespace etl::session {

struct LiveQueue::State {
    mutable std::mutex mutex;
    std::shared_ptr<LiveHub> hub; // of the session of now; null: there was none

    std::shared_ptr<LiveHub> current() const {
        const std::scoped_lock lock(mutex);
        return hub;
    }
};

LiveQueue::LiveQueue() : state_(std::make_shared<State>()) {}

LiveQueue::~LiveQueue() = default;

void LiveQueue::open(const trace::Recording& recording, std::uint32_t buffer_size,
                     bool is_real_time, std::uint64_t backlog_bytes,
                     std::function<void(std::uint32_t)> admit) {
    auto hub = std::make_shared<LiveHub>(HubPlan{.recording = recording,
                                                 .buffer_size = buffer_size,
                                                 .is_real_time = is_real_time,
                                                 .backlog_bytes = backlog_bytes,
                                                 .admit = std::move(admit)});
    end();
    const std::scoped_lock lock(state_->mutex);
    state_->hub = std::move(hub);
}

void LiveQueue::set_real_time(bool is_real_time) {
    if (const auto hub = state_->current()) {
        hub->set_real_time(is_real_time);
    }
}

DeliveryCounts LiveQueue::deliver(const ClosedBuffer& closed, std::int64_t sequence) {
    const auto hub = state_->current();
    return hub != nullptr ? hub->deliver(closed, sequence) : DeliveryCounts{};
}

std::uint64_t LiveQueue::refusals() const noexcept {
    const auto hub = state_->current();
    return hub != nullptr ? hub->refusals() : 0;
}

void LiveQueue::advance(std::int64_t time) {
    if (const auto hub = state_->current()) {
        hub->advance(time);
    }
}

void LiveQueue::tell_lost_events(std::uint64_t count) {
    const auto hub = state_->current();
    if (hub != nullptr && count != 0) {
        hub->tell_lost_events();
    }
}

void LiveQueue::end() {
    if (const auto hub = state_->current()) {
        hub->end();
    }
}

Outcome<std::unique_ptr<LiveSource>> LiveQueue::connect(const LiveOptions& options) {
    auto hub = state_->current();
    if (hub == nullptr) {
        return refuse(Status::wmi_instance_not_found, "no session");
    }
    auto listener = hub->connect(options);
    if (!listener) {
        return std::unexpected(listener.error());
    }
    auto reading = std::make_unique<LiveReading>(std::move(hub), std::move(*listener));
    return std::unique_ptr<LiveSource>(new LiveSource(std::move(reading)));
}

std::uint32_t LiveQueue::consumers() const noexcept {
    const auto hub = state_->current();
    return hub != nullptr ? hub->consumers() : 0;
}

void LiveQueue::forget_in_child() noexcept {
    // Some other thread of the parent may hold the locks; here nobody will ever let go of them. The
    // state stays where it is: what it holds may be half changed.
    if (state_->hub != nullptr) {
        state_->hub->forget();
    }
    const auto* const left_alone = new (std::nothrow) std::shared_ptr<State>(std::move(state_));
    static_cast<void>(left_alone);
    state_ = std::make_shared<State>();
}

} // namespace etl::session
