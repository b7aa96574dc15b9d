// The command line of xperf, and what its actions share. docs/xperf.md
#pragma once

#include "base/output.hpp"
#include "cli/console.hpp"
#include "cli/exit_code.hpp"
#include "cli/verb.hpp"
#include "inputs/schemas.hpp"
#include "inputs/symbol_path.hpp"
#include "inputs/traces.hpp"
#include "verbs/analyze/analyze.hpp"
#include "verbs/xperf/report.hpp"

#include <expected>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cli::xperf {

struct Options {
    TraceOptions traces;
    SchemaOptions schemas;
    SymbolPathOptions symbols;
    bool has_symbols = false; // -symbols, with or without a path
    std::string output = "-";
    bool replaces = false;
    bool for_machine = false; // -target machine
    bool is_quiet = false;
    bool tolerates_lost_events = false, tolerates_inversions = false;
    std::vector<std::string> merge; // inputs and the output
    bool compresses = false;

    ProgressBar::Mode progress() const noexcept {
        return is_quiet ? ProgressBar::Mode::never : ProgressBar::Mode::automatic;
    }
};

/// -range of an action.
struct Range {
    std::vector<std::string> words; // none, the begin, or both

    /// Declares -range; `least` words.
    void add_to(Verb& action, int least = 2);

    /// Parses the words. Throws UsageError.
    void check() const;

    std::optional<Moment> from() const;
    std::optional<Moment> to() const;

    Selection selection() const { return {.from = from(), .to = to()}; }
};

/// An action as it runs.
struct Run {
    const Options* options = nullptr;
    etl::Output* output = nullptr;
    etl::Filetime start{}; // of the traces

    /// Writes text. Prints why it cannot.
    ExitCode write(std::string_view text) const;
};

/// An action that the command line may name: declared as a subcommand.
struct Action {
    Verb* app = nullptr;
    std::function<ExitCode(const Run&, const Report&, std::span<const Analysis> tables)> run;
    /// What `tables` contain; empty: nothing. Prints why it cannot.
    std::function<std::expected<Report, ExitCode>()> report{};
};

/// Declare the actions.
void add_dumper(Verb& verb, std::vector<Action>& actions);
void add_lists(Verb& verb, std::vector<Action>& actions);
void add_tables(Verb& verb, const Options& options, std::vector<Action>& actions);
void add_cpudisk(Verb& verb, const Options& options, std::vector<Action>& actions);
void add_dpcisr(Verb& verb, std::vector<Action>& actions);
void add_io_tables(Verb& verb, std::vector<Action>& actions);
void add_stack(Verb& verb, std::vector<Action>& actions);
void add_trace_actions(Verb& verb, std::vector<Action>& actions);
void add_refused(Verb& verb);

/// The names of the actions that add_refused() declares.
std::vector<std::string> refused_actions();

/// Prints the lines of the dumper for events of a range: of threads; of virtual memory; of
/// sampling intervals; disk reads, writes, and flushes.
ExitCode list_threads(const Run& run, const Range& range);
ExitCode list_memory_ranges(const Run& run, const Range& range);
ExitCode list_sampling_intervals(const Run& run, const Range& range);
ExitCode list_disk_requests(const Run& run, const Range& range);

/// Declares an option that only Windows has: using it is an error that says why.
void refuse_option(Verb& action, const std::string& name, const std::string& why);

/// Returns the times of the traces.
etl::match::TimeBounds bounds_of(const Options& options);

/// Merges the traces of -merge.
ExitCode merge(const Options& options);

} // namespace cli::xperf
