// A loop that passes events to workers in batches, for results that are not one text per event.
// docs/architecture.md#flow
#pragma once

#include "base/task_pool.hpp"
#include "flow/source.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

namespace etl::flow {

/// What a worker makes of a batch.
class BatchResult {
public:
    virtual ~BatchResult() = default;
};

/// Works on batches of consecutive events. One per thread.
class BatchWorker {
public:
    virtual ~BatchWorker() = default;

    /// Returns a new worker with the same settings, for another thread.
    virtual std::unique_ptr<BatchWorker> clone() const = 0;

    /// Returns what it makes of the events; the same events yield the same result. Called again if
    /// some of them were truncated away meanwhile, without these; the earlier result is dropped.
    virtual std::unique_ptr<BatchResult> work(std::span<const Run> events) = 0;
};

struct BatchOptions {
    /// Events of a batch: it ends with the run that reaches this number, or when it has many
    /// buffers.
    std::size_t events = 32'768;
    /// As in PipelineOptions.
    std::function<bool(std::uint64_t events, const Event& newest)> progress{};
};

/// Processes `source` to its end with clones of `worker` in the threads of `pool`; without threads,
/// on the caller's. `take` gets the results in order, on the caller's thread. Pauses of the source
/// are waits. Returns the number of events. Errors: those of `take`, then those of the source.
Result<std::uint64_t>
run_batches(Source& source, const BatchWorker& worker, TaskPool& pool,
            const std::function<Result<void>(std::unique_ptr<BatchResult> result)>& take,
            const BatchOptions& options = {});

} // namespace etl::flow
