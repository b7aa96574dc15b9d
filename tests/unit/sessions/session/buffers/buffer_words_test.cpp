#include "session/buffers/buffer_words.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace etl::session::buffer_words_test {
namespace {

constexpr auto qpc = format::ClockType::qpc;

TEST(Geometry, TellsWhatItIsMadeOf) {
    for (const std::uint32_t size : {80U, 1024U, 65536U, 16U << 20U}) {
        for (const std::uint32_t count : {2U, 3U, 64U, 65535U}) {
            const auto shape = Geometry::of(size, count, format::ClockType::system_time);
            EXPECT_EQ(shape.size(), size / unit);
            EXPECT_EQ(shape.clock(), format::ClockType::system_time);
            EXPECT_FALSE(shape.has(Geometry::refuses));
            EXPECT_TRUE(Geometry(shape.bits() | Geometry::refuses).has(Geometry::refuses));
            EXPECT_EQ(Geometry(shape.bits() | Geometry::refuses).size(), size / unit);

            const std::uint64_t none = shape.first(0xFFFF);
            EXPECT_EQ(Geometry::ticket(none), 0xFFFF);
            EXPECT_FALSE(shape.has_buffer(none));
            EXPECT_GT(shape.offset(none) + 1, shape.size());

            const std::uint64_t empty = shape.with_buffer(none, count - 1, first_unit);
            EXPECT_EQ(Geometry::ticket(empty), 0xFFFF);
            EXPECT_TRUE(shape.has_buffer(empty));
            EXPECT_EQ(shape.buffer(empty), count - 1);
            const std::uint64_t full = empty + (shape.size() - first_unit);
            EXPECT_EQ(shape.offset(full), shape.size());
            EXPECT_EQ(shape.buffer(full), count - 1);
            EXPECT_TRUE(shape.is_same_round(empty, full));
        }
    }
}

TEST(Geometry, RoundsAreTellableApartForLong) {
    const auto shape = Geometry::of(16U << 20U, 65535, qpc); // leaves the fewest bits
    const std::uint64_t first = shape.with_buffer(shape.first(7), 5, first_unit);
    std::uint64_t word = first;
    // 16 + 22 bits of size and 16 of numbers leave 10; such plans have not got so much memory.
    for (int i = 1; i < 1 << 10; ++i) {
        word = shape.with_buffer(word, 5, first_unit);
        ASSERT_NE(word, first);
        ASSERT_EQ(Geometry::ticket(word), 7);
        ASSERT_EQ(shape.buffer(word), 5U);
        ASSERT_EQ(shape.offset(word), first_unit);
    }
    EXPECT_EQ(shape.with_buffer(word, 5, first_unit), first); // round
    const auto common = Geometry::of(64U << 10U, 1000, qpc);
    const std::uint64_t start = common.with_buffer(common.first(7), 5, first_unit);
    std::uint64_t other = start;
    for (int i = 1; i < 1 << 16; ++i) {
        other = common.with_buffer(other, 5, first_unit);
        ASSERT_NE(other, start);
    }
}

TEST(Tickets, GoRoundWithoutZero) {
    EXPECT_EQ(ticket_after(0), 1);
    EXPECT_EQ(ticket_after(1), 2);
    EXPECT_EQ(ticket_after(0xFFFF), 1);
}

// Every order in which the steps of some threads can come, each step being one access to the word
// or one look at the clock: the algorithm of Buffers on one stripe with the words themselves.

struct Record {
    std::uint64_t buffer_life = 0; // which opening of a buffer
    std::int64_t time = 0;
};

struct Closed {
    std::uint64_t life = 0;
    std::int64_t at = 0;
};

struct World {
    std::uint64_t word = 0;
    std::int64_t clock = 0;
    std::uint64_t lives = 0; // of buffers; numbers come again
    std::uint64_t life = 0;  // of the open one
    std::vector<Record> records;
    std::vector<Closed> closed;
    std::optional<std::int64_t> moment; // that close_open has returned
    bool is_wrong = false;
};

const Geometry tiny = Geometry::of(8 * (first_unit + 2), 3, qpc); // two records of a unit each

class Thread {
public:
    enum class Kind : std::uint8_t { writer, closer };

