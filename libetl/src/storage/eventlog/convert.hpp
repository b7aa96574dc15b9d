// An event log (.evtx) as a trace: each record becomes a self-describing event, so that everything
// that reads traces reads event logs. Thread-safe. docs/format/evtx.md#as-a-trace
#pragma once

#include "evtx/reader.hpp"
#include "io/input_file.hpp"

#include <memory>

namespace etl::eventlog {

struct Conversion {
    /// The trace, in memory, named like the log. EventsLost of its header is missing(); the log
    /// states nothing else in the header.
    std::shared_ptr<const io::InputFile> trace;
    evtx::ReaderCounts counts;
    std::uint64_t undecodable = 0; // records whose binary XML is damaged; reported
    std::uint64_t too_large = 0;   // events that exceed a record of a trace (64 KB); reported

    /// Returns the number of records of the log that are not in the trace.
    std::uint64_t missing() const noexcept {
        return counts.missing_records + undecodable + too_large;
    }
};

/// Returns whether a file is an event log, by its first bytes.
bool is_event_log(const io::InputFile& file) noexcept;

/// Converts a log. Errors: those of evtx::Reader::open; io_failure (a trace of more than 1 GB).
Result<Conversion> convert(const io::InputFile& log, const evtx::ReaderOptions& options = {});

} // namespace etl::eventlog
