// The filter options of a command line. docs/filters.md
#pragma once

#include "cli/verb.hpp"
#include "facts/attributor.hpp"
#include "flow/filters.hpp"
#include "match/matcher.hpp"
#include "trace/recording.hpp"

#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cli {

// --process, --pid, --tid: messages about names that match nothing and events that cannot be
// attributed. docs/processes.md

/// Prints to standard error the names that match no process of the traces, with similar names.
void report_unknown_names(const std::vector<std::string>& words,
                          const etl::facts::FactsByTrace& facts);

/// Prints to standard error how many events the filters could not decide. Call after the last
/// event.
void report(const etl::match::Notes& notes);

/// --where and its shorthands: all must match.
struct FilterOptions {
    std::vector<std::string> where;     // as given
    std::vector<std::string> xpaths;    // as given
    etl::Filetime present = etl::now(); // for the age of events in xpaths
    std::vector<std::string> providers; // names, globs or GUIDs
    std::vector<std::string> events;    // ids, names or globs
    std::optional<unsigned> level;
    std::optional<std::uint64_t> keyword;
    std::vector<std::string> processes;          // IDs, names or globs
    std::vector<std::uint32_t> pids, tids, cpus; // of headers
    std::optional<etl::match::TimePoint> from, to;
    std::optional<std::uint64_t> skip, limit;
    /// Counters of the conditions compiled from these options, shared by all of them.
    std::shared_ptr<etl::match::Notes> notes = std::make_shared<etl::match::Notes>();

    /// `name_of_end` is --to, unless a verb has another use for that.
    void add_to(Verb& verb, const char* name_of_end = "--to");

    /// What is wrong with a query for `xpaths`, with its place; empty: nothing.
    std::string problem_of_xpath(const std::string& query) const;

    /// No filter: all events match.
    bool empty() const noexcept;

    /// --skip or --limit: matches depend on the order of events.
    bool counts() const noexcept { return skip || limit; }

    /// --from or --to.
    bool has_window() const noexcept { return from || to; }

    /// Filters use provider or event names, fields, or processes named in payloads.
    bool needs_schemas() const;

    /// Facts about processes, see match::MatcherInputs.
    bool needs_facts() const;

    /// A file or machine, see match::MatcherInputs.
    bool needs_origins() const;

    /// The condition on single events. Errors: text for messages.
    std::expected<etl::match::Condition, std::string>
    compile(const etl::match::TimeBounds& bounds) const;

    /// The same for headers, before traces are open: without times. Compiled once; the options must
    /// not change afterwards. Null if it does not compile; compile() returns the reason.
    const etl::match::Condition* for_headers() const;

    /// --from and --to. If one is relative to an unknown end, prints that and returns nothing.
    std::optional<etl::flow::TimeFilter::Window> window(const etl::match::TimeBounds& bounds) const;

private:
    mutable std::optional<std::expected<etl::match::Condition, std::string>> for_headers_;
};

/// --before-from and --before-to: the window of the trace that another one is compared with, if it
/// is not that of --from and --to.
struct BeforeWindow {
    std::optional<etl::match::TimePoint> from, to;

    void add_to(Verb& verb);

    bool empty() const noexcept { return !from && !to; }

    /// The filters of the trace before: those of the other one, in this window.
    FilterOptions of(FilterOptions filters) const;
};

/// An additional condition, evaluated last; --skip and --limit count only its matches. May be
/// empty.
using FurtherCondition = std::function<bool(const etl::flow::Event&)>;

/// The options compiled for the open traces.
struct CompiledFilters {
    etl::flow::TimeFilter::Window window;
    etl::match::Condition condition;
    etl::match::MatcherInputs inputs;
    std::uint64_t skip = 0;
    std::optional<std::uint64_t> limit;
};

/// Leaves the inputs empty. On failure prints the reason and returns nothing.
std::optional<CompiledFilters> compile(const FilterOptions& options,
                                       const etl::match::TimeBounds& bounds);

/// A test of headers alone: false for events that cannot match. Thread-safe. Empty if headers do
/// not decide anything.
std::function<bool(const etl::flow::Event&)> header_condition(const FilterOptions& options);

/// The options as a predicate on single events in order, for callers that continue after the last
/// match. Copies share their counters.
class EventFilter {
public:
    explicit EventFilter(CompiledFilters filters, FurtherCondition further = {});

    /// Call once per event.
    bool operator()(const etl::flow::Event& event);

private:
    struct State;

    std::shared_ptr<State> state_;
};

/// A chain of filters on a source.
class FilterChain {
public:
    /// The source outlives it.
    FilterChain(etl::flow::Source& source, const CompiledFilters& filters,
                etl::flow::TimeFilter::Upstream order, FurtherCondition further = {});

    etl::flow::Source& end() noexcept { return *end_; }

private:
    etl::flow::Source* end_;
    std::vector<std::unique_ptr<etl::flow::Source>> filters_;
};

/// Prints to standard error the filter names that matched nothing, with similar names. Call after
/// all events. Returns whether a field is among them.
bool report_unmatched(const etl::match::Condition& condition);

/// The same for names of --fields.
void report_unmatched_fields(const std::vector<etl::match::UnmatchedName>& fields);

} // namespace cli
