// Repair: recovers intact records of a damaged, truncated, or unfinalized trace into a valid trace,
// and reports the losses. docs/repair.md
#pragma once

#include "io/writable_file.hpp"
#include "trace/log_file.hpp"
#include "trace/reader.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etl::repair {

/// Lost data. Times are raw; the loss is between `after` and `before`.
struct Loss {
    enum class Kind : std::uint8_t {
        missing_buffers,     // missing sequence numbers
        damaged_buffer,      // a damaged buffer or part of it, or bytes that are not a buffer
        truncated_buffer,    // the file ends inside the buffer
        missing_records,     // of an event log
        damaged_record,      // bytes of an event log
        reported_by_session, // lost during recording, according to buffer flags or header counts
    };

    Kind kind = Kind::damaged_buffer;
    std::optional<std::uint16_t> processor{}; // none: unknown
    std::uint64_t buffers = 0;                // missing buffers
    std::uint64_t events = 0;                 // missing events, if recorded
    /// Skipped or missing bytes; decompressed size if the buffer is compressed.
    std::uint64_t bytes = 0;
    std::optional<std::int64_t> sequence{}; // sequence number of an existing buffer
    FileOffset where{};                     // offset in the decompressed trace, or in the event log
    std::optional<std::int64_t> after{}, before{}; // none: start or end of the trace

    bool operator==(const Loss&) const = default;
};

/// Returns the JSON name of a kind of loss.
std::string_view name(Loss::Kind what) noexcept;

/// Data recovered from the live buffers of a killed session. docs/repair.md#live
struct LiveReport {
    bool is_used = false; // false: there are none, or they are of another session or damaged
    /// False: the trace or the live buffers do not identify their session.
    bool is_identified = false;
    std::uint64_t buffers = 0, records = 0; // recovered
    std::uint64_t incomplete = 0;           // incomplete or abandoned records
};

struct Report {
    std::vector<Loss> losses;          // in time order, at most limits::losses
    std::uint64_t more_losses = 0;     // losses beyond those
    bool has_losses = false;           // of all losses, any that the session did not report
    std::uint64_t missing_buffers = 0; // of all losses
    /// Recovered records, including the log file header if the trace has one.
    std::uint64_t records = 0;
    std::uint64_t buffers = 0;            // buffers in the output, including the header buffer
    std::vector<std::string> corrections; // corrections to the header, as text
    LiveReport live;
    /// What the session lost during recording, according to the header or to the live buffers of a
    /// killed session. Of an event log, events_lost are the records that an earlier conversion
    /// counted as missing.
    std::uint64_t events_lost = 0, buffers_lost = 0;
    /// False: the session was not stopped, and nothing states what it lost after its last flush (or
    /// at all, as Windows counts in the header only at the end); or the header is missing; or flags
    /// of buffers record losses that no count includes; or an event log was not closed. The output
    /// then contains the event LibEtl.Losses/Unknown (flow/losses.hpp). Also false if the input
    /// contains it.
    bool are_losses_known = false;
    bool is_of_event_log = false; // the trace was converted from an event log, which has no session
    std::int64_t end_time = 0;    // EndTime of the output, FILETIME
    flow::Clock clock;            // clock of the output, to which the raw times of losses refer
    /// False if anything is missing or damaged, even if no record was lost, or only the clock had
    /// to be guessed. Losses reported by the session do not count.
    bool is_complete = true;
    /// False if anything in the file is damaged. A trace that only lacks buffers is intact.
    bool is_intact = true;
};

struct Options {
    /// Null: io::disk(); then `path` must not be the input file, which would be truncated.
    /// io::AtomicFiles can replace it.
    io::FileFactory* files = nullptr;
    /// Recording to use if that of the trace is missing or wrong, from another file of the same
    /// session.
    std::optional<trace::Recording> recording;
    /// The live buffer file that the session left next to its log file; null: none. If it is not
    /// such a file, or belongs to another session, `corrections` reports it.
    std::shared_ptr<const io::InputFile> live_buffers;
    /// Findings about the event log that the file was converted from (eventlog/convert.hpp);
    /// null: it is a trace.
    const DiagnosticList* log_findings = nullptr;
    /// Whether that event log was closed; otherwise what it lacks at its end is unknown.
    bool is_log_closed = true;
    /// Options of the output file; its buffer size is that of the input.
    trace::LogFileOptions file;
    unsigned threads = 1;
    /// Called periodically with the completed fraction of the input, 0 to 1. May be empty.
    std::function<void(double done)> progress;
};

/// Writes the intact content of `file` to `path`: buffers with their numbers, processors, and
/// timestamps, and their intact records. Compressed buffers and containers are decompressed, unless
/// options.file specifies compression. trace::check reports no Severity::warning for the output.
/// For a killed session, records found only in its live buffers are added at the end. Errors: those
/// of Reader::open (if live buffers contain no header either), those of LogFile; limit (the output
/// would exceed io::limits::unpacked_bytes); the first disk failure.
Result<Report> run(const std::shared_ptr<const io::InputFile>& file, const std::string& path,
                   const Options& options = {});

} // namespace etl::repair
