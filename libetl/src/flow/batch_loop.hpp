// The loop that passes events to workers in batches, and takes what they made in order. Private to
// flow.
#pragma once

#include <etl/base/task_pool.hpp>
#include <etl/flow/source.hpp>

#include "flow/extents.hpp"
#include "flow/pin_set.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <utility>
#include <vector>

namespace etl::flow {

/// Ordered events on their way to a worker.
struct EventBatch {
    std::vector<Run> runs;
    PinSet pins;
    std::size_t events = 0;
    bool flush = false; // the source pauses after it
};

/// Takes batches from the source, counting and telling progress.
class Feeder {
public:
    using Progress = std::function<bool(std::uint64_t events, const Event& newest)>;

    /// A batch is full when it has `most` events. `progress` outlives this.
    Feeder(Source& source, std::size_t most, const Progress& progress)
        : source_(&source), most_(most), progress_(&progress) {}

    /// False at the end. A batch without events only asks for a flush.
    bool fill(EventBatch& batch) {
        batch.runs.clear();
        batch.pins.clear();
        batch.events = 0;
        batch.flush = false;
        while (!stopped_ && batch.events < most_ && !batch.pins.is_full()) {
            const Run run = source_->next_run();
            if (run.empty()) {
                batch.flush = source_->is_paused();
                stopped_ = !batch.flush;
                break;
            }
            batch.runs.push_back(run);
            batch.events += run.size();
            batch.pins.add(source_->pin(), run.front().buffer->bytes.size());
        }
        events_ += batch.events;
        if (batch.events > 0 && *progress_ && !(*progress_)(events_, batch.runs.back().back())) {
            stopped_ = true;
        }
        return batch.events > 0 || batch.flush;
    }

    void stop() noexcept { stopped_ = true; }

    std::uint64_t events() const noexcept { return events_; }

private:
    Source* source_;
    std::size_t most_;
    const Progress* progress_;
    std::uint64_t events_ = 0;
    bool stopped_ = false;
};

/// Calls `work(extents)` until no file was truncated meanwhile: at first with null, for all events;
/// then again, without those that are gone. What was truncated away while it was worked on came out
/// as zeros. The source reports it.
template <typename Work>
void work_on_intact(std::span<const Run> runs, Work&& work) {
    work(nullptr);
    for (Extents now(runs); !now.hold(runs);) {
        work(&now);
        const Extents then = std::exchange(now, Extents(runs));
        if (now == then) {
            break;
        }
    }
}

/// Passes batches through a pool, which may have no threads. `steps` has a type Batch, derived from
/// EventBatch, and
///     bool fill(Batch&)            the next batch; false at the end
///     void work(Batch&)            in any thread
///     Result<void> finish(Batch&)  in order, on this thread
///     bool is_done()               no more batches are needed
///     void pause()                 all batches before a flush are finished
template <typename Steps>
Result<void> run_in_order(TaskPool& pool, Steps& steps) {
    using Batch = typename Steps::Batch;
    std::deque<std::pair<std::unique_ptr<Batch>, std::future<void>>> under_way;
    std::vector<std::unique_ptr<Batch>> spare;

    // An exception must not destroy a batch that is being worked on.
    struct Wait {
        decltype(under_way)& batches;

        ~Wait() {
            for (auto& [batch, done] : batches) {
                if (done.valid()) {
                    done.wait();
                }
            }
        }
    } const wait{under_way};

    const std::size_t depth = std::max<std::size_t>(1, std::size_t{4} * pool.threads());
    Result<void> result;
    const auto finish_oldest = [&] {
        under_way.front().second.get(); // throws what the work threw
        auto batch = std::move(under_way.front().first);
        under_way.pop_front();
        if (result) {
            result = steps.finish(*batch);
        }
        spare.push_back(std::move(batch));
    };
    while (result && !steps.is_done()) {
        auto batch = spare.empty() ? std::make_unique<Batch>() : std::move(spare.back());
        if (!spare.empty()) {
            spare.pop_back();
        }
        if (!steps.fill(*batch)) {
            break;
        }
        auto task = std::make_shared<std::packaged_task<void()>>(
            [work = batch.get(), &steps] { steps.work(*work); });
        const bool is_last = batch->flush;
        under_way.emplace_back(std::move(batch), task->get_future());
        pool.submit([task] { (*task)(); });
        while (under_way.size() >= depth || (is_last && !under_way.empty())) {
            finish_oldest();
        }
        if (is_last && result) {
            steps.pause();
        }
    }
    while (!under_way.empty()) {
        finish_oldest();
    }
    return result;
}

} // namespace etl::flow
