#include "capi/table_work.hpp"

#include "analysis/origin_keys.hpp"
#include "analysis/pass.hpp"
#include "dataset/dataset.hpp"
#include "gather/scopes.hpp"
#include "view/limits.hpp"

#include <algorithm>
#include <limits>

namespace etl::capi {

namespace {

using analysis::PassOptions;
using analysis::TableNeeds;
using dataset::Dataset;
using Readers = std::vector<std::unique_ptr<trace::Reader>>;

/// Damage of the traces, of which only the first lines are kept.
class Findings {
public:
    void add(const Diagnostic& finding, const std::string& input) {
        if (finding.severity == Severity::warning && count_++ < limits::kept_findings) {
            lines_.push_back(input + ":" + describe(finding));
        }
    }

    void append_to(std::vector<std::string>& lines) const {
        lines.insert(lines.end(), lines_.begin(), lines_.end());
        if (count_ > lines_.size()) {
            lines.push_back(std::to_string(count_ - lines_.size()) + " more findings");
        }
    }

private:
    std::vector<std::string> lines_;
    std::uint64_t count_ = 0;
};

/// What inputs cannot be read is a remark, unless none can.
std::expected<void, etl_error> check_inputs(const Dataset& traces,
                                            std::vector<std::string>& remarks) {
    for (const dataset::Problem& problem : traces.problems()) {
        etl_error error = failed(TraceError{problem.error, problem.name, {}}).error();
        if (traces.is_empty()) {
            return std::unexpected(std::move(error));
        }
        if (!problem.is_in_findings) {
            remarks.push_back(std::move(error.message));
        }
    }
    if (traces.is_empty()) {
        return failed(ETL_NOT_FOUND, "no trace");
    }
    return {};
}

/// The options of the pass, with what must be known before the first event.
std::expected<PassOptions, etl_error> prepare(const TableRequest& request, Dataset& traces,
                                              analysis::OriginKeys& keys) {
    auto filters = traces.filters();
    if (!filters) {
        return failed(filters.error());
    }
    const match::Condition& where = filters->condition;
    PassOptions pass;
    pass.from = filters->window.from;
    pass.to = filters->window.to;
    if (!where.is_always_true()) {
        pass.where = where;
    }
    if (!request.processes.empty()) {
        if (!request.form->has_processes) {
            return failed(ETL_INVALID_ARGUMENT,
                          "this table has no processes; use 'process' in `where`");
        }
        pass.processes = facts::parse_process_selection(request.processes);
    }
    const TableNeeds needs = request.form->needs;
    const bool needs_both = needs == TableNeeds::facts_and_schemas;
    const bool needs_all = needs == TableNeeds::all_facts || needs_both;
    const bool needs_processes =
        needs == TableNeeds::processes || !request.processes.empty() || where.needs_facts();
    const gather::Scopes scopes(traces.readers());
    using facts::Scope;
    const auto context = traces.context(
        {.schemas = needs == TableNeeds::schemas || needs_both || where.needs_schemas()
                        ? gather::SchemaScope::everything
                        : gather::SchemaScope::facts,
         .facts = needs_all         ? std::optional(Scope::everything)
                  : needs_processes ? std::optional(Scope::processes)
                                    : std::nullopt,
         .origins = scopes.all().size() > 1 || where.needs_origins()});
    if (!context) {
        return failed(context.error());
    }
    pass.schemas = context->schemas;
    pass.facts = context->facts ? context->facts : gather::no_facts(traces.readers());
    pass.names = facts::FrameNames(needs_all ? traces.symbols() : nullptr);
    pass.matcher = {.schemas = pass.schemas, .facts = pass.facts, .origins = context->origins};
    if (scopes.all().size() > 1 || where.needs_origins()) {
        keys = analysis::OriginKeys(scopes.origins(traces.readers(), *context->origins));
    }
    return pass;
}

/// The times of the first and the last event of a scope, in a pass of their own.
std::pair<std::int64_t, std::int64_t> range_of(const Readers& readers, const gather::Scope& scope,
                                               std::uint32_t number,
                                               const facts::FactsByTrace& facts) {
    std::pair range{std::numeric_limits<std::int64_t>::max(),
                    std::numeric_limits<std::int64_t>::min()};
    for (const std::size_t reader : scope.readers) {
        readers[reader]->for_each_buffer(
            1, [&](unsigned, const trace::BufferEntry&, flow::Run events) {
                if (events.empty() || facts.number_of(events.front()) != number) {
                    return;
                }
                for (const flow::Event& event : events) {
                    if (analysis::is_in_any_range(event)) {
                        range.first = std::min(range.first, event.raw_time);
                        range.second = std::max(range.second, event.raw_time);
                    }
                }
            });
    }
    return range;
}

/// The tables of the scopes of a group.
Result<std::vector<analysis::Table>> tables_of(const Readers& readers, const gather::Scopes& scopes,
                                               const gather::ScopeGroup& group,
                                               const TableRequest& request,
                                               const PassOptions& options) {
    auto events = gather::GroupEvents::open(readers, group);
    if (!events) {
        return std::unexpected(events.error());
    }
    const bool is_ordered =
        group.readers.size() == 1 &&
        std::ranges::all_of(readers[group.readers.front()]->buffers(),
                            [](const trace::BufferEntry& buffer) { return buffer.run == 0; });
    std::vector<flow::TraceInfo> traces;
    std::vector<std::unique_ptr<analysis::Analyzer>> analyzers;
    std::vector<analysis::Job> jobs;
    for (const std::uint32_t number : group.scopes) {
        traces.push_back(events->trace_of(scopes.all()[number]));
        analyzers.push_back(request.form->make({.slices = request.slices}));
        PassOptions pass = options;
        pass.is_ordered = is_ordered;
        pass.scope = number;
        if (request.form->has_slices) {
            pass.range = range_of(readers, scopes.all()[number], number, *options.facts);
        }
        jobs.push_back({analyzers.back().get(), std::move(pass)});
    }
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        jobs[i].trace = &traces[i];
    }
    return analysis::run(events->source(), traces.front(), jobs);
}

std::string text_of_gap(const analysis::NotRecorded& gap) {
    std::string text = "not recorded: " + std::string(gap.source);
    if (!gap.record.empty()) {
        text += "; to record it: " + std::string(gap.record);
    }
    return text;
}

void add_remarks(const analysis::Coverage& coverage, std::vector<std::string>& to) {
    std::ranges::transform(coverage.other_versions, std::back_inserter(to), analysis::describe);
    std::ranges::transform(coverage.not_recorded, std::back_inserter(to), text_of_gap);
    if (coverage.lost_events.value_or(0) > 0) {
        to.push_back("the session lost " + std::to_string(*coverage.lost_events) + " events");
    }
    if (coverage.lost_buffers.value_or(0) > 0) {
        to.push_back("the session lost " + std::to_string(*coverage.lost_buffers) + " buffers");
    }
}

} // namespace

