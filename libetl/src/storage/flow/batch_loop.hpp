// Batches of events for run_in_order. Private to flow.
#pragma once

#include "flow/extents.hpp"
#include "flow/pin_set.hpp"
#include "flow/source.hpp"

#include <functional>
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

} // namespace etl::flow
