// The loop that passes events from a source through encoders to an output.
// docs/architecture.md#flow
#pragma once

#include "base/output.hpp"
#include "flow/sink.hpp"

#include <functional>
#include <optional>

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

} // namespace etl::flow
