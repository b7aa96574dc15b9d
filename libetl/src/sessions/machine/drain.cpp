#include "machine/drain.hpp"

#include "base/layout.hpp"
#include "format/record_kind.hpp"
#include "format/set_field.hpp"
#include "host/clock.hpp"
#include "host/process.hpp"
#include "session/control/runtime_state.hpp"
#include "session/writing/event_writer.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <new>
#include <thread>
#include <utility>

namespace etl::machine {

using namespace format;

namespace {

/// Those that EventWriter adds to what an event brings.
constexpr std::size_t added_items = 7;

/// About process, user, and provider, of which the producer is not asked.
constexpr std::array said_by_host{ItemType::sid, ItemType::terminal_session_id,
                                  ItemType::process_start_key, ItemType::provider_traits,
                                  ItemType::container_id};

void take_stack(Bytes data, TakenEvent& to) {
    for (std::size_t at = sizeof(std::uint64_t); has_range(data, at, sizeof(std::uint64_t));
         at += sizeof(std::uint64_t)) {
        to.stack.push_back(load_le<std::uint64_t>(data.data() + at));
    }
}

bool take_item(const ExtendedItem& item, TakenEvent& to) {
    if (item.type == ItemType::related_activity_id) {
        to.related = item.data.size() == sizeof(Guid)
                         ? std::optional(load_le<Guid>(item.data.data()))
                         : std::nullopt;
        return to.related.has_value();
    }
    if (item.type == ItemType::stack_trace64) {
        take_stack(item.data, to);
        return true;
    }
    if (item.type == ItemType::event_key) {
        to.event_key = item.data.size() == sizeof(std::uint64_t)
                           ? load_le<std::uint64_t>(item.data.data())
                           : 0;
        return true;
    }
    if (std::ranges::find(said_by_host, item.type) == said_by_host.end()) {
        to.items.push_back(item);
    }
    return to.items.size() <= format::ExtendedItems::max - added_items;
}

} // namespace

bool take_event(Bytes record, TakenEvent& to) {
    const RecordShape shape = record_at(record);
    if (!is_event(shape.kind)) {
        return false;
    }
    to.items.clear();
    to.stack.clear();
    to.related.reset();
    to.event_key = 0;
    to.time = shape.time;
    to.header = read_header(shape.kind, record.first(shape.size), sizeof(void*));
    if (to.header.has_invalid_items) {
        return false;
    }
    ExtendedItems items(to.header.items);
    ExtendedItem item;
    while (!to.header.items.empty() && items.next(item)) {
        if (!take_item(item, to)) {
            return false;
        }
    }
    return true;
}

using namespace format;

namespace {

/// INSTANCE records of today have GUIDs.
bool is_classic(const RecordShape& shape) noexcept {
    return (has_class(shape.kind) || is_message(shape.kind)) &&
           (!is_instance(shape.kind) || shape.size >= instance_record::size);
}

bool has_sequence(RecordKind kind, Bytes record) noexcept {
    return is_message(kind) &&
           (get_field<message_record::options>(record) & message_record::sequence) != 0;
}

} // namespace

bool take_classic(Bytes record, std::uint32_t process_id,
                  FunctionRef<std::uint32_t()> next_sequence, ClassicEvent& to) {
    const RecordShape shape = record_at(record);
    if (shape.size != record.size() || !is_classic(shape)) {
        return false;
    }
    to.record.assign(record.begin(), record.end());
    set_process_id(shape.kind, to.record, process_id);
    if (has_sequence(shape.kind, record)) {
        set_sequence(shape.kind, to.record, next_sequence());
    }
    to.stamp_at = time_offset(shape.kind, to.record);
    return true;
}

namespace {

/// Between two looks at full buffers.
constexpr std::chrono::microseconds pause{200};

/// How long a logger may write no buffer until it is not waited for.
constexpr std::chrono::seconds logger_patience{1};

/// The most that a turn waits in all, and how long a session that used it up is not waited for.
constexpr std::chrono::seconds max_of_turn{2};
constexpr std::chrono::seconds penalty{10};

/// What is written without a look at sessions while the processes have little space left.
constexpr std::uint64_t until_next_look = 64U << 10U;

/// What free buffers take in any case. Each processor can switch to one of them; half of each of
/// the others, since the next record may not fit into the rest. 0: one record.
std::uint64_t space_in(const session::Buffers& buffers, std::uint32_t available) noexcept {
    const std::uint32_t stripes = buffers.stripes();
    return available > stripes ? std::uint64_t{available - stripes} * buffers.buffer_size() / 2 : 0;
}

/// Whether the buffers of a session become free because a logger writes them to a file.
bool writes_file_only(std::uint32_t mode) noexcept {
    return (mode & (session::mode::buffering | session::mode::real_time)) == 0;
}

} // namespace

/// Whether the session, which has no free buffer, is going to have one.
bool SessionSpace::is_waited_for(Known& known, const session::SessionRef& session,
                                 Clock::time_point now) {
    if (known.session != session) {
        known = {.session = session, .progressed = now};
    }
    if (known.available != 0) { // until now
        known.available = 0;
        known.progressed = now;
    }
    if (now < known.waited_for_again) {
        return false;
    }
    if (now - known.progressed > logger_patience || waited_ > max_of_turn) {
        known.waited_for_again = now + penalty;
        return false;
    }
    return true;
}

void SessionSpace::look(FunctionRef<bool()> is_urgent) {
    for (;;) {
        const auto now = Clock::now();
        std::uint64_t left = UINT64_MAX;
        bool must_wait = false;
        for (std::size_t i = 0; i < known_.size(); ++i) {
            const session::SessionRef session = runtime_->state().running(i + 1);
            if (session.core == nullptr ||
                !writes_file_only(session.core->mode.load(std::memory_order_relaxed))) {
                continue;
            }
            session::Buffers& buffers = session.core->buffers;
            if (const std::uint32_t available = buffers.available(); available != 0) {
                known_.at(i).available = available;
                left = std::min(left, space_in(buffers, available));
            } else if (is_waited_for(known_.at(i), session, now)) {
                buffers.wake(); // the logger may wait for more full buffers
                must_wait = true;
            }
        }
        if (!must_wait || is_urgent()) {
            left_ = must_wait ? until_next_look : left;
            return;
        }
        std::this_thread::sleep_for(pause);
        waited_ += Clock::now() - now;
    }
}

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
