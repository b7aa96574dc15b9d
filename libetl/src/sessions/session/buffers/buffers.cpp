#include "session/buffers/buffers.hpp"

#include "base/limits.hpp"
#include "session/buffers/buffers_state.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

namespace etl::session {

namespace {

/// How many buffers set_maximum may ever allow.
std::uint32_t ceiling_of(const BufferPlan& plan, std::uint32_t maximum) noexcept {
    constexpr std::uint64_t much = std::uint64_t{1} << 30U;
    const std::uint64_t more = std::min(std::uint64_t{maximum} * 4, much / plan.buffer_size);
    return static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(more, maximum, Geometry::most_buffers));
}

BufferPool::Plan pool_plan(const BufferPlan& plan, std::uint16_t stripes) {
    const std::uint32_t least = stripes + 1U;
    const std::uint32_t minimum = std::clamp(plan.minimum, least, Geometry::most_buffers);
    const std::uint32_t maximum =
        plan.is_ring ? minimum : std::clamp(plan.maximum, minimum, Geometry::most_buffers);
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
    const auto most = static_cast<std::uint16_t>(
        std::min<std::size_t>(std::bit_ceil(std::size_t{count}), limits::processors));
    all_stripes.push_back(std::make_unique<Stripes>(std::max(most, count)));
    return all_stripes.back().get();
}

Outcome<std::uint16_t> Buffers::open(const BufferPlan& plan) {
    if (plan.buffer_size <= format::buffer_header::size || plan.buffer_size % unit != 0 ||
        plan.buffer_size > limits::buffer_bytes) {
        return session::refuse(Status::invalid_parameter, "size of buffers");
    }
    State& state = *state_;
    const auto count = std::clamp<std::uint16_t>(plan.stripes, 1, limits::processors);
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

void Buffers::admit(std::uint32_t most) noexcept {
    state_->pool.admit(most);
    if (most == 0) {
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

} // namespace etl::session
