// Copying of events from a source to a trace: the common loop of relogging, merging, and splitting.
#pragma once

#include "flow/source.hpp"
#include "trace/writer.hpp"

#include <functional>

namespace etl::trace {

struct CopyOptions {
    /// Called periodically with the number of events read and the newest one. Return false to stop
    /// early. May be empty.
    std::function<bool(std::uint64_t events, const flow::Event& newest)> progress;
};

struct CopyResult {
    std::uint64_t events = 0;  // events written
    std::uint64_t headers = 0; // omitted log file header records
    /// Events larger than an empty buffer, or with a processor number beyond the limits.
    std::uint64_t lost = 0;
    /// Events whose invalid item flags were cleared: Writer::add(flow::Run).
    std::uint64_t corrected = 0;
    bool stopped = false; // stopped by progress
};

/// Copies `source` to its end. Records are copied byte for byte into the buffers of their
/// processors, except those counted in `corrected`. Log file header records are omitted, because
/// the writer creates its own: all SYSTEM records with hook 0 (flow::is_logfile_header), including
/// those of appended runs and any among the events. `headers` counts them. Disk failures are in
/// writer.status(). Errors: those of the source.
Result<CopyResult> copy(flow::Source& source, Writer& writer, const CopyOptions& options = {});

} // namespace etl::trace
