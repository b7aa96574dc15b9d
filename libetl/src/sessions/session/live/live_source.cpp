#include "session/live_source.hpp"

#include "session/live/live_reading.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace etl::session {

LiveReading::LiveReading(std::shared_ptr<LiveHub> from, std::shared_ptr<Listener> as)
    : hub_(std::move(from)), listener_(std::move(as)),
      info_(trace_info_of(hub_->recording(), hub_->buffer_size())), newest_(info_.reference_time) {
    hub_->hear(*listener_, bell_);
}

LiveReading::~LiveReading() {
    if (!hub_->is_forgotten()) {
        hub_->disconnect(*listener_, LiveHub::Rest::goes);
    }
}

void LiveReading::hear(std::shared_ptr<Bell> with) {
    bell_ = std::move(with);
    hub_->hear(*listener_, bell_);
}

std::optional<flow::Run> LiveReading::poll() {
    if (hub_->is_forgotten()) {
        return flow::Run{};
    }
    if (!has_begun_) {
        has_begun_ = true;
        given_ = make_header(info_, hub_->recording().extra_records);
        return flow::Run(given_->events);
    }
    // Looking takes a lock: it is done when nothing can be given without.
    while (!may_give()) {
        look();
        put_in_order();
        if (look_.taken.empty()) {
            break;
        }
    }
    if (may_give()) {
        return run_of(order_.first().what);
    }
    return has_ended_ ? std::optional(last_notice()) : std::nullopt;
}

void LiveReading::look() {
    hub_->look(*listener_, open_, look_);
    open_.resize(std::max(open_.size(), look_.floors.size()));
    stripes_.resize(open_.size(), {info_.reference_time, info_.reference_time});
    has_ended_ = look_.has_ended;
    for (const Waiting& waiting : look_.taken) {
        look_.floors[waiting.buffer->stripe] = info_.reference_time; // more may wait behind it
    }
    for (std::size_t i = 0; i < open_.size(); ++i) {
        if (open_[i] == nullptr) {
            stripes_[i].floor = std::max(stripes_[i].floor, look_.floors[i]);
        }
    }
    for (Waiting& waiting : look_.taken) {
        open(std::move(waiting));
    }
}

std::int64_t LiveReading::floor() const noexcept {
    std::int64_t floor = std::numeric_limits<std::int64_t>::max();
    for (std::size_t i = 0; i < open_.size(); ++i) {
        floor = std::min(floor, open_[i] != nullptr ? open_[i]->key() : stripes_[i].floor);
    }
    return open_.empty() ? info_.reference_time : floor;
}

void LiveReading::open(Waiting waiting) {
    const std::size_t stripe = waiting.buffer->stripe;
    Open opened = open_buffer(std::move(waiting.buffer), info_, stripes_[stripe].newest);
    carried_.add(waiting.before);
    if (opened->events.empty()) {
        return;
    }
    if (carried_) {
        opened->notice = make_notice(info_, std::exchange(carried_, {}), opened->key());
    }
    open_[stripe] = std::move(opened);
}

void LiveReading::put_in_order() {
    order_.clear();
    for (std::size_t i = 0; i < open_.size(); ++i) {
        order_.add(entry_of(i));
    }
}

/// Of equal times the lower stripe comes first, and one that waits last: what is open now may be
/// given.
LiveReading::Order::Entry LiveReading::entry_of(std::size_t stripe) const noexcept {
    if (open_[stripe] == nullptr) {
        return {stripes_[stripe].floor, open_.size() + stripe, stripe};
    }
    return {open_[stripe]->key(), stripe, stripe};
}

/// No event that may still come is older than the oldest that is here.
bool LiveReading::may_give() const noexcept {
    return !order_.empty() && open_[order_.first().what] != nullptr;
}

/// As many events of it, the first in order, as come before those of all others.
flow::Run LiveReading::run_of(std::size_t stripe) {
    OpenBuffer& from = *open_[stripe];
    if (from.notice != nullptr) {
        given_ = std::exchange(from.notice, nullptr);
        return flow::Run(given_->events);
    }
    const std::int64_t limit = order_.limit();
    const std::size_t begin = from.at++;
    while (from.at < from.events.size() && from.key_of(from.events[from.at]) <= limit) {
        ++from.at;
    }
    const flow::Run run = flow::Run(from.events).subspan(begin, from.at - begin);
    newest_ = std::max(newest_, run.back().raw_time);
    stripes_[stripe].newest = run.back().raw_time;
    given_ = open_[stripe];
    if (from.at == from.events.size()) {
        stripes_[stripe].floor = std::max(stripes_[stripe].floor, from.buffer->closed_at);
        open_[stripe] = nullptr;
    }
    order_.replace_first(entry_of(stripe));
    return run;
}

flow::Run LiveReading::last_notice() {
    carried_.add(hub_->last_losses(*listener_));
    given_ = carried_ ? make_notice(info_, std::exchange(carried_, {}), newest_) : nullptr;
    return given_ != nullptr ? flow::Run(given_->events) : flow::Run{};
}

void LiveReading::close() noexcept {
    if (!hub_->is_forgotten()) {
        hub_->disconnect(*listener_, LiveHub::Rest::stays);
    }
}

std::uint64_t LiveReading::buffers_lost() const noexcept {
    return hub_->is_forgotten() ? 0 : hub_->buffers_lost(*listener_);
}

LiveSource::LiveSource(std::unique_ptr<LiveReading> reading) noexcept
    : reading_(std::move(reading)) {}

LiveSource::~LiveSource() = default;

flow::Run LiveSource::next_run() {
    while (true) {
        const std::uint32_t rings = reading_->bell().rings();
        if (const auto run = reading_->poll()) {
            return *run;
        }
        reading_->bell().wait(rings);
    }
}

std::optional<flow::Run> LiveSource::try_next_run() {
    return reading_->poll();
}

void LiveSource::wake(std::shared_ptr<const host::Poller> poller) {
    reading_->hear(std::make_shared<Bell>(std::move(poller)));
}

flow::Pin LiveSource::pin() const {
    return reading_->pin();
}

const flow::TraceInfo& LiveSource::info() const noexcept {
    return reading_->info();
}

void LiveSource::close() noexcept {
    reading_->close();
}

std::uint64_t LiveSource::buffers_lost() const noexcept {
    return reading_->buffers_lost();
}

} // namespace etl::session
