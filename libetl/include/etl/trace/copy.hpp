// Events of a source as records of a trace: the one loop behind relogging, merging, splitting.
#pragma once

#include <etl/flow/source.hpp>
#include <etl/trace/writer.hpp>

#include <functional>

namespace etl::trace {

struct CopyOptions {
    /// Told now and then how many events were taken, and the newest; false stops early. May be
    /// empty.
    std::function<bool(std::uint64_t events, const flow::Event& newest)> progress;
};

struct CopyResult {
    std::uint64_t events = 0;    // written
    std::uint64_t headers = 0;   // log file header records, which were left out
    std::uint64_t lost = 0;      // larger than an empty buffer, or of a processor beyond the limits
    std::uint64_t corrected = 0; // claimed items that do not parse: Writer::add(flow::Run)
    bool stopped = false;        // by progress
};

/// Takes `source` to its end. Records go byte for byte into the buffers of their processors, but
/// for those in `mended`; the log file header records of the sources are left out, for the writer
/// has its own: all SYSTEM records with hook 0 (flow::is_logfile_header), those of appended runs
/// and any that lie among the events, too. `headers` says how many. A disk that fails shows in
/// writer.status(). Errors: the source's.
Result<CopyResult> copy(flow::Source& source, Writer& writer, const CopyOptions& options = {});

} // namespace etl::trace