    Thread(Kind kind, int times) : kind_(kind), left_(times) {}

    bool is_done() const { return left_ == 0; }

    void step(World& world) {
        switch (at_) {
        case At::start:
            moment_ = ++world.clock;
            at_ = kind_ == Kind::closer ? At::look : At::time;
            if (kind_ == Kind::writer) {
                word_ = world.word;
            }
            break;
        case At::look:
            word_ = world.word;
            at_ = At::time;
            break;
        case At::time:
            time_ = ++world.clock;
            at_ = At::swap;
            break;
        case At::swap:
            swap(world);
            break;
        }
    }

private:
    enum class At : std::uint8_t { start, look, time, swap };

    void swap(World& world) {
        if (world.word != word_) {
            word_ = world.word;
            at_ = At::time;
            return;
        }
        if (kind_ == Kind::closer) {
            if (tiny.has_buffer(word_)) {
                world.closed.push_back({world.life, time_});
            }
            world.word = tiny.without_buffer(word_);
            world.moment = moment_;
        } else {
            reserve(world);
        }
        at_ = At::start;
        --left_;
    }

    void reserve(World& world) {
        if (tiny.offset(word_) + 1 <= tiny.size()) {
            world.word = word_ + 1;
        } else {
            if (tiny.has_buffer(word_)) {
                world.closed.push_back({world.life, time_});
            }
            world.life = ++world.lives;
            world.word =
                tiny.with_buffer(word_, static_cast<std::uint32_t>(world.life % 2), first_unit + 1);
        }
        check(world);
        world.records.push_back({world.life, time_});
    }

    void check(World& world) {
        const bool is_early = !world.records.empty() && time_ < world.records.back().time;
        const bool is_before_moment = world.moment && time_ < *world.moment;
        const bool is_before_closing = !world.closed.empty() && time_ < world.closed.back().at;
        world.is_wrong = world.is_wrong || is_early || is_before_moment || is_before_closing;
        for (const Closed& closed : world.closed) {
            for (const Record& record : world.records) {
                world.is_wrong = world.is_wrong ||
                                 (record.buffer_life == closed.life && record.time > closed.at);
            }
        }
    }

    Kind kind_;
    int left_;
    At at_ = At::start;
    std::uint64_t word_ = 0;
    std::int64_t time_ = 0, moment_ = 0;
};

/// How many orders there are; stops at the first that goes wrong.
std::uint64_t try_all(const World& world, const std::vector<Thread>& threads) {
    if (world.is_wrong) {
        return 0;
    }
    std::uint64_t orders = 0;
    bool is_done = true;
    for (std::size_t i = 0; i < threads.size(); ++i) {
        if (threads[i].is_done()) {
            continue;
        }
        is_done = false;
        World next = world;
        std::vector<Thread> there = threads;
        there[i].step(next);
        const std::uint64_t found = try_all(next, there);
        if (found == 0) {
            return 0;
        }
        orders += found;
    }
    return is_done ? 1 : orders;
}

World begin() {
    World world;
    world.word = tiny.first(1);
    return world;
}

TEST(Interleavings, OfThreeWritersKeepStampsInOrder) {
    const Thread writer(Thread::Kind::writer, 1);
    EXPECT_GT(try_all(begin(), {writer, writer, writer}), 1000U);
}

TEST(Interleavings, OfWritersThatSwitchBuffersKeepStampsInOrder) {
    EXPECT_GT(try_all(begin(), {Thread(Thread::Kind::writer, 2), Thread(Thread::Kind::writer, 2)}),
              500U);
}

TEST(Interleavings, OfAWriterAndWhoClosesPartBeforeAndAfter) {
    EXPECT_GT(try_all(begin(), {Thread(Thread::Kind::writer, 3), Thread(Thread::Kind::closer, 1)}),
              100U);
    EXPECT_GT(try_all(begin(), {Thread(Thread::Kind::writer, 1), Thread(Thread::Kind::writer, 1),
                                Thread(Thread::Kind::closer, 1)}),
              1000U);
}

} // namespace
} // namespace etl::session::buffer_words_test
