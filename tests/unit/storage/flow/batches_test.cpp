#include "flow/batches.hpp"
#include "tests/unit/storage/flow/made_source.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>

namespace etl::flow::batches_test {
namespace {

struct Times : BatchResult {
    std::vector<std::int64_t> times;
};

class TimeWorker final : public BatchWorker {
public:
    explicit TimeWorker(bool throws = false) : throws_(throws) {}

    std::unique_ptr<BatchWorker> clone() const override {
        return std::make_unique<TimeWorker>(throws_);
    }

    std::unique_ptr<BatchResult> work(std::span<const Run> events) override {
        if (throws_) {
            throw std::runtime_error("work");
        }
        auto result = std::make_unique<Times>();
        for (const Run& run : events) {
            for (const Event& event : run) {
                result->times.push_back(event.raw_time);
            }
        }
        return result;
    }

private:
    bool throws_;
};

Runs runs_of(std::int64_t count) {
    Runs runs;
    for (std::int64_t next = 0; next < count;) {
        auto& run = runs.emplace_back(1 + next * 31 % 17);
        std::iota(run.begin(), run.end(), next);
        next += static_cast<std::int64_t>(run.size());
    }
    return runs;
}

TEST(EventBatches, ComeInOrderAndAreTheSameWithAnyNumberOfThreads) {
    std::vector<std::vector<std::int64_t>> alone;
    for (const unsigned threads : {0U, 1U, 4U}) {
        MadeSource source(runs_of(5000));
        TaskPool pool(threads);
        std::vector<std::vector<std::int64_t>> batches;
        const auto done = run_batches(source, TimeWorker{}, pool,
                                      [&](std::unique_ptr<BatchResult> result) -> Result<void> {
                                          batches.push_back(static_cast<Times&>(*result).times);
                                          return {};
                                      },
                                      {.events = 64});
        ASSERT_TRUE(done);
        EXPECT_GE(*done, 5000U);
        std::int64_t next = 0;
        for (const auto& batch : batches) {
            EXPECT_LT(batch.size(), 64U + 17U);
            for (const std::int64_t time : batch) {
                ASSERT_EQ(time, next++);
            }
        }
        EXPECT_EQ(static_cast<std::uint64_t>(next), *done);
        alone = alone.empty() ? batches : alone;
        EXPECT_EQ(batches, alone) << threads;
    }
}

TEST(EventBatches, EndWithTheErrorOfTheTaker) {
    for (const unsigned threads : {0U, 3U}) {
        MadeSource source(runs_of(5000));
        TaskPool pool(threads);
        int taken = 0;
        const auto done = run_batches(source, TimeWorker{}, pool,
                                      [&](std::unique_ptr<BatchResult>) -> Result<void> {
                                          return ++taken < 3 ? Result<void>{}
                                                             : fail(ErrorCode::io_failure, "disk");
                                      },
                                      {.events = 64});
        ASSERT_FALSE(done);
        EXPECT_EQ(done.error().code, ErrorCode::io_failure);
        EXPECT_EQ(taken, 3);
    }
}

TEST(EventBatches, PassOnWhatTheWorkThrows) {
    for (const unsigned threads : {0U, 3U}) {
        MadeSource source(runs_of(5000));
        TaskPool pool(threads);
        const auto take = [](std::unique_ptr<BatchResult>) { return Result<void>{}; };
        EXPECT_THROW(
            static_cast<void>(run_batches(source, TimeWorker{true}, pool, take, {.events = 64})),
            std::runtime_error);
    }
}

} // namespace
} // namespace etl::flow::batches_test
