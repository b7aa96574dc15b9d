// One ordered pass over a trace for one or more analyzers. docs/analysis.md#range
//
//     const auto* const form = analysis::find_table("cpu", "process");
//     auto analyzer = form->make({});
//     auto table = analysis::run(reader, reader.info(), *analyzer, {.facts = facts, ...});
#pragma once

#include "analysis/analyzer.hpp"
#include "base/function_ref.hpp"
#include "flow/source.hpp"
#include "match/matcher.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace etl::analysis {

class WindowSums;

struct PassOptions {
    std::shared_ptr<const facts::FactsByTrace> facts; // with that of the trace; not null
    /// The number of the facts whose events are read, of all that the source returns; none: those
    /// of the trace, and all events.
    std::optional<std::uint32_t> scope{};
    schema::SchemasByTrace schemas;
    unsigned pointer_size = 0; // as in decode::DecoderOptions
    facts::FrameNames names{};
    facts::ProcessSelection processes; // empty: all
    std::optional<Filetime> from, to;
    /// Times of the first and the last event, for tables that need them. Raw.
    std::optional<std::pair<std::int64_t, std::int64_t>> range;
    /// Filled with what the table has in slices, if `range` is known; null: not wanted. Those of
    /// the passes over other traces, and of other tables, are others.
    std::shared_ptr<WindowSums> sums{};
    bool is_ordered = true; // no event follows one at or after `to` that is earlier
    std::optional<match::Condition> where;
    match::MatcherInputs matcher; // for `where`
    /// Called from time to time; false ends the pass. May be empty.
    std::function<bool(std::uint64_t events, const flow::Event& newest)> progress;
};

/// Returns whether an event is part of the range: it has a time, and its class is not
/// EventTrace.
bool is_in_any_range(const flow::Event& event) noexcept;

/// Reads the events of one trace in time order, and returns the table: with its total, in
/// nanoseconds, without ratios. Errors: that of the source.
Result<Table> run(flow::Source& source, const flow::TraceInfo& trace, Analyzer& analyzer,
                  const PassOptions& options);

/// One of the tables of a pass.
struct Job {
    Analyzer* analyzer = nullptr; // not null; no two jobs share one
    PassOptions options;          // those of run(), except `progress`, which is ignored
    /// What the table is of, if PassOptions::scope; null: the trace. Outlives the call.
    const flow::TraceInfo* trace = nullptr;
};

/// Reads the events of one trace once, and returns the table of each job: that of run() with its
/// options. `progress` is that of PassOptions. `threads` share the jobs; the tables do not depend
/// on it. Errors: that of the source.
Result<std::vector<Table>>
run(flow::Source& source, const flow::TraceInfo& trace, std::span<const Job> jobs,
    const std::function<bool(std::uint64_t events, const flow::Event& newest)>& progress = {},
    unsigned threads = 1);

/// Shows the events of a trace to `visit`, in any order, on threads with the numbers 0 to N-1.
using ShowEvents = FunctionRef<void(FunctionRef<void(unsigned thread, flow::Run events)> visit)>;

/// A table that several threads fill.
struct ParallelJob {
    std::vector<std::unique_ptr<Analyzer>> analyzers; // one for each thread
    PassOptions options;                              // with `range`; `progress` is ignored
};

/// Returns the tables of run() with an analyzer for each thread, for tables that do not depend on
/// the order of events (TableForm::is_order_free); the events are shown once for all. Nothing in
/// place of a table: a limit was reached, and what is beyond it would depend on the threads; use
/// run().
std::vector<std::optional<Table>> run_in_parallel(ShowEvents show, const flow::TraceInfo& trace,
                                                  std::span<ParallelJob> jobs);

} // namespace etl::analysis
