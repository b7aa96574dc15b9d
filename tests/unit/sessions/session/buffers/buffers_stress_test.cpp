// Buffers under threads: more writers than processors, sessions that come and go, a logger that
// closes buffers all the while. Nothing here depends on timing; ETL_STRESS_SECONDS=60 for long
// runs.
#include "base/layout.hpp"
#include "session/buffers/buffers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <random>
#include <thread>
#include <vector>

namespace etl::session::buffers_stress_test {
namespace {

constexpr std::uint32_t header = format::buffer_header::size;
constexpr std::uint32_t min = 32; // of a record of these tests
constexpr unsigned writers = 6;

/// Small numbers, the same in each run.
class Random {
public:
    explicit Random(std::uint32_t seed) : engine_(seed) {}

    std::uint32_t operator()() { return static_cast<std::uint32_t>(engine_()); }

private:
    std::minstd_rand engine_;
};

double seconds(double otherwise) {
    const char* const text = std::getenv("ETL_STRESS_SECONDS");
    return text == nullptr ? otherwise : std::strtod(text, nullptr);
}

/// A record: marker and size, writer, number, time, then bytes that follow from these.
void fill(const Place& place, std::uint32_t size, std::uint32_t writer, std::uint64_t number) {
    store_le(place.at + 4, writer);
    store_le(place.at + 8, number);
    store_le(place.at + 16, place.time);
    std::memset(place.at + 24, static_cast<int>((writer + number) & 0x7FU), size - 24);
}

constexpr std::uint32_t marker = 0xC0130000; // as EVENT64

/// What a logger finds of a session, and whether it is right.
class Checker {
public:
    struct Seen {
        std::uint64_t records = 0, abandoned = 0;
    };

    void check(const ClosedBuffer& view) {
        Stripe& stripe = stripes_[view.processor];
        ASSERT_GT(view.used, header);
        ASSERT_EQ(view.used % 8, 0U);
        for (std::uint32_t at = header; at < view.used;) {
            const auto first = load_le<std::uint32_t>(view.memory + at);
            const std::uint32_t size = first & 0xFFFFU;
            ASSERT_GE(size, 8U);
            ASSERT_LE(at + size, view.used);
            if ((first & 0xFFFF0000U) == marker) {
                check_record(stripe, view, at, size);
            } else {
                ASSERT_EQ(first & 0xFFFF0000U, 0xC00D0000U);
                ++seen_.abandoned;
            }
            at += (size + 7U) & ~7U;
        }
        EXPECT_GE(view.closed_at, stripe.time);
        stripe.time = std::max(stripe.time, view.closed_at);
    }

    /// Everything from before `moment` was taken.
    void advance(std::int64_t moment) { moment_ = std::max(moment_, moment); }

    const Seen& seen() const { return seen_; }

private:
    struct Stripe {
        std::int64_t time = 0; // of its last record, or when its last buffer was closed
    };

    void check_record(Stripe& stripe, const ClosedBuffer& view, std::uint32_t at,
                      std::uint32_t size) {
        const std::byte* const record = view.memory + at;
        const auto writer = load_le<std::uint32_t>(record + 4);
        const auto number = load_le<std::uint64_t>(record + 8);
        const auto time = load_le<std::int64_t>(record + 16);
        ++seen_.records;
        EXPECT_GE(time, stripe.time) << "stripe " << view.processor;
        EXPECT_GE(time, moment_);
        stripe.time = std::max(stripe.time, time);
        const auto fills = static_cast<std::byte>((writer + number) & 0x7FU);
        EXPECT_TRUE(
            std::all_of(record + 24, record + size, [&](std::byte b) { return b == fills; }));
        const std::uint32_t padding = (8U - size % 8U) % 8U;
        EXPECT_TRUE(std::all_of(record + size, record + size + padding,
                                [](std::byte b) { return b == std::byte{0}; }));
        EXPECT_TRUE(numbers_.emplace(std::pair(writer, number), true).second) << "came twice";
    }

    std::map<std::uint16_t, Stripe> stripes_;
    std::map<std::pair<std::uint32_t, std::uint64_t>, bool> numbers_;
    std::int64_t moment_ = 0;
    Seen seen_;
};

/// One session after the other on the same buffers, written to by threads that do not know.
class Stress {
public:
    explicit Stress(BufferPlan plan) : plan_(std::move(plan)) {}

    template <typename Session>
    void run(double for_seconds, Session session) {
        std::vector<std::thread> threads;
        for (std::uint32_t i = 0; i < writers; ++i) {
            threads.emplace_back([this, i] { write(i); });
        }
        const auto end =
            std::chrono::steady_clock::now() + std::chrono::duration<double>(for_seconds);
        do {
            one_session(session);
        } while (std::chrono::steady_clock::now() < end && !testing::Test::HasFailure());
        ends_.store(true);
        for (std::thread& thread : threads) {
            thread.join();
        }
    }

    Buffers& buffers() { return buffers_; }

    /// Of the session that runs.
    std::uint64_t attempted() const { return attempted_.load(); }

private:
    template <typename Session>
    void one_session(Session& session) {
        const auto ticket = buffers_.open(plan_);
        ASSERT_TRUE(ticket) << describe(ticket.error());
        attempted_.store(0);
        committed_.store(0);
        abandoned_.store(0);
        refused_.store(0);
        ticket_.store(*ticket);
        const Checker::Seen seen = session(*this);
        // Writers count for a session what they do between in and out: all of it is over then.
        ticket_.store(0);
        for (std::atomic<std::uint16_t>& uses : uses_) {
            while (uses.load() == *ticket) {
                std::this_thread::yield();
            }
        }
        if (!plan_.is_ring) {
            EXPECT_EQ(seen.records, committed_.load());
            EXPECT_EQ(seen.abandoned, abandoned_.load());
        }
        EXPECT_EQ(buffers_.events_lost(), refused_.load());
        EXPECT_EQ(attempted_.load(),
                  committed_.load() + abandoned_.load() + refused_.load() + late_.exchange(0));
        buffers_.release();
        written_ += committed_.load();
    }

