#include "flow/batch_loop.hpp"
#include "flow/pipeline.hpp"
#include "tests/unit/storage/flow/made_source.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace etl::flow::pipeline_test {

namespace {

class TimeEncoder final : public Encoder {
public:
    std::unique_ptr<Encoder> clone() const override { return std::make_unique<TimeEncoder>(); }

    std::string_view head() const override { return "["; }

    std::string_view separator() const override { return ","; }

    std::string_view tail() const override { return "]"; }

    bool encode(const Event& event, std::string& to) override {
        to += std::to_string(event.raw_time);
        errors_ += event.raw_time % 10 == 0 ? 1U : 0U;
        return true;
    }

    DecodeCounts decode_counts() const override { return {errors_, 0}; }

private:
    std::uint64_t errors_ = 0;
};

class FullDisk final : public Output {
public:
    explicit FullDisk(int writes) : left_(writes) {}

    Result<void> write(std::string_view) override {
        return left_-- > 0 ? Result<void>{} : fail(ErrorCode::io_failure, "disk");
    }

private:
    int left_;
};

// Runs of many lengths, one after another in time.
Runs many_runs(std::size_t count) {
    Runs runs;
    std::int64_t next = 0;
    for (std::size_t i = 0; i < count; ++i) {
        auto& run = runs.emplace_back(1 + i * 7919 % 500);
        std::iota(run.begin(), run.end(), next);
        next += static_cast<std::int64_t>(run.size());
    }
    return runs;
}

std::string text_of(unsigned threads, PipelineResult* result = nullptr) {
    MadeSource source(many_runs(300));
    StringOutput output;
    const auto done = run(source, TimeEncoder{}, output, {.threads = threads, .progress = {}});
    EXPECT_TRUE(done);
    if (result != nullptr) {
        *result = *done;
    }
    return output.text();
}

TEST(Pipeline, PutsHeadSeparatorsAndTail) {
    MadeSource source(Runs{{1, 2}, {3}});
    StringOutput output;
    ASSERT_TRUE(run(source, TimeEncoder{}, output));
    EXPECT_EQ(output.text(), "[1,2,3]");
}

TEST(Pipeline, OfNoEventsPutsHeadAndTail) {
    for (const unsigned threads : {1U, 4U}) {
        MadeSource source(Runs{});
        StringOutput output;
        const auto done = run(source, TimeEncoder{}, output, {.threads = threads, .progress = {}});
        ASSERT_TRUE(done);
        EXPECT_EQ(output.text(), "[]");
        EXPECT_EQ(done->events, 0U);
    }
}

TEST(Pipeline, GivesTheSameBytesWithAnyNumberOfThreads) {
    PipelineResult alone;
    const std::string expected = text_of(1, &alone);
    EXPECT_GT(alone.events, 50'000U);
    EXPECT_GT(alone.decoding.errors, 5'000U);
    for (const unsigned threads : {2U, 3U, 8U}) {
        PipelineResult together;
        EXPECT_EQ(text_of(threads, &together), expected) << threads;
        EXPECT_EQ(together.events, alone.events);
        EXPECT_EQ(together.decoding.errors, alone.decoding.errors);
    }
}

TEST(Pipeline, StopsWhenProgressSaysSo) {
    for (const unsigned threads : {1U, 3U}) {
        MadeSource source(many_runs(300));
        StringOutput output;
        std::uint64_t seen = 0;
        const auto done =
            run(source, TimeEncoder{}, output,
                {.threads = threads, .progress = [&](std::uint64_t events, const Event& newest) {
                     EXPECT_EQ(newest.raw_time + 1, static_cast<std::int64_t>(events));
                     seen = events;
                     return events < 10'000;
                 }});
        ASSERT_TRUE(done);
        EXPECT_EQ(done->events, seen);
        EXPECT_GE(seen, 10'000U);
        EXPECT_LT(seen, 20'000U);
        EXPECT_TRUE(output.text().ends_with("," + std::to_string(seen - 1) + "]"));
    }
}

TEST(Pipeline, EndsWithTheErrorOfTheOutput) {
    for (const unsigned threads : {1U, 3U}) {
        for (const int writes : {0, 1, 2}) {
            MadeSource source(many_runs(300));
            FullDisk output(writes);
            const auto done =
                run(source, TimeEncoder{}, output, {.threads = threads, .progress = {}});
            ASSERT_FALSE(done);
            EXPECT_EQ(done.error().code, ErrorCode::io_failure);
        }
    }
}

TEST(Pipeline, EndsWithTheErrorOfTheSourceAfterAllItGave) {
    MadeSource source(Runs{{1, 2}});
    source.set_error({.code = ErrorCode::truncated});
    StringOutput output;
    const auto done = run(source, TimeEncoder{}, output);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::truncated);
    EXPECT_EQ(output.text(), "[1,2]");
}

TEST(Pipeline, KeepsOnlyAFewBuffersAlive) {
    for (const unsigned threads : {1U, 2U}) {
        // One event in each of many buffers: they must not all wait for a full batch.
        Runs runs;
        for (std::int64_t i = 0; i < 5'000; ++i) {
            runs.push_back({i});
        }
        MadeSource source(std::move(runs), {}, 1U << 20U);
        NullOutput output;
        std::size_t most = 0;
        const auto done = run(source, TimeEncoder{}, output,
                              {.threads = threads, .progress = [&](std::uint64_t, const Event&) {
                                   most = std::max(most, source.pinned());
                                   return true;
                               }});
        ASSERT_TRUE(done);
        EXPECT_GT(most, 0U);
        EXPECT_LE(most, (PinSet::max_bytes >> 20U) * (4 * threads + 2)) << threads;
    }
}

// Pauses after each run, and looks at what is written by then.
class PausingSource final : public Source {
public:
    PausingSource(Runs runs, const StringOutput& output)
        : made_(std::move(runs)), output_(&output) {}

    Run next_run() override {
        if (std::exchange(is_due_, false)) {
            is_paused_ = true;
            return {};
        }
        if (std::exchange(is_paused_, false)) {
            seen_.push_back(output_->text());
        }
        const Run run = made_.next_run();
        is_due_ = !run.empty();
        return run;
    }

    Pin pin() const override { return made_.pin(); }

    const Error* error() const noexcept override { return nullptr; }

    bool is_paused() const noexcept override { return is_paused_; }

    const std::vector<std::string>& seen() const noexcept { return seen_; }

private:
    MadeSource made_;
    const StringOutput* output_;
    std::vector<std::string> seen_;
    bool is_due_ = false;
    bool is_paused_ = false;
};

TEST(Pipeline, WritesAllThatCameBeforeAPause) {
    for (const unsigned threads : {1U, 3U}) {
        StringOutput output;
        PausingSource source(Runs{{1, 2}, {3}}, output);
        int pauses = 0;
        ASSERT_TRUE(run(source, TimeEncoder{}, output, {.threads = threads, .pause = [&] {
                                                            ++pauses;
                                                            return true;
                                                        }}));
        EXPECT_EQ(source.seen(), (std::vector<std::string>{"[1,2", "[1,2,3"}));
        EXPECT_EQ(pauses, 2);
        EXPECT_EQ(output.text(), "[1,2,3]");
    }
}

TEST(EventCursor, WaitsThroughPauses) {
    const StringOutput unused;
    PausingSource source(Runs{{1, 2}, {3}}, unused);
    EventCursor events(source);
    std::vector<std::int64_t> times;
    while (const Event* event = events.next()) {
        times.push_back(event->raw_time);
    }
    EXPECT_THAT(times, testing::ElementsAre(1, 2, 3));
}

TEST(Pipeline, StopsInAPauseWhenAsked) {
    for (const unsigned threads : {1U, 3U}) {
        StringOutput output;
        PausingSource source(Runs{{1, 2}, {3}}, output);
        ASSERT_TRUE(run(source, TimeEncoder{}, output,
                        {.threads = threads, .pause = [] { return false; }}));
        EXPECT_EQ(output.text(), "[1,2]");
    }
}

// Puts a letter in front of each time.
class LetterEncoder final : public Encoder {
public:
    explicit LetterEncoder(char letter) : letter_(letter) {}

    std::unique_ptr<Encoder> clone() const override {
        return std::make_unique<LetterEncoder>(letter_);
    }

    bool encode(const Event& event, std::string& to) override {
        to += letter_ + std::to_string(event.raw_time);
        ++errors_;
        return true;
    }

    DecodeCounts decode_counts() const override { return {errors_, 0}; }

private:
    char letter_;
    std::uint64_t errors_ = 0;
};

TEST(Pipeline, ShowsTheEventsThatAreWritten) {
    for (const unsigned threads : {1U, 3U}) {
        StringOutput output;
        MadeSource source(many_runs(300));
        std::string shown;
        const auto done = run(
            source, TimeEncoder(), output,
            {.threads = threads, .skip = 5000, .limit = 4000, .written = [&](const Event& event) {
                 shown += (shown.empty() ? "" : ",") + std::to_string(event.raw_time);
             }});
        ASSERT_TRUE(done);
        EXPECT_EQ(done->written, 4000U);
        EXPECT_EQ(output.text(), "[" + shown + "]");
    }
}

TEST(Pipeline, EncodesEachBatchWithTheNewestEncoder) {
    for (const unsigned threads : {1U, 3U}) {
        StringOutput output;
        PausingSource source(Runs{{1, 2}, {3}, {4}}, output);
        char letter = 'a';
        const auto next = [&]() -> std::shared_ptr<const Encoder> {
            return std::make_shared<LetterEncoder>(letter++);
        };
        const auto done =
            run(source, LetterEncoder('?'), output, {.threads = threads, .encoder = next});
        ASSERT_TRUE(done);
        EXPECT_EQ(output.text(), "a1a2b3c4");
        EXPECT_EQ(done->decoding.errors, 4U); // of replaced encoders too
    }
}

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

TEST(PinSet, KeepsEachPinOnceUntilCleared) {
    PinSet set;
    std::vector<std::shared_ptr<int>> buffers;
    for (int i = 0; i < 200; ++i) {
        buffers.push_back(std::make_shared<int>(i));
    }
    for (int round = 0; round < 3; ++round) {
        for (const auto& buffer : buffers) {
            set.add(buffer, 4096);
        }
    }
    EXPECT_FALSE(set.is_full());
    for (const auto& buffer : buffers) {
        EXPECT_EQ(buffer.use_count(), 2);
    }
    set.clear();
    for (const auto& buffer : buffers) {
        EXPECT_EQ(buffer.use_count(), 1);
    }
    set.add(buffers.front(), 4096);
    EXPECT_EQ(buffers.front().use_count(), 2);
}

TEST(PinSet, IsFullByNumber) {
    PinSet set;
    set.add(nullptr, PinSet::max_bytes);
    for (std::size_t i = 0; i < PinSet::max_pins; ++i) {
        EXPECT_FALSE(set.is_full()) << i;
        set.add(std::make_shared<int>(), 1);
    }
    EXPECT_TRUE(set.is_full());
}

TEST(PinSet, IsFullByBytesOfDistinctBuffers) {
    PinSet set;
    const auto buffer = std::make_shared<int>();
    for (int i = 0; i < 100; ++i) {
        set.add(buffer, PinSet::max_bytes / 2);
    }
    EXPECT_FALSE(set.is_full());
    set.add(std::make_shared<int>(), PinSet::max_bytes / 2);
    EXPECT_TRUE(set.is_full());
}

} // namespace

} // namespace etl::flow::pipeline_test
