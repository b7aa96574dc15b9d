#include "tests/support/sanitizers.hpp"
#include "tests/unit/sessions/link/shared_ring.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace etl::link::test::ring_test {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::int64_t no_time() {
    return 0;
}

RingPlace put(RingWriter& writer, std::uint32_t number, std::size_t size = 16) {
    const auto place = writer.reserve(size, 7, no_time);
    std::memset(place->at, 0xEE, size);
    std::memcpy(place->at, &number, sizeof number);
    return *place;
}

TEST(RingTest, ReturnsRecordsInOrder) {
    SharedRing ring;
    RingWriter writer = ring.writer();
    RingReader reader = ring.reader();
    for (std::uint32_t i = 1; i <= 3; ++i) {
        RingWriter::commit(put(writer, i));
    }
    const Seen seen = look_at(reader, Unfinished::wait);
    EXPECT_THAT(seen.numbers, ElementsAre(1, 2, 3));
    EXPECT_TRUE(seen.look.is_complete);
    EXPECT_THAT(look_at(reader, Unfinished::wait).numbers, IsEmpty());
}

TEST(RingTest, RefusesWhatDoesNotFit) {
    SharedRing ring;
    RingWriter writer = ring.writer();
    RingReader reader = ring.reader();
    constexpr std::size_t large = 0xFFF0;
    EXPECT_TRUE(writer.reserve(large, 7, no_time));
    EXPECT_TRUE(writer.reserve(large, 7, no_time));
    EXPECT_FALSE(writer.reserve(large, 7, no_time));
    EXPECT_THAT(look_at(reader, Unfinished::forget).look.given_up, ElementsAre(7, 7));
    EXPECT_TRUE(writer.reserve(large, 7, no_time));
}

TEST(RingTest, RecordsThatWrapAreReturned) {
    SharedRing ring;
    RingWriter writer = ring.writer();
    RingReader reader = ring.reader();
    for (std::uint32_t i = 1; i <= 5000; ++i) {
        RingWriter::commit(put(writer, i, 200 + i % 7));
        ASSERT_THAT(look_at(reader, Unfinished::wait).numbers, ElementsAre(i));
    }
}

TEST(RingTest, ALookCanBeDividedAndReturnsNothingThatCameAfterItsBeginning) {
    SharedRing ring;
    RingWriter writer = ring.writer();
    RingReader reader = ring.reader();
    for (std::uint32_t i = 1; i <= 5; ++i) {
        RingWriter::commit(put(writer, i));
    }
    std::vector<std::byte> copies;
    std::vector<std::uint32_t> numbers;
    const auto take = [&](const RingRecord& record) { numbers.push_back(number_in(record.bytes)); };
    reader.begin();
    RingWriter::commit(put(writer, 6));
    EXPECT_FALSE(reader.look(Unfinished::wait, {&copies, 20}, take).is_complete);
    EXPECT_THAT(numbers, ElementsAre(1, 2));
    EXPECT_TRUE(reader.look(Unfinished::wait, {&copies, 1000}, take).is_complete);
    EXPECT_THAT(numbers, ElementsAre(1, 2, 3, 4, 5));
    EXPECT_THAT(look_at(reader, Unfinished::wait).numbers, ElementsAre(6));
}

TEST(RingTest, ALargeRingThatIsEmptiedOftenUsesLittleMemory) {
    constexpr std::size_t max = 512U << 10U;
    SharedRing ring(16U << 20U);
    RingWriter writer = ring.writer();
    RingReader reader = ring.reader();
    for (std::uint32_t i = 1; i <= 40'000; ++i) {
        RingWriter::commit(put(writer, i, 1000));
        if (i % 50 == 0) {
            ASSERT_EQ(look_at(reader, Unfinished::wait).numbers.size(), 50);
        }
    }
    EXPECT_LT(ring.touched(), max);
}

TEST(RingTest, ALargeRingHoldsABurstOfItsSizeWhereverItIs) {
    SharedRing ring(1U << 20U);
    RingWriter writer = ring.writer();
    RingReader reader = ring.reader();
    for (std::uint32_t burst = 0; burst < 20; ++burst) {
        for (std::uint32_t i = 0; i < 1024; ++i) {
            const auto place = writer.reserve(1016, 7, no_time);
            ASSERT_TRUE(place) << burst << " " << i;
            RingWriter::commit(*place);
        }
        EXPECT_FALSE(writer.reserve(8, 7, no_time));
        ASSERT_EQ(look_at(reader, Unfinished::wait).numbers.size(), 1024);
        for (std::uint32_t i = 0; i < burst; ++i) {
            RingWriter::commit(put(writer, i, 5000));
            look_at(reader, Unfinished::wait);
        }
    }
}

