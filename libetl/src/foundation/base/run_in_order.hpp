// The loop that passes batches of work to threads and takes what they made in order.
#pragma once

#include <etl/error.hpp>

#include "base/task_pool.hpp"

#include <algorithm>
#include <deque>
#include <future>
#include <memory>
#include <utility>
#include <vector>

namespace etl {

/// Passes batches through a pool, which may have no threads. At most 4 batches per thread are under
/// way. `steps` has a type Batch with a member `bool flush`, which fill() sets if all batches up to
/// this one are to be finished before the next, and
///     bool fill(Batch&)            makes the next batch; returns false at the end
///     void work(Batch&)            in any thread
///     Result<void> finish(Batch&)  in order, on this thread
///     bool is_full()               the oldest batch must be finished before the next is filled
///     bool is_done()               no more batches are needed
///     void pause()                 all batches up to one with `flush` are finished
/// Batches are reused. Errors: the first one of finish(); an exception of work() reaches the
/// caller.
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
        while (!under_way.empty() && steps.is_full()) {
            finish_oldest();
        }
        auto batch = spare.empty() ? std::make_unique<Batch>() : std::move(spare.back());
        if (!spare.empty()) {
            spare.pop_back();
        }
        if (!steps.fill(*batch)) {
            break;
        }
        Batch& work = *batch;
        const bool is_last = work.flush;
        under_way.emplace_back(std::move(batch), std::future<void>{}); // before anyone works on it
        under_way.back().second = pool.start([&work, &steps] { steps.work(work); });
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

} // namespace etl
