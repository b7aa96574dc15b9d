#include "session/buffers/buffers.hpp"

#include "base/limits.hpp"
#include "format/logfile_header.hpp"
#include "host/clock.hpp"
#include "host/process.hpp"
#include "session/buffers/buffer_pool.hpp"
#include "session/buffers/buffer_words.hpp"
#include "session/buffers/waiting.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace etl::session {

/// SessionClock: time stamps of a session. They never go back, not even where the system's time
/// does: then they count on until it has come up. Any thread. docs/session-internals.md#clocks
class SessionClock {
public:
    /// A session begins; nobody else looks. With `given`, its clock is that number (plus the
    /// difference, for system time), and it is asked for by ClockType::unknown.
    void begin(format::ClockType clock, const std::atomic<std::int64_t>* given) noexcept {
        const bool is_difference_needed =
            given == nullptr || clock == format::ClockType::system_time;
        ahead_.store(is_difference_needed ? difference() : 0, std::memory_order_relaxed);
        given_ = given;
    }

    std::int64_t now(format::ClockType clock) const noexcept {
        if (clock == format::ClockType::cpu_cycles) {
            return host::cycles();
        }
        if (clock == format::ClockType::unknown) [[unlikely]] {
            return given_->load(std::memory_order_relaxed) + ahead_.load(std::memory_order_relaxed);
        }
        const std::int64_t ticks = host::monotonic_ticks();
        return clock == format::ClockType::system_time
                   ? ticks + ahead_.load(std::memory_order_relaxed)
                   : ticks;
    }

    /// Follows a system time that was put forward. Now and then.
    void follow() noexcept {
        constexpr std::int64_t slack = 10'000; // 1 ms: corrections that are no more than this
        const std::int64_t ahead = difference();
        std::int64_t known = ahead_.load(std::memory_order_relaxed);
        while (ahead > known + slack && !ahead_.compare_exchange_weak(known, ahead)) {
        }
    }

private:
    /// Of the two clocks at one moment, as close as some tries bring them.
    static std::int64_t difference() noexcept {
        constexpr std::int64_t close = 10; // 1 us
        constexpr int tries = 5;
        std::int64_t best = 0;
        std::int64_t min = INT64_MAX;
        for (int i = 0; i < tries && min > close; ++i) {
            const std::int64_t before = host::monotonic_ticks();
            const std::int64_t time = host::system_time().ticks;
            const std::int64_t took = host::monotonic_ticks() - before;
            if (took < min) {
                min = took;
                best = time - before - took / 2;
            }
        }
        return best;
    }

    std::atomic<std::int64_t> ahead_{0}; // of the monotonic clock
    const std::atomic<std::int64_t>* given_ = nullptr;
};

// Buffers::State: stripes with their words, and the buffers that they stand for. First what
// controllers and the logger call, then what writers call, then the snapshot of a ring.

inline constexpr std::size_t apart = 128; // bytes: two cache lines, for they are fetched in pairs

struct alignas(apart) Stripe { // in cache lines that no other stripe's writers touch
    std::atomic<std::uint64_t> word{0};
    std::atomic<std::uint64_t> lost{0};
    std::atomic<std::uint32_t> fetching{0}; // threads that have a free buffer for it, or look
};

/// Stripes stay where they are for ever: someone may hold a ticket from long ago.
struct Stripes {
    explicit Stripes(std::uint16_t count) : capacity(count), at(new Stripe[count]) {}

    std::uint16_t capacity;
    std::atomic<std::uint16_t> used{0};
    std::unique_ptr<Stripe[]> at;

    std::uint16_t index(std::uint16_t processor) const noexcept {
        const std::uint16_t count = used.load(std::memory_order_relaxed);
        if (processor < count) [[likely]] {
            return processor;
        }
        return count == 0 ? std::uint16_t{0} : static_cast<std::uint16_t>(processor % count);
    }
};

