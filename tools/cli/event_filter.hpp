// Which events are meant: the filter options of a command line. docs/filters.md
#pragma once

#include <etl/flow/filters.hpp>
#include <etl/match/matcher.hpp>

#include "cli/process_filter.hpp"

#include <CLI/CLI.hpp>

#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cli {

/// --where and its shorthands: all of them must hold.
struct FilterOptions {
    std::vector<std::string> where;     // as they were written,
    std::vector<std::string> providers; // names, globs or GUIDs
    std::vector<std::string> events;    // ids, names or globs
    std::optional<unsigned> level;
    std::optional<std::uint64_t> keyword;
    std::vector<std::string> processes;          // IDs, names or globs
    std::vector<std::uint32_t> pids, tids, cpus; // of headers
    std::optional<etl::match::TimePoint> from, to;
    std::optional<std::uint64_t> skip, limit;
    /// Counted while events are asked about; shared by all conditions made of these options.
    std::shared_ptr<etl::match::Notes> notes = std::make_shared<etl::match::Notes>();

    void add_to(CLI::App& verb);

    /// Nothing was asked for: all events fit.
    bool empty() const noexcept;

    /// --skip or --limit: what fits depends on the order of the events.
    bool counts() const noexcept { return skip || limit; }

    /// --from or --to.
    bool has_window() const noexcept { return from || to; }

    /// Names of providers or events, fields, or processes that payloads name.
    bool needs_schemas() const;

    /// Of processes, see match::MatcherInputs.
    bool needs_facts() const;

    /// A file or machine, see match::MatcherInputs.
    bool needs_origins() const;

    /// What is asked of single events. Errors: for people.
    std::expected<etl::match::Condition, std::string>
    compile(const etl::match::TimeBounds& bounds) const;

    /// The same, to ask headers before traces are open: times are not asked for. Compiled once:
    /// the options do not change any more. Null: it cannot be, which compile() explains.
    const etl::match::Condition* for_headers() const;

    /// --from and --to; nothing if one counts from an end that is not known, which is printed.
    std::optional<etl::flow::TimeFilter::Window> window(const etl::match::TimeBounds& bounds) const;

private:
    mutable std::optional<std::expected<etl::match::Condition, std::string>> for_headers_;
};

/// A condition beyond the options, asked last: what it refuses does not count either. May be empty.
using FurtherCondition = std::function<bool(const etl::flow::Event&)>;

/// What the options mean for the traces at hand.
struct CompiledFilters {
    etl::flow::TimeFilter::Window window;
    etl::match::Condition condition;
    etl::match::MatcherInputs inputs;
    std::uint64_t skip = 0;
    std::optional<std::uint64_t> limit;
};

/// Without inputs. Nothing if the options cannot be, which is printed.
std::optional<CompiledFilters> compile(const FilterOptions& options,
                                       const etl::match::TimeBounds& bounds);

/// What headers alone tell of the options: false for events that cannot fit. Any number of threads.
/// Empty where headers tell nothing.
std::function<bool(const etl::flow::Event&)> header_condition(const FilterOptions& options);

/// The options as a question about single events, in their order, for those who go on behind the
/// last one that fits. A value; copies count together.
class EventFilter {
public:
    explicit EventFilter(CompiledFilters filters, FurtherCondition further = {});

    /// Once for each event.
    bool operator()(const etl::flow::Event& event);

private:
    struct State;

    std::shared_ptr<State> state_;
};

/// A chain of filters on a source, as the options ask for.
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

/// Says on standard error which names of the filters nothing had, with similar ones, after all
/// events were asked about. True: a field was among them.
bool report_unmatched(const etl::match::Condition& condition);

/// The same for names of --fields.
void report_unmatched_fields(const std::vector<etl::match::UnmatchedName>& fields);

} // namespace cli
