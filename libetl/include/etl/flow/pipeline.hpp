// The one loop that drives events from a source through encoders into an output.
// docs/architecture.md#flow
#pragma once

#include <etl/base/output.hpp>
#include <etl/flow/sink.hpp>

#include <functional>
#include <optional>

namespace etl::flow {

struct PipelineOptions {
    unsigned threads = 1; // encoders at work; 1: all on the caller's thread
    /// Told now and then how many events were taken from the source and what the newest is; return
    /// false to stop early (the output is then complete up to a whole event). May be empty.
    std::function<bool(std::uint64_t events, const Event& newest)> progress;
    /// Called each time the source pauses (Source::is_paused), after everything that came before
    /// was written; return false to stop. May be empty.
    std::function<bool()> pause;
    /// Called on the caller's thread after each batch of events was taken from the source: returns
    /// the encoder to clone for these events. For schemas that appear on the way. Empty: the
    /// encoder that run() was given.
    std::function<std::shared_ptr<const Encoder>()> encoder;
    /// Of the events that the encoder does not leave out: so many are passed over, then at most so
    /// many are written.
    std::uint64_t skip = 0;
    std::optional<std::uint64_t> limit;
    /// Called on the caller's thread for each event that is written, in order: for what has to be
    /// known of those that `skip` and `limit` leave. May be empty.
    std::function<void(const Event& event)> written;
};

struct PipelineResult {
    std::uint64_t events = 0;  // taken from the source
    std::uint64_t written = 0; // not left out by the encoder, skip, or limit
    DecodeCounts decoding;
};

/// Runs `source` to its end. When the source pauses, everything that it has returned is encoded and
/// written before it is asked for more. The bytes do not depend on the number of threads. Errors:
/// those of the output, then the source's.
Result<PipelineResult> run(Source& source, const Encoder& encoder, Output& output,
                           const PipelineOptions& options = {});

} // namespace etl::flow