struct Buffers::State {
    // Read by writers with any ticket.
    std::atomic<Stripes*> stripes{nullptr};
    std::atomic<std::uint64_t> geometry{0};
    std::atomic<std::uint32_t> logger_thread{0}; // its id
    Gate gate;
    // Counts up as buffers become free; waited for. Not beside what each reservation reads.
    alignas(apart) std::atomic<std::uint32_t> freed{0};
    // Theirs only as long as the session of their ticket runs.
    alignas(apart) BufferPool pool;
    SessionClock clock;
    alignas(apart) std::atomic<std::uint64_t> order{
        0}; // of openings and closings; never starts over
    WakeUp logger;
    // Of the logger.
    std::vector<std::unique_ptr<std::byte[]>> copies; // of buffers that were given up
    // Of controllers.
    std::vector<std::unique_ptr<Stripes>> all_stripes;
    std::uint16_t last_ticket = 0;

    Geometry shape() const noexcept { return Geometry(geometry.load(std::memory_order_relaxed)); }

    std::int64_t now(Geometry shape) const noexcept { return clock.now(shape.clock()); }

    Stripes* stripes_for(std::uint16_t count);

    Place place(std::uint32_t buffer, std::uint64_t offset, std::uint32_t size, std::int64_t time,
                std::uint16_t stripe) const noexcept;
    std::expected<Place, Refusal> reserve_slowly(std::uint16_t ticket, std::uint16_t stripe,
                                                 std::uint32_t size) noexcept;
    /// Nothing: must wait until a buffer is free.
    using Switched = std::optional<std::expected<Place, Refusal>>;
    Switched switch_buffer(std::uint16_t ticket, std::uint16_t stripe, std::uint32_t size) noexcept;
    Switched find_room(Stripe& its, std::uint16_t ticket, std::uint16_t stripe,
                       std::uint32_t size) noexcept;
    class Fresh;
    std::optional<Place> put_in(Stripe& its, std::uint64_t& word, Fresh& fresh,
                                std::uint16_t stripe, std::uint32_t size) noexcept;
    bool must_wait() const noexcept;
    /// Inside the gate, or by the logger.
    void lose(Stripe& stripe, std::uint32_t events = 1) noexcept;
    void close_buffer(Geometry shape, std::uint64_t word, std::int64_t at,
                      std::uint64_t in_order) noexcept;
    void let_go(std::uint32_t buffer) noexcept;
    std::byte* give_up(std::uint32_t number);
    void end_stripe(Stripe& stripe) noexcept;
    void close_open(Stripe& stripe) noexcept;
};

/// Units that a record takes.
constexpr std::uint64_t units_of(std::uint32_t size) noexcept {
    const std::uint64_t units = (std::uint64_t{size} + unit - 1) / unit;
    return units == 0 ? 1 : units;
}

namespace {

/// How many buffers set_maximum may ever allow.
std::uint32_t ceiling_of(const BufferPlan& plan, std::uint32_t maximum) noexcept {
    constexpr std::uint64_t much = std::uint64_t{1} << 30U;
    const std::uint64_t more = std::min(std::uint64_t{maximum} * 4, much / plan.buffer_size);
    return static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(more, maximum, Geometry::max_buffers));
}

BufferPool::Plan pool_plan(const BufferPlan& plan, std::uint16_t stripes) {
    const std::uint32_t min = stripes + 1U;
    const std::uint32_t minimum = std::clamp(plan.minimum, min, Geometry::max_buffers);
    const std::uint32_t maximum =
        plan.is_ring ? minimum : std::clamp(plan.maximum, minimum, Geometry::max_buffers);
    return {.buffer_size = plan.buffer_size,
            .minimum = minimum,
            .maximum = maximum,
            .ceiling = plan.is_ring ? minimum : ceiling_of(plan, maximum),
            .is_ring = plan.is_ring,
            .mapped_file = plan.mapped_file,
            .stripes = stripes,
            .clock = static_cast<std::uint32_t>(plan.clock),
            .patience = plan.patience};
}

} // namespace

Buffers::Buffers() : state_(std::make_unique<State>()) {}

Buffers::~Buffers() = default;

Stripes* Buffers::State::stripes_for(std::uint16_t count) {
    for (const auto& block : all_stripes) {
        if (block->capacity >= count) {
            return block.get();
        }
    }
    const auto max = static_cast<std::uint16_t>(
        std::min<std::size_t>(std::bit_ceil(std::size_t{count}), etl::limits::processors));
    all_stripes.push_back(std::make_unique<Stripes>(std::max(max, count)));
    return all_stripes.back().get();
}

