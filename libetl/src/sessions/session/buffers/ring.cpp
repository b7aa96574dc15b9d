// The snapshot of a ring. docs/session-internals.md#ring
#include "session/buffers/buffers_state.hpp"

#include <algorithm>
#include <cstring>
#include <thread>
#include <vector>

namespace etl::session {

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