std::expected<ComputedTable, etl_error> compute(const TableRequest& request) {
    Findings findings; // outlives the readers
    std::vector<std::string> remarks;
    Dataset traces = Dataset::open(
        request.paths,
        {.schemas = request.schemas,
         .where = request.where,
         .from = request.from,
         .to = request.to,
         .threads = request.threads,
         .symbols = request.symbols,
         .findings = [&](const Diagnostic& finding,
                         const std::string& input) { findings.add(finding, input); },
         .remarks = [&](const gather::Remark& line) { remarks.push_back(describe(line)); }});
    if (auto checked = check_inputs(traces, remarks); !checked) {
        return std::unexpected(std::move(checked.error()));
    }
    analysis::OriginKeys keys;
    const auto pass = prepare(request, traces, keys);
    if (!pass) {
        return std::unexpected(pass.error());
    }
    std::optional<analysis::Table> all;
    const gather::Scopes scopes(traces.readers());
    for (const gather::ScopeGroup& group : scopes.groups()) {
        auto tables = tables_of(traces.readers(), scopes, group, request, *pass);
        if (!tables) {
            const auto& first = traces.readers()[group.readers.front()];
            return failed(TraceError{tables.error(), first->info().name, {}});
        }
        for (std::size_t i = 0; i < tables->size(); ++i) {
            analysis::Table& table = (*tables)[i];
            keys.add_to(table, group.scopes[i]);
            if (all) {
                all->add(std::move(table));
            } else {
                all = std::move(table);
            }
        }
    }
    all->compute_ratios();
    all->sort();
    add_remarks(all->coverage, remarks);
    findings.append_to(remarks);
    return ComputedTable{*std::move(all), std::move(remarks)};
}

} // namespace etl::capi