Outcome<std::uint16_t> Buffers::open(const BufferPlan& plan) {
    if (plan.buffer_size <= format::buffer_header::size || plan.buffer_size % unit != 0 ||
        plan.buffer_size > etl::limits::buffer_bytes) {
        return session::refuse(Status::invalid_parameter, "size of buffers");
    }
    State& state = *state_;
    const auto count = std::clamp<std::uint16_t>(plan.stripes, 1, etl::limits::processors);
    const BufferPool::Plan pool = pool_plan(plan, count);
    state.logger_thread.store(0, std::memory_order_relaxed);
    if (auto begun = state.pool.begin(pool); !begun) {
        return std::unexpected(begun.error());
    }
    const auto clock = plan.time != nullptr ? format::ClockType::unknown : plan.clock;
    Geometry shape = Geometry::of(plan.buffer_size, pool.ceiling, clock);
    if (plan.may_wait && !plan.is_ring) {
        shape = Geometry(shape.bits() | Geometry::waits);
    }
    state.geometry.store(shape.bits(), std::memory_order_relaxed);
    state.clock.begin(plan.clock, plan.time);
    state.last_ticket = ticket_after(state.last_ticket);
    Stripes& stripes = *state.stripes_for(count);
    stripes.used.store(count, std::memory_order_relaxed);
    for (std::uint16_t i = 0; i < count; ++i) {
        stripes.at[i].lost.store(0, std::memory_order_relaxed);
        stripes.at[i].word.store(shape.first(state.last_ticket));
    }
    state.stripes.store(&stripes);
    return state.last_ticket;
}

void Buffers::close() {
    State& state = *state_;
    Stripes* const stripes = state.stripes.load();
    if (stripes == nullptr) {
        return;
    }
    const std::uint16_t used = stripes->used.load(std::memory_order_relaxed);
    for (std::uint16_t i = 0; i < used; ++i) {
        state.end_stripe(stripes->at[i]);
    }
    state.freed.fetch_add(1);
    state.freed.notify_all();
    // Those who met the ticket before, and are about to put a buffer among the full ones.
    state.gate.wait_until_left();
    BackOff wait; // one for all: so long in all
    for (std::uint32_t i = 0; i < state.pool.count(); ++i) {
        if (state.pool.is_in_use(i)) {
            state.pool.wait_until_whole(i, wait);
        }
    }
}

/// No ticket fits the word from now on; what is in the open buffer is full.
void Buffers::State::end_stripe(Stripe& stripe) noexcept {
    std::uint64_t word = stripe.word.load();
    const Geometry session = shape();
    std::uint64_t in_order = 0;
    std::int64_t time = 0;
    do { // NOLINT(cppcoreguidelines-avoid-do-while)
        in_order = order.fetch_add(1) + 1;
        time = now(session);
    } while (!stripe.word.compare_exchange_weak(word, 0));
    if (Geometry::ticket(word) != 0 && session.has_buffer(word)) {
        close_buffer(session, word, time, in_order);
    }
}

void Buffers::release() {
    state_->copies.clear();
    state_->pool.end();
}

void Buffers::tell_recovery(std::string_view log_file, Bytes header_buffer,
                            const format::LiveLosses& included) noexcept {
    state_->pool.live().tell(log_file, header_buffer, included);
}

void Buffers::tell_lost_buffers(std::uint64_t count) noexcept {
    state_->pool.live().set_lost_buffers(count);
}

void Buffers::admit(std::uint32_t max) noexcept {
    state_->pool.admit(max);
    if (max == 0) {
        state_->geometry.fetch_or(Geometry::refuses, std::memory_order_relaxed);
    } else {
        state_->geometry.fetch_and(~std::uint64_t{Geometry::refuses}, std::memory_order_relaxed);
    }
}

std::uint32_t Buffers::set_maximum(std::uint32_t maximum) noexcept {
    return state_->pool.set_maximum(maximum);
}

