// Parts of tables, and the tables that they add up to. docs/parts.md#tables
//
//     parts.push_back(*analysis::run_part(window_reader, trace, *form->make(options), pass, part));
//     const auto table = analysis::combine(*form, options, parts); // as analysis::run() returns it
#pragma once

#include "analysis/event_counts.hpp"
#include "analysis/pass.hpp"
#include "analysis/tables.hpp"
#include "facts/origins.hpp"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace etl::analysis {

/// What one part of one trace contributes to a table: its rows, with ticks, and what began or ended
/// in other parts. A value.
struct TablePart {
    struct Count {
        std::string name;
        std::uint64_t value = 0;

        bool operator==(const Count&) const = default;
    };

    std::vector<std::string> columns; // names
    std::vector<Row> rows;
    std::vector<std::string> missing; // sources of which the part contains no event
    std::vector<Count> remainders;
    std::vector<OtherVersion> other_versions;
    std::uint64_t events = 0, used_events = 0;
    std::vector<std::byte> carried; // of the analyzer

    /// The trace: the same in all parts of it.
    struct Whole {
        /// Raw values are FILETIME if `has_ticks` is false.
        bool has_ticks = false;
        std::int64_t start = 0, reference = 0, frequency = 0; // of the clock
        bool has_events = false;                              // in range
        std::int64_t begin = 0, end = 0;                      // T; raw
        std::int64_t planned_end = 0;                         // T.end as analyzers start with it
        std::uint32_t processors = 0;
        std::optional<std::uint64_t> lost_events, lost_buffers;

        bool operator==(const Whole&) const = default;
    };

    Whole whole;
};

/// Where a part is in its trace. Times are raw.
struct PartPlace {
    /// When it begins; the first part: the least number.
    std::int64_t begin = std::numeric_limits<std::int64_t>::min();
    bool reached_to = false; // an event of the trace is at or after PassOptions::to
    /// Shows all events that may have a sampling interval (facts/relevance.hpp), and any others.
    std::function<void(FunctionRef<void(flow::Run events)>)> show_earlier{};
};

/// Reads the events of a part, of which only `source` knows the limits, and returns what it
/// contributes. `facts` and `range` of the options are those of the whole trace; no `range`: it has
/// no event in any range. Errors: that of the source; unsupported (a sampling interval that the
/// part contains is earlier than the part, so that samples would be weighted otherwise).
Result<TablePart> run_part(flow::Source& source, const flow::TraceInfo& trace, Analyzer& analyzer,
                           const PassOptions& options, const PartPlace& place);

/// Returns the table of a trace from all of its parts, in their order; at least one. It is that of
/// run(). Errors: malformed (not parts of the same table of a trace); unsupported (a limit was
/// reached, so that the table would depend on the parts).
Result<Table> combine(const TableForm& form, const TableOptions& options,
                      std::span<const TablePart> parts);

/// What the events before a time leave behind for tables of later events. A value.
struct TableState {
    std::string table, by; // of the form whose analyzer wrote it
    std::vector<std::string> missing;
    std::vector<TablePart::Count> remainders;
    std::vector<OtherVersion> other_versions;
    bool has_unknown_losses = false;
    std::vector<std::byte> carried; // of the analyzer
};

/// Receives the states at a cut, one for each job.
using TakeStates = FunctionRef<void(const Cut& cut, std::vector<TableState> states)>;

struct CutOptions {
    std::uint64_t spacing = 0; // bytes of events between two cuts, about
    unsigned threads = 1;      // that share the jobs
    /// As PassOptions::progress, without an answer.
    std::function<void(std::uint64_t events, const flow::Event& newest)> progress{};
};

/// What run_states() returns.
struct StatesRun {
    std::vector<TablePart> parts; // the only one of each of the jobs `whole`, as of run_part()
    EventCounts counts;
};

/// Reads the events of one trace in time order, counts them, and shows what those before a cut
/// leave behind. Errors: that of the source.
Result<StatesRun> run_states(flow::Source& source, const flow::TraceInfo& trace,
                             std::span<const Job> jobs, std::span<const Job> whole,
                             const CutOptions& options, TakeStates take);

/// Reads the events of a window and those before it that `source` has, and returns the table of
/// run(). `before`: the state at the first of them; null: they begin with the trace, or the table
/// does not depend on earlier ones. `range` of the options is that of the whole trace. Errors: that
/// of the source; unsupported (a limit was reached, or `before` lacks what the table depends on).
Result<Table> run_window(flow::Source& source, const flow::TraceInfo& trace, Analyzer& analyzer,
                         const PassOptions& options, const PartPlace& place,
                         const TableState* before);

/// The content of a file: a part of a table of one or more traces.
struct PartFile {
    std::uint32_t number = 1, count = 1; // part K of N
    std::string table, by;               // of a TableForm
    TableOptions options;                // numbers and flags only
    /// What else must be the same in all parts: names, and values.
    std::vector<std::pair<std::string, std::string>> made_from;
    std::vector<TablePart> traces;
    std::vector<facts::Origin> origins; // of the traces, if they are of several machines or boots
};

std::vector<std::byte> encode(const PartFile& part);

/// Returns the file with this content, whatever it is: signature, version, and checksum.
std::vector<std::byte> with_checksum(Bytes content);

/// Errors: malformed (not such a file, or damaged); unsupported (version).
Result<PartFile> parse_part_file(Bytes file);

} // namespace etl::analysis
