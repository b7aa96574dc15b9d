// Which events are meant: the filter options of a command line.
#pragma once

#include <etl/decode/decoder.hpp>
#include <etl/facts/facts.hpp>
#include <etl/flow/filters.hpp>
#include <etl/schema/schemas_by_trace.hpp>

#include "cli/process_filter.hpp"
#include "cli/time_point.hpp"

#include <CLI/CLI.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cli {

struct FilterOptions {
    std::vector<std::string> providers; // names, globs or GUIDs
    std::vector<std::string> events;    // ids, names or globs
    std::optional<unsigned> level;
    std::optional<std::uint64_t> keyword;
    std::vector<std::string> processes;          // IDs, names or globs
    std::vector<std::uint32_t> pids, tids, cpus; // of headers
    std::optional<TimePoint> from, to;
    std::optional<std::uint64_t> skip, limit;
    /// Counted while events are asked about; shared by all conditions made of these options.
    std::shared_ptr<ProcessNotes> notes = std::make_shared<ProcessNotes>();

    void add_to(CLI::App& verb);

    /// Nothing was asked for: all events fit.
    bool empty() const noexcept;

    /// --skip or --limit: what fits depends on the order of the events.
    bool counts() const noexcept { return skip || limit; }

    /// --from or --to.
    bool has_window() const noexcept { return from || to; }

    /// Names of providers or events, or processes that payloads name.
    bool needs_schemas() const;

    /// Of processes, see FilterInputs.
    bool needs_facts() const noexcept { return !processes.empty(); }
};

/// What the options are compared with.
struct FilterInputs {
    etl::Filetime start{}; // what relative times count from
    etl::schema::SchemasByTrace schemas;
    /// As for the output: events have their names from the schema that decodes them.
    etl::decode::DecoderOptions decoder;
    /// If FilterOptions::needs_facts(); Scope::processes suffices.
    std::shared_ptr<const etl::facts::FactsByTrace> facts;
};

/// A condition beyond the options, asked last: what it refuses does not count either. May be empty.
using FurtherCondition = std::function<bool(const etl::flow::Event&)>;

/// What headers alone tell of the options: false for events that cannot fit. Any number of threads;
/// the options outlive it. Empty where headers tell nothing.
std::function<bool(const etl::flow::Event&)> header_condition(const FilterOptions& options);

/// The options as a question about single events, in their order, for those who go on behind the
/// last one that fits. A value; copies count together.
class EventFilter {
public:
    /// As for FilterChain. The options outlive it.
    EventFilter(const FilterOptions& options, const FilterInputs& inputs,
                FurtherCondition further = {});

    /// Once for each event.
    bool operator()(const etl::flow::Event& event);

private:
    struct State;

    std::shared_ptr<State> state_;
};

/// A chain of filters on a source, as the options ask for.
class FilterChain {
public:
    /// The source and the options outlive it.
    FilterChain(etl::flow::Source& source, const FilterOptions& options, const FilterInputs& inputs,
                etl::flow::TimeFilter::Upstream order, FurtherCondition further = {});

    etl::flow::Source& end() noexcept { return *end_; }

    /// Takes names from these schemas from now on.
    void use(etl::schema::SchemasByTrace schemas);

private:
    etl::flow::Source* end_;
    std::vector<std::unique_ptr<etl::flow::Source>> filters_;
    std::shared_ptr<etl::decode::Decoder> decoder_; // of a filter, or null
    etl::decode::DecoderOptions decoder_options_;
};

} // namespace cli