std::optional<ClosedBuffer> Buffers::next_closed() {
    State& state = *state_;
    if (state.pool.full() == 0) {
        return std::nullopt;
    }
    // Whoever closed a buffer before this moment has put it among the full ones then: none of its
    // stripe can come later that was closed earlier.
    const std::uint64_t limit = state.order.load() + 1;
    state.gate.wait_until_left();
    const std::uint32_t number = state.pool.take_full(limit);
    if (number == BufferPool::none) {
        return std::nullopt;
    }
    BackOff wait;
    const bool is_whole = state.pool.wait_until_whole(number, wait);
    const BufferFacts& facts = state.pool.facts(number);
    return ClosedBuffer{.memory = is_whole ? state.pool.memory(number) : state.give_up(number),
                        .used = facts.end.load(std::memory_order_relaxed),
                        .number = number,
                        .processor = facts.stripe.load(std::memory_order_relaxed),
                        .closed_at = facts.closed_at.load(std::memory_order_relaxed)};
}

void Buffers::give_back(const ClosedBuffer& closed) noexcept {
    if (std::erase_if(state_->copies,
                      [&](const auto& copy) { return copy.get() == closed.memory; }) == 0) {
        state_->let_go(closed.number);
    } else { // its writer may still come: it stays taken for ever
        state_->pool.discard();
    }
}

/// Of a buffer with a record that its writer has not finished and will not: a copy, which nobody
/// writes to. A file of live buffers forgets it, for its number gets into the copy alone.
std::byte* Buffers::State::give_up(std::uint32_t number) {
    const BufferFacts& facts = pool.facts(number);
    const std::uint16_t its = facts.stripe.load(std::memory_order_relaxed);
    lose(stripes.load()->at[its]);
    auto copy = std::make_unique_for_overwrite<std::byte[]>(pool.buffer_size());
    std::memcpy(copy.get(), pool.memory(number), facts.end.load(std::memory_order_relaxed));
    pool.live().freed(number);
    copies.push_back(std::move(copy));
    return copies.back().get();
}

std::int64_t Buffers::close_open() {
    State& state = *state_;
    if (state.shape().clock() == format::ClockType::system_time) {
        state.clock.follow();
    }
    const std::int64_t moment = now();
    if (Stripes* const stripes = state.stripes.load()) {
        const std::uint16_t used = stripes->used.load(std::memory_order_relaxed);
        for (std::uint16_t i = 0; i < used; ++i) {
            state.close_open(stripes->at[i]);
        }
    }
    state.gate.wait_until_left();
    return moment;
}

/// Whoever read the time before this and has not reserved yet has to read it again: the word is
/// another one, in any case.
void Buffers::State::close_open(Stripe& stripe) noexcept {
    std::uint64_t word = stripe.word.load();
    const Geometry session = shape();
    while (Geometry::ticket(word) != 0) {
        const std::uint64_t in_order = order.fetch_add(1) + 1;
        const std::int64_t time = now(session);
        if (stripe.word.compare_exchange_weak(word, session.without_buffer(word))) {
            if (session.has_buffer(word)) {
                close_buffer(session, word, time, in_order);
            }
            return;
        }
    }
}

void Buffers::wait(std::uint32_t threshold, std::optional<std::int64_t> milliseconds) {
    state_->logger.wait(std::max(threshold, 1U), milliseconds,
                        [this] { return state_->pool.full(); });
}

void Buffers::set_logger_thread(std::uint32_t thread_id) noexcept {
    state_->logger_thread.store(thread_id, std::memory_order_relaxed);
}

void Buffers::wake() noexcept {
    state_->logger.wake();
}

std::uint32_t Buffers::number_of_buffers() const noexcept {
    return state_->pool.count();
}

std::uint32_t Buffers::free_buffers() const noexcept {
    std::uint32_t used = state_->pool.in_use();
    const Geometry session = state_->shape();
    if (const Stripes* const stripes = state_->stripes.load()) {
        const std::uint16_t count = stripes->used.load(std::memory_order_relaxed);
        for (std::uint16_t i = 0; i < count; ++i) {
            const std::uint64_t word = stripes->at[i].word.load(std::memory_order_relaxed);
            used += Geometry::ticket(word) != 0 && session.has_buffer(word) ? 1U : 0U;
        }
    }
    const std::uint32_t all = number_of_buffers();
    return used < all ? all - used : 0; // they change while they are counted
}

std::uint32_t Buffers::available() const noexcept {
    return state_->pool.available();
}

bool Buffers::is_closed() const noexcept {
    const Stripes* const stripes = state_->stripes.load();
    return stripes == nullptr || stripes->at[0].word.load() == 0;
}

