// The one loop that drives events from a source through encoders into an output.
// docs/architecture.md#flow
#pragma once

#include <etl/base/output.hpp>
#include <etl/flow/sink.hpp>

#include <functional>

namespace etl::flow {

struct PipelineOptions {
    unsigned threads = 1; // encoders at work; 1: all on the caller's thread
    /// Told now and then how many events were taken from the source and what the newest is; return
    /// false to stop early (the output is then complete up to a whole event). May be empty.
    std::function<bool(std::uint64_t events, const Event& newest)> progress;
};

struct PipelineResult {
    std::uint64_t events = 0;
    DecodeCounts decoding;
};

/// Runs `source` to its end. The bytes do not depend on the number of threads. Errors: those of the
/// output, then the source's.
Result<PipelineResult> run(Source& source, const Encoder& encoder, Output& output,
                           const PipelineOptions& options = {});

} // namespace etl::flow
