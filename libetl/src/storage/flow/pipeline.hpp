// The loops that pass events from a source to workers in several threads: through encoders to an
// output (run), and in batches, for results that are not one text per event (run_batches).
// docs/architecture.md#flow
#pragma once

#include "base/output.hpp"
#include "base/task_pool.hpp"
#include "flow/event.hpp"
#include "flow/sink.hpp"
#include "flow/source.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

namespace etl::flow {

struct PipelineOptions {
    unsigned threads = 1; // number of encoder threads; 1: the caller's thread only
    /// Called periodically with the number of events read from the source and the newest one.
    /// Return false to stop early; the output then ends after a complete event. May be empty.
    std::function<bool(std::uint64_t events, const Event& newest)> progress;
    /// Called each time the source pauses (Source::is_paused), after all earlier events are
    /// written. Return false to stop. May be empty.
    std::function<bool()> pause;
    /// Called on the caller's thread after each batch of events is read; returns the encoder to
    /// clone for that batch. Used if schemas appear during the run. Empty: the encoder passed to
    /// run().
    std::function<std::shared_ptr<const Encoder>()> encoder;
    /// Number of events to skip, and maximum number to write. Events that the encoder omits do not
    /// count.
    std::uint64_t skip = 0;
    std::optional<std::uint64_t> limit;
    /// Called on the caller's thread for each event written, in order. May be empty.
    std::function<void(const Event& event)> written;
};

struct PipelineResult {
    std::uint64_t events = 0;  // events read from the source
    std::uint64_t written = 0; // events not omitted by the encoder, skip, or limit
    DecodeCounts decoding;
};

/// Processes `source` to its end. When the source pauses, everything it has returned is written
/// before the next call. The output does not depend on the number of threads. Errors: those of the
/// output, then those of the source.
Result<PipelineResult> run(Source& source, const Encoder& encoder, Output& output,
                           const PipelineOptions& options = {});

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
    /// Events of the first batch; each one has at most twice as many as the one before. Few: the
    /// first results come soon, and little is done in vain if no more are asked for.
    std::size_t first_events = events;
    /// As in PipelineOptions.
    std::function<bool(std::uint64_t events, const Event& newest)> progress{};
};

/// What workers make of the events of a source, one result after the other, in order. Clones of
/// `worker` work in the threads of `pool`; without threads, on the caller's. All of them outlive
/// this.
class BatchReader {
public:
    BatchReader(Source& source, const BatchWorker& worker, TaskPool& pool,
                BatchOptions options = {});
    /// Waits for the batches that are being worked on.
    ~BatchReader();
    BatchReader(const BatchReader&) = delete;
    BatchReader& operator=(const BatchReader&) = delete;

    /// Returns the next result; null at the end of the events (see Source::error()).
    std::unique_ptr<BatchResult> next();

    /// Returns the number of events read from the source.
    std::uint64_t events() const noexcept;

private:
    class State;

    std::unique_ptr<State> state_;
};

/// Processes `source` to its end with clones of `worker` in the threads of `pool`; without threads,
/// on the caller's. `take` gets the results in order, on the caller's thread. Pauses of the source
/// are waits. Returns the number of events. Errors: those of `take`, then those of the source.
Result<std::uint64_t>
run_batches(Source& source, const BatchWorker& worker, TaskPool& pool,
            const std::function<Result<void>(std::unique_ptr<BatchResult> result)>& take,
            const BatchOptions& options = {});

// How far a pass over events has come, by its newest event: 0 to 1.

/// By the file offset of its buffer.
inline double fraction_by_place(const Event& newest) noexcept {
    return static_cast<double>(newest.buffer->where.value) /
           static_cast<double>(newest.trace().file_size);
}

/// By its time in an interval; 0 if the interval is empty.
inline double fraction_by_time(Filetime start, Filetime end, const Event& newest) noexcept {
    const auto from = static_cast<double>(start.ticks);
    const double length = static_cast<double>(end.ticks) - from;
    const double gone = static_cast<double>(newest.time().ticks) - from;
    return length > 0 ? std::clamp(gone / length, 0.0, 1.0) : 0;
}

} // namespace etl::flow