std::uint64_t Buffers::events_lost() const noexcept {
    std::uint64_t lost = 0;
    if (const Stripes* const stripes = state_->stripes.load()) {
        const std::uint16_t count = stripes->used.load(std::memory_order_relaxed);
        for (std::uint16_t i = 0; i < count; ++i) {
            lost += stripes->at[i].lost.load(std::memory_order_relaxed);
        }
    }
    return lost;
}

std::uint32_t Buffers::buffer_size() const noexcept {
    return static_cast<std::uint32_t>(state_->shape().size() * unit);
}

std::uint16_t Buffers::stripes() const noexcept {
    const Stripes* const stripes = state_->stripes.load();
    return stripes == nullptr ? std::uint16_t{0} : stripes->used.load(std::memory_order_relaxed);
}

std::int64_t Buffers::now() const noexcept {
    return state_->now(state_->shape());
}

void Buffers::forget_in_child() noexcept {
    State& state = *state_;
    for (const auto& block : state.all_stripes) {
        for (std::uint16_t i = 0; i < block->capacity; ++i) {
            block->at[i].word.store(0);
            block->at[i].lost.store(0);
            block->at[i].fetching.store(0);
        }
    }
    state.gate.forget();
    state.copies.clear();
    state.pool.forget();
    std::destroy_at(&state.logger);
    std::construct_at(&state.logger);
}

// What writers do with Buffers. docs/session-internals.md#words

namespace {

void put_first_dword(std::byte* at, std::uint32_t dword, std::memory_order order) noexcept {
    if constexpr (std::endian::native == std::endian::big) {
        dword = __builtin_bswap32(dword);
    }
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): raw memory, aligned to 8
    std::atomic_ref<std::uint32_t>(*reinterpret_cast<std::uint32_t*>(at)).store(dword, order);
}

} // namespace

std::expected<Place, Refusal> Buffers::reserve(std::uint16_t ticket, std::uint32_t size) noexcept {
    return reserve_at(ticket, host::current_processor(), size);
}

std::expected<Place, Refusal> Buffers::reserve_at(std::uint16_t ticket, std::uint16_t processor,
                                                  std::uint32_t size) noexcept {
    State& state = *state_;
    Stripes* const stripes = state.stripes.load(std::memory_order_acquire);
    if (stripes == nullptr || ticket == 0) [[unlikely]] {
        return std::unexpected(Refusal::closed);
    }
    const std::uint16_t index = stripes->index(processor);
    std::atomic<std::uint64_t>& current = stripes->at[index].word;
    const std::uint64_t units = units_of(size);
    std::uint64_t word = current.load(std::memory_order_acquire);
    for (;;) {
        if (Geometry::ticket(word) != ticket) [[unlikely]] {
            return std::unexpected(Refusal::closed);
        }
        const Geometry shape = state.shape();
        const std::uint64_t offset = shape.offset(word);
        if (offset + units > shape.size() || shape.has(Geometry::refuses)) [[unlikely]] {
            return state.reserve_slowly(ticket, index, size);
        }
        // Behind the word, before the swap, and again when it fails: so stamps ascend.
        const std::int64_t time = state.now(shape);
        if (current.compare_exchange_weak(word, word + units, std::memory_order_acq_rel,
                                          std::memory_order_acquire)) [[likely]] {
            return state.place(shape.buffer(word), offset, size, time, index);
        }
    }
}

void Buffers::commit(const Place& place, std::uint32_t first_dword) noexcept {
    put_first_dword(place.at, first_dword, std::memory_order_release);
    place.in_place->fetch_add(place.size, std::memory_order_release);
}

void Buffers::abandon(const Place& place) noexcept {
    commit(place, format::incomplete_record(place.size));
}

bool Buffers::count_lost(std::uint16_t ticket, std::uint32_t events) noexcept {
    Stripes* const stripes = state_->stripes.load(std::memory_order_acquire);
    if (stripes == nullptr || ticket == 0) {
        return false;
    }
    const Gate::Pass pass(state_->gate);
    Stripe& stripe = stripes->at[stripes->index(host::current_processor())];
    if (Geometry::ticket(stripe.word.load()) != ticket) {
        return false;
    }
    state_->lose(stripe, events);
    return true;
}