    void write(std::uint32_t writer) {
        Random random(writer + 1);
        std::uint64_t number = 0;
        while (!ends_.load()) {
            const std::uint16_t ticket = ticket_.load();
            uses_[writer].store(ticket);
            if (ticket == 0 || ticket_.load() != ticket) {
                uses_[writer].store(0);
                std::this_thread::yield();
                continue;
            }
            for (int i = 0; i < 50; ++i) {
                write_one(random, ticket, writer, ++number);
            }
            uses_[writer].store(0);
        }
    }

    void write_one(Random& random, std::uint16_t ticket, std::uint32_t writer,
                   std::uint64_t number) {
        const bool is_huge = random() % 64 == 0;
        const std::uint32_t size =
            is_huge ? plan_.buffer_size - header - (random() % 2) * 8 + (random() % 2) * 8
                    : min + random() % 100;
        attempted_.fetch_add(1);
        const auto place =
            random() % 2 == 0
                ? buffers_.reserve(ticket, size)
                : buffers_.reserve_at(ticket, static_cast<std::uint16_t>(random() % 16), size);
        if (!place) {
            (place.error() == Refusal::closed ? late_ : refused_).fetch_add(1);
            return;
        }
        fill(*place, size, writer, number);
        if (random() % 32 == 0) {
            std::this_thread::yield(); // others go on while this one is not in place
        }
        if (random() % 32 == 0) {
            buffers_.abandon(*place);
            abandoned_.fetch_add(1);
        } else {
            buffers_.commit(*place, marker | size);
            committed_.fetch_add(1);
        }
    }

    BufferPlan plan_;
    Buffers buffers_;
    std::atomic<std::uint16_t> ticket_{0};
    std::array<std::atomic<std::uint16_t>, writers> uses_{};
    std::atomic<std::uint64_t> attempted_{0}, committed_{0}, abandoned_{0}, refused_{0}, late_{0};
    std::uint64_t written_ = 0;
    std::atomic<bool> ends_{false};
};

void drain(Buffers& buffers, Checker& checker) {
    while (const auto view = buffers.next_closed()) {
        checker.check(*view);
        buffers.give_back(*view);
    }
}

/// A logger that now and then closes what is open, until enough was tried; then the session ends,
/// while its logger still works.
Checker::Seen logged_session(Stress& stress) {
    Buffers& buffers = stress.buffers();
    Checker checker;
    std::atomic<bool> stops{false};
    std::thread logger([&] {
        Random random(7);
        while (!stops.load()) {
            buffers.wait(1 + random() % 3, std::int64_t{1});
            if (random() % 3 == 0) {
                const std::int64_t moment = buffers.close_open();
                drain(buffers, checker);
                checker.advance(moment);
            } else {
                drain(buffers, checker);
            }
        }
        drain(buffers, checker);
    });
    while (stress.attempted() < 5'000) {
        buffers.wake();
        std::this_thread::yield();
    }
    buffers.close();
    stops.store(true);
    buffers.wake();
    logger.join();
    EXPECT_EQ(buffers.free_buffers(), buffers.number_of_buffers());
    return checker.seen();
}

TEST(BuffersStress, EveryEventIsSeenOrCountedAsLost) {
    Stress stress({.buffer_size = 1024, .minimum = 8, .maximum = 12, .stripes = 4});
    stress.run(seconds(0.4), logged_session);
}

TEST(BuffersStress, OneStripeForAllAndHardlyABuffer) {
    Stress stress({.buffer_size = 1024,
                   .minimum = 2,
                   .maximum = 2,
                   .stripes = 1,
                   .clock = format::ClockType::system_time});
    stress.run(seconds(0.3), logged_session);
}

TEST(BuffersStress, WritersThatWaitLoseNothing) {
    Stress stress({.buffer_size = 1024,
                   .minimum = 3,
                   .maximum = 3,
                   .stripes = 2,
                   .clock = format::ClockType::cpu_cycles,
                   .may_wait = true});
    stress.run(seconds(0.3), [](Stress& running) {
        const Checker::Seen seen = logged_session(running);
        // Too large ones are lost all the same.
        return seen;
    });
}

TEST(BuffersStress, ARingIsCopiedWhileItTurns) {
    Stress stress({.buffer_size = 1024, .minimum = 8, .maximum = 8, .stripes = 2, .is_ring = true});
    stress.run(seconds(0.4), [](Stress& running) {
        Buffers& buffers = running.buffers();
        const auto look = [&](std::int64_t moment) {
            Checker checker; // each copy by itself: in order, whole, nothing twice
            static_cast<void>(moment);
            buffers.for_each_in_ring([&](const ClosedBuffer& view) { checker.check(view); });
            return checker.seen();
        };
        while (running.attempted() < 5'000) {
            look(0);
        }
        buffers.close();
        const Checker::Seen first = look(0);
        const Checker::Seen second = look(0);
        EXPECT_EQ(first.records, second.records); // copied, not taken
        EXPECT_GT(first.records, 0U);
        return first;
    });
}

} // namespace
} // namespace etl::session::buffers_stress_test
