// The loop that passes batches of work to threads and takes what they made in order.
#pragma once

#include <etl/error.hpp>

#include "base/task_pool.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <future>
#include <memory>
#include <utility>
#include <vector>

namespace etl {

/// Batches that are under way through a pool, which may have no threads, and outlives this. At most
/// 4 batches per thread are under way. Batches are reused.
template <typename Batch>
class BatchesInOrder {
public:
    explicit BatchesInOrder(TaskPool& pool)
        : pool_(&pool), most_(std::max<std::size_t>(1, std::size_t{4} * pool.threads())) {}

    BatchesInOrder(const BatchesInOrder&) = delete;
    BatchesInOrder& operator=(const BatchesInOrder&) = delete;

    /// Waits: a batch must not be destroyed while it is worked on.
    ~BatchesInOrder() {
        for (const UnderWay& one : under_way_) {
            if (one.done.valid()) {
                one.done.wait();
            }
        }
    }

    std::size_t size() const noexcept { return under_way_.size(); }

    bool is_empty() const noexcept { return under_way_.empty(); }

    /// As many as may be under way.
    std::size_t most() const noexcept { return most_; }

    /// Returns a batch to be filled: a new one, or one that was put back.
    std::unique_ptr<Batch> take_spare() {
        if (spare_.empty()) {
            return std::make_unique<Batch>();
        }
        auto batch = std::move(spare_.back());
        spare_.pop_back();
        return batch;
    }

    void put_back(std::unique_ptr<Batch> batch) { spare_.push_back(std::move(batch)); }

    /// Has `work(Batch&)` called in a thread of the pool, or here.
    template <typename Work>
    void start(std::unique_ptr<Batch> batch, Work work) {
        Batch& of = *batch;
        under_way_.push_back({std::move(batch), {}}); // before anyone works on it
        under_way_.back().done = pool_->start([&of, work = std::move(work)] { work(of); });
    }

    /// Waits for the oldest batch, and returns it. There is one. Throws what the work threw.
    std::unique_ptr<Batch> take_oldest() {
        under_way_.front().done.get();
        auto batch = std::move(under_way_.front().batch);
        under_way_.pop_front();
        return batch;
    }

private:
    struct UnderWay {
        std::unique_ptr<Batch> batch;
        std::future<void> done;
    };

    TaskPool* pool_;
    std::size_t most_;
    std::deque<UnderWay> under_way_;
    std::vector<std::unique_ptr<Batch>> spare_;
};

/// Passes batches through a pool. `steps` has a type Batch with a member `bool flush`, which fill()
/// sets if all batches up to this one are to be finished before the next, and
///     bool fill(Batch&)            makes the next batch; returns false at the end
///     void work(Batch&)            in any thread
///     Result<void> finish(Batch&)  in order, on this thread
///     bool is_full()               the oldest batch must be finished before the next is filled
///     bool is_done()               no more batches are needed
///     void pause()                 all batches up to one with `flush` are finished
/// Errors: the first one of finish(); an exception of work() reaches the caller.
template <typename Steps>
Result<void> run_in_order(TaskPool& pool, Steps& steps) {
    BatchesInOrder<typename Steps::Batch> batches(pool);
    Result<void> result;
    const auto finish_oldest = [&] {
        auto batch = batches.take_oldest();
        if (result) {
            result = steps.finish(*batch);
        }
        batches.put_back(std::move(batch));
    };
    while (result && !steps.is_done()) {
        while (!batches.is_empty() && steps.is_full()) {
            finish_oldest();
        }
        auto batch = batches.take_spare();
        if (!steps.fill(*batch)) {
            break;
        }
        const bool is_last = batch->flush;
        batches.start(std::move(batch), [&steps](auto& work) { steps.work(work); });
        while (batches.size() >= batches.most() || (is_last && !batches.is_empty())) {
            finish_oldest();
        }
        if (is_last && result) {
            steps.pause();
        }
    }
    while (!batches.is_empty()) {
        finish_oldest();
    }
    return result;
}

} // namespace etl