/// Also where a killed process leaves it: what its session lost must not be lost with it.
void Buffers::State::lose(Stripe& stripe, std::uint32_t events) noexcept {
    stripe.lost.fetch_add(events, std::memory_order_relaxed);
    pool.live().lose_events(events);
}

Place Buffers::State::place(std::uint32_t buffer, std::uint64_t offset, std::uint32_t size,
                            std::int64_t time, std::uint16_t stripe) const noexcept {
    const auto taken = static_cast<std::uint32_t>(units_of(size) * unit);
    std::byte* const at = pool.memory(buffer) + offset * unit;
    if (taken != size) {
        std::memset(at + taken - unit, 0, unit); // the padding; the record covers the rest
    }
    put_first_dword(at, format::incomplete_record(taken), std::memory_order_relaxed);
    return {.at = at,
            .time = time,
            .in_place = &pool.facts(buffer).in_place,
            .size = taken,
            .processor = stripe};
}

std::expected<Place, Refusal> Buffers::State::reserve_slowly(std::uint16_t ticket,
                                                             std::uint16_t stripe,
                                                             std::uint32_t size) noexcept {
    for (;;) {
        const std::uint32_t seen = freed.load();
        if (const Switched switched = switch_buffer(ticket, stripe, size)) {
            return *switched;
        }
        freed.wait(seen); // outside of the gate: the logger waits for those inside
    }
}

/// A free buffer that a thread has for a stripe, until it is put into its word.
class Buffers::State::Fresh {
public:
    Fresh(State& state, Stripe& stripe) noexcept : state_(state), stripe_(stripe) {}

    Fresh(const Fresh&) = delete;
    Fresh& operator=(const Fresh&) = delete;

    ~Fresh() {
        if (has_one()) { // another thread was faster, or the session has ended
            state_.let_go(number_);
            put_down();
        }
    }

    bool has_one() const noexcept { return number_ != BufferPool::none; }

    std::uint32_t number() const noexcept { return number_; }

    bool fetch() noexcept {
        stripe_.fetching.fetch_add(1);
        number_ = state_.pool.acquire();
        if (!has_one()) {
            put_down();
        }
        return has_one();
    }

    /// It is the stripe's.
    void put_down() noexcept {
        number_ = BufferPool::none;
        stripe_.fetching.fetch_sub(1);
    }

private:
    State& state_;
    Stripe& stripe_;
    std::uint32_t number_ = BufferPool::none;
};

Buffers::State::Switched Buffers::State::switch_buffer(std::uint16_t ticket, std::uint16_t stripe,
                                                       std::uint32_t size) noexcept {
    const Gate::Pass pass(gate);
    // The block may be an older one than that of the session: then the ticket is not in it.
    Stripes* const block = stripes.load();
    if (stripe >= block->used.load(std::memory_order_relaxed)) {
        return std::unexpected(Refusal::closed);
    }
    Stripe& its = block->at[stripe];
    if (Geometry::ticket(its.word.load()) != ticket) {
        return std::unexpected(Refusal::closed);
    }
    const Geometry session = shape(); // stays: close() waits at the gate
    if (units_of(size) > session.size() - first_unit) {
        lose(its);
        return std::unexpected(Refusal::too_large);
    }
    if (session.has(Geometry::refuses)) {
        lose(its);
        return std::unexpected(Refusal::backlog_full);
    }
    if (session.clock() == format::ClockType::system_time) {
        clock.follow();
    }
    return find_room(its, ticket, stripe, size);
}

/// Inside the gate.
Buffers::State::Switched Buffers::State::find_room(Stripe& its, std::uint16_t ticket,
                                                   std::uint16_t stripe,
                                                   std::uint32_t size) noexcept {
    // Another thread that has a free one for this stripe makes room in a moment. But it may be the
    // one that this runs above, as a signal handler.
    constexpr int max_looks = 100;
    int looks = 0;
    const Geometry session = shape();
    Fresh fresh(*this, its);
    std::uint64_t word = its.word.load();
    while (Geometry::ticket(word) == ticket) {
        const bool has_room = session.offset(word) + units_of(size) <= session.size();
        if (!has_room && !fresh.has_one() && !fresh.fetch()) {
            if (its.fetching.load() != 0 && looks++ < max_looks) {
                std::this_thread::yield();
                word = its.word.load();
                continue;
            }
            if (!session.has_buffer(word)) {
                if (pool.is_at_limit()) {
                    lose(its);
                    return std::unexpected(Refusal::backlog_full);
                }
                logger.wake(); // there may be less full ones than it waits for
                if (must_wait()) {
                    return std::nullopt;
                }
                lose(its);
                return std::unexpected(Refusal::no_buffer);
            }
        }
        if (const auto found = put_in(its, word, fresh, stripe, size)) {
            return *found;
        }
    }
    return std::unexpected(Refusal::closed);
}