TEST(RingTest, UnfinishedRecordsAreWaitedForThenPassed) {
    SharedRing ring;
    RingWriter writer = ring.writer();
    RingReader reader = ring.reader();
    RingWriter::commit(put(writer, 1));
    const RingPlace second = put(writer, 2);
    RingWriter::commit(put(writer, 3));
    Seen seen = look_at(reader, Unfinished::wait);
    EXPECT_THAT(seen.numbers, ElementsAre(1));
    EXPECT_FALSE(seen.look.is_complete);
    seen = look_at(reader, Unfinished::pass);
    EXPECT_THAT(seen.numbers, ElementsAre(3));
    EXPECT_TRUE(seen.look.is_complete);
    RingWriter::commit(second);
    seen = look_at(reader, Unfinished::wait);
    EXPECT_THAT(seen.late, ElementsAre(2));
    EXPECT_THAT(look_at(reader, Unfinished::wait).late, IsEmpty());
}

TEST(RingTest, SpaceOfAnUnfinishedRecordIsNotReused) {
    SharedRing ring;
    RingWriter writer = ring.writer();
    RingReader reader = ring.reader();
    const RingPlace first = put(writer, 1);
    std::size_t fitted = 0;
    while (const auto place = writer.reserve(1000, 7, no_time)) {
        std::memset(place->at, 0xEE, 1000);
        RingWriter::commit(*place);
        ++fitted;
        look_at(reader, Unfinished::pass);
    }
    EXPECT_LT(fitted, min_ring_bytes / 1000 + 1);
    RingWriter::commit(first);
    look_at(reader, Unfinished::wait);
    EXPECT_TRUE(writer.reserve(1000, 7, no_time));
}

TEST(RingTest, RecordsBehindOneThatNeverStoredItsHeadAreFound) {
    SharedRing ring;
    RingWriter writer = ring.writer();
    RingReader reader = ring.reader();
    // Two threads that were killed between the swap and the first store.
    ring.words.word = RingWord::advanced(ring.words.word, 5 + 4);
    RingWriter::commit(put(writer, 3));
    const Seen seen = look_at(reader, Unfinished::forget);
    EXPECT_THAT(seen.numbers, ElementsAre(3));
    EXPECT_THAT(seen.look.given_up, ElementsAre(0));
}

/// A writer, one step at a time.
class SteppedWriter {
public:
    SteppedWriter(SharedRing& ring, std::uint32_t number, std::uint32_t units)
        : ring_(&ring), number_(number), units_(units) {}

    static constexpr int steps = 4;

    void step() {
        std::byte* at = ring_->data() + position_ * unit;
        auto& head = *reinterpret_cast<std::atomic<std::uint64_t>*>(at); // NOLINT
        switch (done_++) {
        case 0:
            position_ = RingWord::position(ring_->words.word);
            ring_->words.word = RingWord::advanced(ring_->words.word, units_);
            break;
        case 1:
            head = RingHead{RingHead::Kind::reserved, units_, number_}.bits();
            break;
        case 2:
            // Content that looks like heads of records.
            for (std::size_t i = 1; i < units_; ++i) {
                const auto like = RingHead{RingHead::Kind::event, 2, 99}.bits();
                std::memcpy(at + i * unit, &like, sizeof like);
            }
            std::memcpy(at + unit, &number_, sizeof number_);
            break;
        case 3:
            head = RingHead{RingHead::Kind::event, units_, number_}.bits();
            break;
        default:
            break;
        }
    }

    bool is_done() const { return done_ == steps; }

private:
    SharedRing* ring_;
    std::uint32_t number_, units_;
    std::uint64_t position_ = 0;
    int done_ = 0;
};

/// Runs the steps of three writers in the given order, and looks after each as given.
void run_interleaving(const std::vector<int>& order, std::size_t looks) {
    SharedRing ring;
    RingReader reader = ring.reader();
    std::vector<SteppedWriter> writers{{ring, 1, 2}, {ring, 2, 4}, {ring, 3, 3}};
    std::vector<int> committed(4), returned(4);
    const auto look = [&](Unfinished unfinished) {
        const Seen seen = look_at(reader, unfinished);
        ASSERT_FALSE(seen.look.is_garbled);
        for (const auto& list : {seen.numbers, seen.late}) {
            for (const std::uint32_t number : list) {
                ASSERT_GE(number, 1U);
                ASSERT_LE(number, 3U);
                ++returned[number];
            }
        }
    };
    for (std::size_t i = 0; i < order.size(); ++i) {
        SteppedWriter& writer = writers[static_cast<std::size_t>(order[i])];
        writer.step();
        committed[static_cast<std::size_t>(order[i]) + 1] += writer.is_done() ? 1 : 0;
        if ((looks >> i & 1U) != 0) {
            look((looks >> order.size() & 1U) != 0 ? Unfinished::pass : Unfinished::wait);
        }
    }
    look(Unfinished::forget);
    ASSERT_EQ(returned, committed);
}

/// All orders of these steps.
void for_each_order(std::vector<int> left, std::vector<int>& order,
                    const std::function<void(const std::vector<int>&)>& run) {
    bool is_over = true;
    for (std::size_t writer = 0; writer < left.size(); ++writer) {
        if (left[writer] == 0) {
            continue;
        }
        is_over = false;
        --left[writer];
        order.push_back(static_cast<int>(writer));
        for_each_order(left, order, run);
        order.pop_back();
        ++left[writer];
    }
    if (is_over) {
        run(order);
    }
}

