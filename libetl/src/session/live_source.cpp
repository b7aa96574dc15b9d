#include <etl/session/live_source.hpp>

#include "session/live_reading.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace etl::session {

LiveSource::State::State(std::shared_ptr<LiveHub> from, std::shared_ptr<Listener> as)
    : hub(std::move(from)), listener(std::move(as)),
      info(trace_info_of(hub->recording(), hub->buffer_size())), newest_(info.reference_time) {
    hub->hear(*listener, bell);
}

LiveSource::State::~State() {
    if (!hub->is_forgotten()) {
        hub->disconnect(*listener, LiveHub::Rest::goes);
    }
}

void LiveSource::State::hear(std::shared_ptr<Bell> with) {
    bell = std::move(with);
    hub->hear(*listener, bell);
}

std::optional<flow::Run> LiveSource::State::poll() {
    if (hub->is_forgotten()) {
        return flow::Run{};
    }
    if (!has_begun_) {
        has_begun_ = true;
        given_ = make_header(info, hub->recording().extras);
        return flow::Run(given_->events);
    }
    // Looking takes a lock: it is done when nothing can be given without.
    auto next = winner();
    while (!next) {
        look();
        next = winner();
        if (!next && look_.taken.empty()) {
            break;
        }
    }
    if (next) {
        return run_of(*next);
    }
    return has_ended_ ? std::optional(last_notice()) : std::nullopt;
}

void LiveSource::State::look() {
    hub->look(*listener, open_, look_);
    open_.resize(std::max(open_.size(), look_.floors.size()));
    stripes_.resize(open_.size(), {info.reference_time, info.reference_time});
    has_ended_ = look_.has_ended;
    for (const Waiting& waiting : look_.taken) {
        look_.floors[waiting.buffer->stripe] = info.reference_time; // more may wait behind it
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

std::int64_t LiveSource::State::floor() const noexcept {
    std::int64_t floor = std::numeric_limits<std::int64_t>::max();
    for (std::size_t i = 0; i < open_.size(); ++i) {
        floor = std::min(floor, open_[i] != nullptr ? open_[i]->key() : stripes_[i].floor);
    }
    return open_.empty() ? info.reference_time : floor;
}

void LiveSource::State::open(Waiting waiting) {
    const std::size_t stripe = waiting.buffer->stripe;
    Open opened = open_buffer(std::move(waiting.buffer), info, stripes_[stripe].newest);
    carried_.add(waiting.before);
    if (opened->events.empty()) {
        return;
    }
    if (carried_) {
        opened->notice = make_notice(info, std::exchange(carried_, {}), opened->key());
    }
    open_[stripe] = std::move(opened);
}

/// The stripe whose next event is the oldest of all, if no older one can come.
std::optional<std::size_t> LiveSource::State::winner() const noexcept {
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < open_.size(); ++i) {
        if (open_[i] != nullptr && (!first || open_[i]->key() < open_[*first]->key())) {
            first = i;
        }
    }
    if (!first) {
        return std::nullopt;
    }
    const std::int64_t key = open_[*first]->key();
    for (std::size_t i = 0; i < open_.size(); ++i) {
        if (open_[i] == nullptr && stripes_[i].floor < key) {
            return std::nullopt;
        }
    }
    return first;
}

/// As many events of it as come before those of all others.
flow::Run LiveSource::State::run_of(std::size_t stripe) {
    OpenBuffer& from = *open_[stripe];
    if (from.notice != nullptr) {
        given_ = std::exchange(from.notice, nullptr);
        return flow::Run(given_->events);
    }
    std::int64_t limit = std::numeric_limits<std::int64_t>::max();
    for (std::size_t i = 0; i < open_.size(); ++i) {
        if (i != stripe && open_[i] != nullptr) {
            // Of equal times the lower stripe comes first. Its key is not the least of all then.
            limit = std::min(limit, open_[i]->key() - (i < stripe ? 1 : 0));
        } else if (i != stripe) {
            limit = std::min(limit, stripes_[i].floor);
        }
    }
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
    return run;
}

flow::Run LiveSource::State::last_notice() {
    carried_.add(hub->last_losses(*listener));
    given_ = carried_ ? make_notice(info, std::exchange(carried_, {}), newest_) : nullptr;
    return given_ != nullptr ? flow::Run(given_->events) : flow::Run{};
}

LiveSource::LiveSource(std::shared_ptr<State> state) noexcept : state_(std::move(state)) {}

LiveSource::~LiveSource() = default;

flow::Run LiveSource::next_run() {
    while (true) {
        const std::uint32_t rings = state_->bell->rings();
        if (const auto run = state_->poll()) {
            return *run;
        }
        state_->bell->wait(rings);
    }
}

flow::Pin LiveSource::pin() const {
    return state_->pin();
}

const flow::TraceInfo& LiveSource::info() const noexcept {
    return state_->info;
}

void LiveSource::close() noexcept {
    if (!state_->hub->is_forgotten()) {
        state_->hub->disconnect(*state_->listener, LiveHub::Rest::stays);
    }
}

std::uint64_t LiveSource::buffers_lost() const noexcept {
    return state_->hub->is_forgotten() ? 0 : state_->hub->buffers_lost(*state_->listener);
}

} // namespace etl::session