bool Buffers::State::must_wait() const noexcept {
    return shape().has(Geometry::waits) &&
           host::thread_id() != logger_thread.load(std::memory_order_relaxed);
}

/// One try: room in the open buffer if there is, else in `fresh` in its place; without a fresh one
/// the open one is closed all the same. Nothing, and `word` as it is now: try again.
std::optional<Place> Buffers::State::put_in(Stripe& its, std::uint64_t& word, Fresh& fresh,
                                            std::uint16_t stripe, std::uint32_t size) noexcept {
    const Geometry session = shape();
    const std::uint64_t units = units_of(size);
    const std::uint64_t offset = session.offset(word);
    if (offset + units <= session.size()) {
        const std::int64_t time = now(session);
        if (its.word.compare_exchange_strong(word, word + units)) {
            return place(session.buffer(word), offset, size, time, stripe);
        }
        return std::nullopt;
    }
    // Behind the word, as the time stamp: so both ascend from one buffer of a stripe to the next.
    const std::uint64_t in_order = order.fetch_add(1) + 1;
    const std::uint32_t number = fresh.number();
    const bool has_fresh = fresh.has_one();
    std::uint64_t next = session.without_buffer(word);
    if (has_fresh) {
        pool.prepare(number, stripe, in_order);
        next = session.with_buffer(word, number, first_unit + units);
    }
    const std::int64_t time = now(session);
    if (!its.word.compare_exchange_strong(word, next)) {
        return std::nullopt;
    }
    if (has_fresh) {
        fresh.put_down();
    }
    if (session.has_buffer(word)) {
        close_buffer(session, word, time, in_order);
    }
    word = next;
    return has_fresh ? std::optional(place(number, first_unit, size, time, stripe)) : std::nullopt;
}

/// A free one again, and who waits for that hears of it.
void Buffers::State::let_go(std::uint32_t buffer) noexcept {
    pool.release(buffer);
    freed.fetch_add(1);
    freed.notify_all(); // no system call where nobody waits
}

/// Of a word that is no more.
void Buffers::State::close_buffer(Geometry session, std::uint64_t word, std::int64_t at,
                                  std::uint64_t in_order) noexcept {
    const auto end = static_cast<std::uint32_t>(session.offset(word) * unit);
    logger.tell(pool.mark_full(session.buffer(word), end, at, in_order));
}

// The snapshot of a ring. docs/session-internals.md#ring

namespace {

struct Full {
    std::uint64_t order = 0;
    std::uint32_t number = 0;

    friend auto operator<=>(const Full&, const Full&) = default;
};

struct Open {
    std::uint64_t word = 0;
    std::uint64_t opened = 0; // by that it is known when it was closed, and opened again
    std::uint16_t stripe = 0;
};

class Snapshot {
public:
    Snapshot(Buffers::State& state, const std::function<void(const ClosedBuffer&)>& take)
        : state_(state), take_(take),
          copy_(std::make_unique<std::byte[]>(state.pool.buffer_size())) {}

    void run() {
        find_open();
        state_.gate.wait_until_left(); // those that were closed before are full ones after it
        find_full();
        for (const Full& full : full_) {
            give_full(full);
        }
        for (const Open& open : open_) {
            give_open(open);
        }
    }

private:
    void find_open() {
        const Stripes* const stripes = state_.stripes.load();
        if (stripes == nullptr) {
            return;
        }
        const Geometry session = state_.shape();
        for (std::uint16_t i = 0; i < stripes->used.load(std::memory_order_relaxed); ++i) {
            const std::uint64_t word = stripes->at[i].word.load();
            if (Geometry::ticket(word) == 0 || !session.has_buffer(word)) {
                continue;
            }
            const BufferFacts& facts = state_.pool.facts(session.buffer(word));
            // Before the second look at the word.
            const std::uint64_t opened = facts.opened.load(std::memory_order_acquire);
            if (session.is_same_round(stripes->at[i].word.load(), word)) {
                open_.push_back({word, opened, i}); // else it is a full one by now
            }
        }
    }