TEST(RingTest, EveryInterleavingReturnsEachCommittedRecordOnce) {
    // Two complete writers and one that is killed before each of its steps; looks at random.
    std::uint32_t random = 1;
    for (int killed_at = 0; killed_at <= SteppedWriter::steps; ++killed_at) {
        std::vector<int> order;
        std::uint64_t number = 0;
        for_each_order({killed_at, SteppedWriter::steps, SteppedWriter::steps}, order,
                       [&](const std::vector<int>& one) {
                           random = random * 1664525U + 1013904223U;
                           if (number++ % 11 == 0 && !testing::Test::HasFatalFailure()) {
                               run_interleaving(one, random >> 8U);
                           }
                       });
    }
}

TEST(RingTest, ThreadsLoseNothingAndKeepTheirOrder) {
    SharedRing ring;
    std::atomic<std::int64_t> clock{0};
    constexpr std::uint32_t threads = 3, each = 30'000;
    std::atomic<bool> is_over{false};
    std::vector<std::thread> writers;
    std::atomic<std::uint32_t> left{threads};
    for (std::uint32_t thread = 0; thread < threads; ++thread) {
        writers.emplace_back([&, thread] {
            RingWriter writer = ring.writer();
            for (std::uint32_t i = 0; i < each;) {
                const auto place =
                    writer.reserve(24, thread, [&] { return clock.fetch_add(1) + 1; });
                if (!place) {
                    std::this_thread::yield();
                    continue;
                }
                std::memcpy(place->at, &i, sizeof i);
                std::memcpy(place->at + 8, &place->time, 8);
                RingWriter::commit(*place);
                ++i;
            }
            is_over = --left == 0;
        });
    }
    RingReader reader = ring.reader();
    std::vector<std::uint32_t> next(threads);
    std::int64_t last = 0;
    std::vector<std::byte> copies;
    bool is_last_look = false;
    while (!is_last_look) {
        is_last_look = is_over;
        const std::int64_t before = clock;
        std::int64_t newest = 0;
        copies.clear();
        reader.begin();
        const RingLook look =
            reader.look(Unfinished::wait, {&copies}, [&](const RingRecord& record) {
                std::int64_t time = 0;
                std::memcpy(&time, record.bytes.data() + 8, 8);
                ASSERT_GT(time, last);
                last = newest = time;
                ASSERT_EQ(number_in(record.bytes), next[record.head.registration]++);
            });
        ASSERT_FALSE(look.is_garbled);
        if (look.is_complete) { // whatever comes later has a later time
            last = std::max(last, before);
        }
    }
    for (std::thread& thread : writers) {
        thread.join();
    }
    EXPECT_THAT(next, testing::Each(each));
}

TEST(RingTest, GarbageEndsAndIsReported) {
    for (std::uint32_t seed = 1; seed < 400; ++seed) {
        SharedRing ring;
        RingWriter writer = ring.writer();
        RingReader reader = ring.reader();
        RingWriter::commit(put(writer, 1));
        std::uint32_t random = seed;
        const auto next = [&] { return random = random * 1664525U + 1013904223U; };
        for (int i = 0; i < 64; ++i) {
            const std::uint64_t value = std::uint64_t{next()} << 32U | next();
            std::memcpy(ring.data() + (next() % 64) * unit, &value, sizeof value);
        }
        ring.words.word = seed % 3 == 0 ? std::uint64_t{next()} << 8U : next() % 16384;
        look_at(reader, Unfinished::pass);
        look_at(reader, Unfinished::forget);
        // An honest process could go on.
        ring.words.word = RingWord::advanced(0, RingWord::position(ring.words.consumed));
        RingWriter::commit(put(writer, 5));
        EXPECT_THAT(look_at(reader, Unfinished::wait).numbers, ElementsAre(5)) << seed;
    }
}

/// Stores one head before the other while it is searched for the first.
TEST(RingTest, AProducerCannotKeepALookBusy) {
    if (etl::test::reports_races) {
        GTEST_SKIP() << "the producer writes what the reader clears";
    }
    constexpr std::size_t size = std::size_t{16} << 20U;
    constexpr std::uint64_t all = size / unit - 1;
    SharedRing ring(size);
    RingReader reader = ring.reader();
    ring.words.word = RingWord::advanced(0, all);
    std::atomic<bool> is_over{false};
    std::atomic<std::uint64_t> left{all};
    std::thread producer([&] {
        for (std::uint64_t at = all - 1; at > 0 && !is_over; --at) {
            // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): shared memory
            reinterpret_cast<std::atomic<std::uint64_t>*>(ring.data() + at * unit)->store(1);
            left = at;
            const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(20);
            while (std::chrono::steady_clock::now() < end) {
            }
        }
    });
    while (left == all) {
        std::this_thread::yield();
    }
    look_at(reader, Unfinished::pass);
    is_over = true;
    producer.join();
    EXPECT_GT(left, all / 2) << "the look lasted as long as the producer liked";
}

} // namespace

} // namespace etl::link::test::ring_test
