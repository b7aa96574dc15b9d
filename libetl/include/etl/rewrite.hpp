// Trace files made of others, in one call each. docs/relogging.md#calls
//
//     auto merged = etl::rewrite::merge({"kernel.etl", "user.etl"}, "all.etl");
//     auto repaired = etl::rewrite::repair("damaged.etl", "fixed.etl");
//     auto anonymous = etl::rewrite::anonymize({"all.etl"}, "shareable.etl", {.key = "secret"});
//     if (!merged) {
//         std::puts(etl::describe(merged.error()).c_str());
//     }
//
// Outputs appear when they are complete; after an error there is none. They never replace an input,
// and other files only with Existing::replace. New files are not readable by more users than the
// inputs are. Nothing is printed. Thread-safe.
#pragma once

#include <etl/error.hpp>
#include <etl/log_file.hpp>
#include <etl/relog.hpp>

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace etl::rewrite {

/// How inputs are read, and outputs written. Inputs are paths, patterns, directories, and archives,
/// as for `etl dump`.
struct Files {
    Existing existing = Existing::keep; // outputs that exist; inputs are never replaced
    bool recursive = false;             // include subdirectories
    unsigned threads = 0;               // 0: one per processor
    std::uint32_t buffer_size = 0; // bytes: a multiple of 512, 1 KB to 16 MB; 0: that of the inputs
    /// Of buffers. The name of an output sets the container: `.etl.zst`, `.etl.lz4`.
    Compression compression = Compression::none;
    std::vector<std::string> schemas{}; // schema files, as for `etl dump --schema`
};

/// What was written.
struct Report {
    std::uint64_t events = 0;      // in all outputs
    std::uint64_t bytes = 0;       // size of all outputs
    std::uint64_t events_lost = 0; // too large for a buffer
    std::uint64_t findings = 0;    // damage in the inputs
    /// One line for each problem: inputs read in part, rejected schemas, damage (the first 1000),
    /// what was lost, filters that match nothing.
    std::vector<std::string> remarks{};
};

enum class Align : std::uint8_t {
    none,
    start,       // the start of each trace with that of the first one
    first_event, // the first event after the header buffer
};

/// The trace with this path or file name is shifted.
struct Offset {
    std::string input;
    std::int64_t ticks = 0; // of 100 ns
};

struct MergeOptions {
    Files files{};
    /// Convert timestamps to system time: for traces of different boots, machines, or clocks.
    bool restamps = false;
    Align align = Align::none;     // implies `restamps`
    std::vector<Offset> offsets{}; // imply `restamps`
    bool tags_sources = false;     // record the origin of events (docs/merge.md#sources)
    bool embeds_schemas = false;   // as a merge on Windows does
};

struct MergeReport : Report {
    std::uint64_t repeated_context = 0; // duplicate context events that were omitted
    std::uint64_t embedded_schemas = 0;
};

/// Merges traces by time, as `etl merge` does. Every input must be readable, be it in part. Errors:
/// unsupported (traces of different boots, machines, or clocks without `restamps`), invalid_option
/// (the output, an option), not_found (an offset of no input), those of reading and writing.
std::expected<MergeReport, TraceError> merge(const std::vector<std::string>& inputs,
                                             const std::string& output,
                                             const MergeOptions& options = {});

using relog::SplitBy;
using relog::SplitContext;

struct SplitOptions {
    Files files{};
    SplitBy by = SplitBy::size;
    /// Of a part: bytes of records, units of 100 ns, or events; required for size, time, and count.
    std::uint64_t limit = 0;
    SplitContext context = SplitContext::copied;
    std::string where{};      // events must match it, as for `etl dump --where`
    std::string from{}, to{}; // time window, as for `etl dump`
};

/// One part of a trace.
struct SplitPart {
    std::string path;
    /// What its events have in common: a time span, a range of numbers, a GUID, a process, or a
    /// processor, as `etl split` prints it; empty: context alone.
    std::string key;
    std::uint64_t events = 0;  // without context
    std::uint64_t context = 0; // events that other parts contain or need as well
    std::uint64_t bytes = 0;   // size of the file
};

struct SplitReport : Report {
    std::vector<SplitPart> parts;
};

/// Splits a trace, as `etl split` does. `pattern` is a path with `%d` for the number of the part.
/// Errors: invalid_option (the pattern, a part, an option), unsupported (several traces), limit
/// (too many parts), those of reading and writing.
std::expected<SplitReport, TraceError> split(const std::string& input, const std::string& pattern,
                                             const SplitOptions& options);

struct RepairOptions {
    Files files{}; // buffers keep their size
    /// Another trace of the same session, whose header is used; empty: none.
    std::string header_from{};
    bool accepts_any_header = false; // also of another boot or clock
    /// The buffers of a killed session; empty: `INPUT.buffers`, if it exists.
    std::string live_buffers{};
};

struct RepairReport : Report {
    std::uint64_t losses = 0; // places where something is missing or damaged
    std::uint64_t missing_buffers = 0;
    std::uint64_t session_events_lost = 0, session_buffers_lost = 0; // during recording
    bool are_losses_known = false;          // false: the session can have lost more
    bool is_complete = false;               // nothing is missing or damaged
    std::vector<std::string> corrections{}; // to the header
};

/// Recovers the intact records of a trace into a valid one, as `etl repair` does. Report::events
/// counts records. Remarks list the losses. Errors: unsupported (several traces), invalid_option
/// (the output; a header of another session), those of reading and writing.
std::expected<RepairReport, TraceError> repair(const std::string& input, const std::string& output,
                                               const RepairOptions& options = {});

/// What happens to events that cannot be decoded, and can contain any data.
enum class Undecodable : std::uint8_t {
    refuse,
    drop,
    keep,
    clear, // zeros of the same size; stacks, activity IDs, and other numbers of its items stay
};

struct AnonymizeOptions {
    Files files{};
    /// A file or a text: the same key yields the same pseudonyms. Empty: a random one.
    std::string key{};
    std::vector<std::string> redactions{}; // PROVIDER/EVENT/FIELD, which are cleared; with * and ?
    bool redacts_only = false;             // everything else stays as it is
    Undecodable undecodable = Undecodable::refuse;
};

struct AnonymizeReport : Report {
    std::uint64_t changed_events = 0;
    std::uint64_t changed_values = 0;
    std::uint64_t undecodable_events = 0; // dropped, kept, or cleared
};

/// Replaces personal data with pseudonyms, as `etl relog --anonymize` does; several traces are
/// merged. Errors: unsupported (undecodable events; traces of different boots, machines, or
/// clocks), invalid_option (the output, the key, a redaction), limit (too many names), those of
/// reading and writing.
std::expected<AnonymizeReport, TraceError> anonymize(const std::vector<std::string>& inputs,
                                                     const std::string& output,
                                                     const AnonymizeOptions& options = {});

} // namespace etl::rewrite
