#include "machine/drain.hpp"

#include "format/record_kind.hpp"
#include "host/clock.hpp"
#include "host/process.hpp"
#include "session/control/runtime_state.hpp"
#include "session/writing/event_writer.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <new>
#include <utility>

namespace etl::machine {

namespace {

using Clock = std::chrono::steady_clock;

/// Between turns while a provider is enabled.
constexpr std::chrono::milliseconds max_pause{50};

/// How long a record that is being written holds up all others; then it is passed.
constexpr std::chrono::milliseconds patience{200};

/// Copied from a ring at a time: what it holds beyond that stays in the ring, and the copies stay
/// in the cache until they are written.
constexpr std::size_t batch = std::size_t{32} << 10U;

/// Processes of root and of the owner.
bool may_write_securely(const ProviderLink& link, const session::SessionCore& session) noexcept {
    const std::uint32_t user = link.peer().user_id;
    return user == 0 || user == session.owner.load(std::memory_order_relaxed);
}

} // namespace

Drain::Drain(session::Runtime& runtime, std::atomic<std::int64_t>& time)
    : runtime_(&runtime), time_(&time), space_(runtime), thread_([this] { run(); }) {}

Drain::~Drain() {
    {
        const std::lock_guard lock(mutex_);
        is_stopping_ = true;
        changed_.notify_all();
    }
    thread_.join();
}

void Drain::add(std::shared_ptr<ProviderLink> link) {
    const std::lock_guard lock(mutex_);
    links_.push_back(std::move(link));
}

std::vector<std::shared_ptr<ProviderLink>> Drain::links() const {
    const std::lock_guard lock(mutex_);
    return links_;
}

std::size_t Drain::link_count() const noexcept {
    const std::lock_guard lock(mutex_);
    return links_.size();
}

std::uint64_t Drain::ask() {
    changed_.notify_all();
    return ++asked_;
}

void Drain::settle() {
    std::unique_lock lock(mutex_);
    const std::uint64_t mine = ask();
    changed_.wait(lock, [&] { return done_ >= mine; });
}

void Drain::settle_until(Clock::time_point deadline) {
    std::unique_lock lock(mutex_);
    const std::uint64_t mine = ask();
    changed_.wait_until(lock, deadline, [&] { return done_ >= mine; });
}

void Drain::wake() {
    const std::lock_guard lock(mutex_);
    ask();
}

void Drain::run() {
    host::become_helper_thread("etl-drain");
    std::unique_lock lock(mutex_);
    while (!is_stopping_) {
        const bool is_busy =
            std::ranges::any_of(links_, [](const auto& link) { return link->is_enabled(); });
        const auto is_due = [&] { return is_stopping_ || asked_ != done_; };
        if (is_busy) {
            changed_.wait_for(lock, max_pause, is_due);
        } else {
            changed_.wait(lock, is_due);
        }
        const std::uint64_t asked = asked_;
        lock.unlock();
        const bool is_done = try_turn();
        lock.lock();
        if (is_done) {
            done_ = asked;
            changed_.notify_all();
        } else {
            changed_.wait_for(lock, max_pause, [&] { return is_stopping_; });
        }
    }
}

/// False: there was no memory for it. The next turn goes on.
bool Drain::try_turn() {
    try {
        turn();
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

/// Everything that was written before it is with the sessions afterwards.
void Drain::turn() {
    const Links links = this->links();
    // What ends from here on has its last turn next time.
    Links ended;
    std::ranges::copy_if(links, std::back_inserter(ended),
                         [](const auto& link) { return link->has_ended(); });
    removed_.reserve(removed_.size() + links.size());
    for (const auto& link : links) {
        removed_.emplace_back(link, link->take_removed());
    }
    take_all(links, ended);
    for (; !removed_.empty(); removed_.pop_back()) {
        const auto& [link, nodes] = removed_.back();
        count_lost(*link);
        // First: the next registration of the link may have the same node. A turn that failed may
        // have taken them as well.
        for (session::RegistrationNode* node : link->forget(nodes)) {
            runtime_->state().registrations.remove(*node);
        }
    }
    if (!ended.empty()) {
        const std::lock_guard lock(mutex_);
        std::erase_if(links_, [&](const auto& link) {
            return std::ranges::find(ended, link) != ended.end();
        });
    }
}

/// Everything that was written until now into the sessions, in batches.
void Drain::take_all(const Links& links, const Links& ended) {
    const std::int64_t now = host::monotonic_ticks();
    std::vector<Lane> lanes;
    for (const auto& link : links) {
        const bool has_ended = std::ranges::find(ended, link) != ended.end();
        link->header().wants_doorbell.store(1, std::memory_order_relaxed);
        for (StripeQueue& queue : link->queues()) {
            queue.begin(now);
            lanes.push_back({.queue = &queue, .link = link.get(), .has_ended = has_ended});
        }
    }
    space_.begin_turn();
    Clock::duration waited{};
    bool is_held_up = false; // by a record that is being written
    for (;;) {
        const bool has_progressed = take_some(lanes, waited < patience, is_held_up);
        if (write_all(lanes, now) >= now) {
            return;
        }
        is_held_up = !has_progressed;
        if (is_held_up) {
            const auto begin = Clock::now();
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            waited += Clock::now() - begin;
        }
    }
}

/// A batch of each ring that has none left. While a record holds up all of them, everything: the
/// rings must not fill. False: nothing was there.
bool Drain::take_some(std::span<Lane> lanes, bool is_patient, bool is_held_up) {
    bool has_progressed = false;
    for (Lane& lane : lanes) {
        if (is_held_up && lane.queue->is_complete()) {
            lane.queue->begin(host::monotonic_ticks());
        }
        if (!lane.queue->is_complete() && (lane.queue->is_empty() || is_held_up)) {
            take(lane, is_patient, is_held_up);
            has_progressed =
                has_progressed || lane.queue->has_progressed() || lane.queue->is_complete();
        }
    }
    return has_progressed && !is_held_up;
}

void Drain::take(Lane& lane, bool is_patient, bool is_held_up) {
    ProviderLink& link = *lane.link;
    const bool waits = is_patient && link.is_waited_for();
    const link::Unfinished unfinished = lane.has_ended ? link::Unfinished::forget
                                        : waits        ? link::Unfinished::wait
                                                       : link::Unfinished::pass;
    const link::RingLook look = lane.queue->take(unfinished, is_held_up ? SIZE_MAX : batch,
                                                 [] { return host::monotonic_ticks(); });
    count_given_up(link, look);
    if (!is_patient && look.has_passed && link.is_waited_for()) {
        link.hold_up();
    }
}

/// The records up to the least floor, which is returned.
std::int64_t Drain::write_all(std::span<Lane> lanes, std::int64_t now) {
    std::vector<StripeQueue*> queues;
    std::ranges::transform(lanes, std::back_inserter(queues), &Lane::queue);
    const auto is_urgent = [&] { return std::ranges::any_of(queues, &StripeQueue::is_half_full); };
    const std::int64_t floor =
        merge(queues, now, [&](std::size_t number, const QueuedRecord& record) {
            space_.wait_for(record.size, is_urgent);
            write(*lanes[number].link, *lanes[number].queue, record);
        });
    if (floor > time_->load(std::memory_order_relaxed)) {
        time_->store(floor, std::memory_order_relaxed);
    }
    return floor;
}

void Drain::write(ProviderLink& link, StripeQueue& queue, const QueuedRecord& record) {
    if (link::classic_session(record.registration) != 0) {
        write_classic(link, queue, record);
        return;
    }
    const session::RegistrationNode* node = link.find(record.registration);
    if (node == nullptr || node->state.mask.load(std::memory_order_relaxed) == 0) {
        return; // nothing wants it any more
    }
    if (!take_event(queue.bytes_of(record), event_)) {
        lose(*node);
        return;
    }
    if (record.time > time_->load(std::memory_order_relaxed)) {
        time_->store(record.time, std::memory_order_relaxed);
    }
    const session::EventOrigin origin{.process_id = link.peer().process_id,
                                      .thread_id = event_.header.thread_id,
                                      .processor = queue.processor(),
                                      .late_by = record.late_by,
                                      .sid = link.sid(),
                                      .start_key = link.start_key(),
                                      .event_key = event_.event_key,
                                      .stack = event_.stack};
    const std::array parts{event_.header.payload};
    session::write_event(*node,
                         {.descriptor = &event_.header,
                          .parts = parts,
                          .items = event_.items,
                          .width = static_cast<format::Width>(event_.header.pointer_size),
                          .origin = &origin},
                         {.activity = &event_.header.activity,
                          .related = event_.related ? &*event_.related : nullptr,
                          .is_string = (event_.header.flags & format::event_flag::string_only) != 0,
                          .property = event_.header.property});
}

/// The session is the producer's word, so it must have enabled a classic provider of the process.
void Drain::write_classic(const ProviderLink& link, StripeQueue& queue,
                          const QueuedRecord& record) {
    const std::uint16_t number = link::classic_session(record.registration);
    const session::SessionRef session =
        link.may_write_classic(number) ? runtime_->state().running(number) : session::SessionRef{};
    const bool is_secure =
        session.core != nullptr &&
        (session.core->mode.load(std::memory_order_relaxed) & session::mode::secure) != 0;
    if (session.core == nullptr || (is_secure && !may_write_securely(link, *session.core))) {
        return;
    }
    if (!take_event(queue.bytes_of(record), event_) ||
        !take_classic(
            event_.header.payload, link.peer().process_id,
            [&] { return runtime_->state().next_sequence(*session.core); }, classic_)) {
        session.core->buffers.count_lost(session.ticket);
        return;
    }
    if (is_secure && !format::is_message(format::record_at(classic_.record).kind)) {
        return;
    }
    if (record.time > time_->load(std::memory_order_relaxed)) {
        time_->store(record.time, std::memory_order_relaxed);
    }
    session::write_record(*session.core, session.ticket, classic_.record, classic_.stamp_at,
                          queue.processor());
}

/// One event, in every session that reaches the registration.
void Drain::lose(const session::RegistrationNode& node) {
    const session::Enablers enablers = runtime_->state().registrations.enablers(node);
    for (const session::EnableView& view : enablers.recording) {
        view.session.core->buffers.count_lost(view.session.ticket);
    }
}

void Drain::count_given_up(ProviderLink& link, const link::RingLook& look) {
    if (look.is_garbled) {
        link.strike();
        for (const session::SessionRef& session : link.enabled_by()) {
            session.core->buffers.count_lost(session.ticket); // it is not known how many
        }
    }
    for (const std::uint32_t registration : look.given_up) {
        if (const session::RegistrationNode* node = link.find(registration)) {
            lose(*node);
        }
    }
}

/// What found no space, in the sessions that it was counted for.
void Drain::count_lost(ProviderLink& link) {
    constexpr std::uint32_t max = 1U << 24U; // a process can claim any number
    const auto lost = link.take_lost();
    if (std::ranges::all_of(lost, [](std::uint32_t count) { return count == 0; })) {
        return;
    }
    const std::vector<session::SessionRef> sessions = link.enabled_by();
    for (std::size_t i = 0; i < lost.size(); ++i) {
        if (lost.at(i) == 0) {
            continue;
        }
        const session::SessionRef session = runtime_->state().running(i + 1);
        if (session.core != nullptr && std::ranges::find(sessions, session) != sessions.end()) {
            session.core->buffers.count_lost(session.ticket, std::min(lost.at(i), max));
        }
    }
}

} // namespace etl::machine
