#include "flow/batches.hpp"

#include "base/run_in_order.hpp"
#include "flow/batch_loop.hpp"

#include <mutex>

namespace etl::flow {

namespace {

using Take = std::function<Result<void>(std::unique_ptr<BatchResult> result)>;

/// The steps of run_in_order.
class WorkSteps {
public:
    struct Batch : EventBatch {
        std::unique_ptr<BatchResult> result;
    };

    WorkSteps(Source& source, const BatchWorker& model, const Take& take,
              const BatchOptions& options)
        : feeder_(source, options.events, options.progress), model_(&model), take_(&take) {}

    bool fill(Batch& batch) { return feeder_.fill(batch); }

    void work(Batch& batch) {
        auto worker = take_worker();
        work_on_intact(batch.runs, [&](const Extents* extents) {
            batch.result = worker->work(extents == nullptr ? batch.runs : held(batch, *extents));
        });
        const std::scoped_lock lock(mutex_);
        free_.push_back(std::move(worker));
    }

    Result<void> finish(Batch& batch) { return (*take_)(std::move(batch.result)); }

    bool is_full() const noexcept { return false; }

    bool is_done() const noexcept { return false; }

    void pause() noexcept {}

    std::uint64_t events() const noexcept { return feeder_.events(); }

private:
    std::unique_ptr<BatchWorker> take_worker() {
        const std::scoped_lock lock(mutex_);
        if (free_.empty()) {
            return model_->clone();
        }
        auto worker = std::move(free_.back());
        free_.pop_back();
        return worker;
    }

    /// The events that are still in their files.
    static std::vector<Run> held(const Batch& batch, const Extents& extents) {
        std::vector<Run> runs;
        for (const Run& run : batch.runs) {
            for (std::size_t begin = 0; begin < run.size();) {
                std::size_t end = begin;
                while (end < run.size() && extents.hold(run[end])) {
                    ++end;
                }
                if (begin < end) {
                    runs.push_back(run.subspan(begin, end - begin));
                }
                begin = end + 1;
            }
        }
        return runs;
    }

    Feeder feeder_;
    const BatchWorker* model_;
    const Take* take_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<BatchWorker>> free_; // not at work
};

} // namespace

Result<std::uint64_t> run_batches(Source& source, const BatchWorker& worker, TaskPool& pool,
                                  const Take& take, const BatchOptions& options) {
    WorkSteps steps(source, worker, take, options);
    if (const auto done = run_in_order(pool, steps); !done) {
        return std::unexpected(done.error());
    }
    if (const Error* error = source.error()) {
        return std::unexpected(*error);
    }
    return steps.events();
}

} // namespace etl::flow
