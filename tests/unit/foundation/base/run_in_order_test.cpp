#include "base/run_in_order.hpp"
#include "base/task_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <vector>

namespace etl::run_in_order_test {
namespace {

/// Squares of numbers; work() only uses the batch.
struct Squares {
    struct Batch {
        unsigned number = 0;
        unsigned square = 0;
        bool flush = false;
    };

    unsigned end = 1000;
    unsigned flush_every = 0;
    unsigned fails_at = 0;
    unsigned max_under_way = 1000;
    unsigned next = 1;
    unsigned max_seen = 0;
    unsigned pauses = 0;
    std::vector<unsigned> finished;

    unsigned under_way() const { return next - 1 - static_cast<unsigned>(finished.size()); }

    bool fill(Batch& batch) {
        if (next == end) {
            return false;
        }
        batch.number = next++;
        batch.flush = flush_every != 0 && batch.number % flush_every == 0;
        max_seen = std::max(max_seen, under_way());
        return true;
    }

    void work(Batch& batch) {
        if (batch.number == fails_at) {
            throw std::runtime_error("failure");
        }
        batch.square = batch.number * batch.number;
    }

    Result<void> finish(Batch& batch) {
        finished.push_back(batch.square);
        return batch.number == 500 && end == 501 ? fail(ErrorCode::io_failure, "output")
                                                 : Result<void>{};
    }

    bool is_full() const { return under_way() >= max_under_way; }

    bool is_done() const { return false; }

    void pause() {
        EXPECT_EQ(under_way(), 0U);
        ++pauses;
    }
};

std::vector<unsigned> squares_below(unsigned end) {
    std::vector<unsigned> squares(end - 1);
    for (unsigned i = 1; i < end; ++i) {
        squares[i - 1] = i * i;
    }
    return squares;
}

TEST(RunInOrder, FinishesInOrderWithAnyNumberOfThreads) {
    for (const unsigned threads : {0U, 1U, 3U}) {
        TaskPool pool(threads);
        Squares squares;
        EXPECT_TRUE(run_in_order(pool, squares));
        EXPECT_EQ(squares.finished, squares_below(1000));
        EXPECT_LE(squares.max_seen, std::max(1U, 4 * threads));
    }
}

TEST(RunInOrder, BeginsNoBatchWhileTheStepsAreFull) {
    TaskPool pool(3);
    Squares squares;
    squares.max_under_way = 2;
    EXPECT_TRUE(run_in_order(pool, squares));
    EXPECT_EQ(squares.finished, squares_below(1000));
    EXPECT_LE(squares.max_seen, 2U);
}

TEST(RunInOrder, FinishesAllBeforeAFlush) {
    TaskPool pool(2);
    Squares squares;
    squares.flush_every = 10;
    EXPECT_TRUE(run_in_order(pool, squares));
    EXPECT_EQ(squares.pauses, 99U);
    EXPECT_EQ(squares.finished.size(), 999U);
}

TEST(RunInOrder, ReturnsTheFirstErrorAndThrowsWhatTheWorkThrew) {
    TaskPool pool(2);
    Squares failing;
    failing.end = 501;
    const auto result = run_in_order(pool, failing);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::io_failure);

    Squares throwing;
    throwing.fails_at = 100;
    EXPECT_THROW(static_cast<void>(run_in_order(pool, throwing)), std::runtime_error);
    EXPECT_EQ(throwing.finished, squares_below(100));
}

TEST(ObjectPool, LendsTheObjectUsedLast) {
    ObjectPool<int> pool;
    pool.add(std::make_unique<int>(1));
    pool.add(std::make_unique<int>(2));
    {
        const ObjectPool<int>::Lease first(pool);
        EXPECT_EQ(*first, 2);
        const ObjectPool<int>::Lease second(pool);
        EXPECT_EQ(*second, 1);
        *second = 3;
    }
    const ObjectPool<int>::Lease again(pool);
    EXPECT_EQ(*again, 2);
}

} // namespace
} // namespace etl::run_in_order_test