    void find_full() {
        for (std::uint32_t i = 0; i < state_.pool.count(); ++i) {
            if (const std::uint64_t order = state_.pool.closing_order(i);
                order != BufferPool::open_order) {
                full_.push_back({order, i});
            }
        }
        std::ranges::sort(full_);
    }

    void give_full(const Full& full) {
        if (!state_.pool.pin(full.number, full.order)) {
            return; // overwritten meanwhile: no longer what the ring holds
        }
        give_pinned_full(full.number);
    }

    void give_pinned_full(std::uint32_t number) {
        BackOff wait;
        static_cast<void>(state_.pool.wait_until_whole(number, wait)); // else as it is
        const BufferFacts& facts = state_.pool.facts(number);
        give_pinned(number, facts.end.load(std::memory_order_relaxed),
                    facts.closed_at.load(std::memory_order_relaxed),
                    facts.stripe.load(std::memory_order_relaxed));
    }

    /// Takes a copy and lets the ring go on before it is given away.
    void give_pinned(std::uint32_t number, std::uint32_t used, std::int64_t closed_at,
                     std::uint16_t stripe) {
        std::memcpy(copy_.get(), state_.pool.memory(number), used);
        state_.pool.unpin(number);
        take_({.memory = copy_.get(),
               .used = used,
               .number = number,
               .processor = stripe,
               .closed_at = closed_at});
    }

    void give_open(const Open& open) {
        const Geometry session = state_.shape();
        const std::uint32_t number = session.buffer(open.word);
        if (std::ranges::any_of(full_, [&](const Full& f) { return f.number == number; })) {
            return;
        }
        if (state_.pool.pin(number, BufferPool::open_order)) {
            if (give_while_open(open, number)) {
                return;
            }
            state_.pool.unpin(number);
        }
        state_.gate.wait_until_left(); // who closed it has put it among the full ones
        const std::uint64_t order = state_.pool.closing_order(number);
        if (order == BufferPool::open_order || !state_.pool.pin(number, order)) {
            return;
        }
        const BufferFacts& facts = state_.pool.facts(number);
        if (facts.opened.load(std::memory_order_relaxed) == open.opened) {
            give_pinned_full(number);
        } else {
            state_.pool.unpin(number); // that was overwritten, this is newer
        }
    }

    /// What is in place of a buffer that stays open. False: it was closed meanwhile, or is written
    /// to so much that there is no quiet moment; then it was closed now.
    bool give_while_open(const Open& open, std::uint32_t number) {
        const Geometry session = state_.shape();
        Stripe& stripe = state_.stripes.load()->at[open.stripe];
        constexpr int tries = 200;
        for (int i = 0; i < tries; ++i) {
            const std::uint64_t word = stripe.word.load();
            if (!session.is_same_round(word, open.word)) {
                return false;
            }
            const std::int64_t time = state_.now(session);
            const auto used = static_cast<std::uint32_t>(session.offset(word) * unit);
            const std::uint32_t in_place =
                state_.pool.facts(number).in_place.load(std::memory_order_acquire);
            // No record was begun between the two looks at the word: so the sum is that of these.
            if (in_place + format::buffer_header::size == used && stripe.word.load() == word) {
                give_pinned(number, used, time, open.stripe);
                return true;
            }
            std::this_thread::yield();
        }
        state_.close_open(stripe);
        return false;
    }

    Buffers::State& state_;
    const std::function<void(const ClosedBuffer&)>& take_;
    std::unique_ptr<std::byte[]> copy_;
    std::vector<Open> open_;
    std::vector<Full> full_;
};

} // namespace

void Buffers::for_each_in_ring(const std::function<void(const ClosedBuffer&)>& take) {
    if (state_->pool.count() != 0) {
        Snapshot(*state_, take).run();
    }
}

} // namespace etl::session
