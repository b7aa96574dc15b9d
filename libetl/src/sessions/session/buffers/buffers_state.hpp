// Buffers::State: stripes with their words, and what stands behind them. buffers.cpp has what
// controllers and the logger do, reserve.cpp what writers do, ring.cpp the snapshot of a ring.
#pragma once

#include "session/buffers/buffer_pool.hpp"
#include "session/buffers/buffer_words.hpp"
#include "session/buffers/buffers.hpp"
#include "session/buffers/gate.hpp"
#include "session/buffers/session_clock.hpp"
#include "session/buffers/wake_up.hpp"

#include <atomic>
#include <memory>
#include <vector>

namespace etl::session {

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

} // namespace etl::session
