// What writers do with Buffers. docs/session-internals.md#words
#include "host/process.hpp"
#include "session/buffers/buffers_state.hpp"

#include <atomic>
#include <cstring>
#include <thread>
#include <utility>

namespace etl::session {

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
    constexpr int most_looks = 100;
    int looks = 0;
    const Geometry session = shape();
    Fresh fresh(*this, its);
    std::uint64_t word = its.word.load();
    while (Geometry::ticket(word) == ticket) {
        const bool has_room = session.offset(word) + units_of(size) <= session.size();
        if (!has_room && !fresh.has_one() && !fresh.fetch()) {
            if (its.fetching.load() != 0 && looks++ < most_looks) {
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

} // namespace etl::session
