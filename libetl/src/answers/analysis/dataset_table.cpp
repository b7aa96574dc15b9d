#include "analysis/dataset_table.hpp"

#include "analysis/dataset_parts.hpp"
#include "analysis/origin_keys.hpp"
#include "analysis/pass.hpp"
#include "analysis/states.hpp"
#include "gather/scopes.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace etl::analysis {

namespace {

using dataset::Dataset;
using Readers = std::vector<std::unique_ptr<trace::Reader>>;

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
                    if (is_in_any_range(event)) {
                        range.first = std::min(range.first, event.raw_time);
                        range.second = std::max(range.second, event.raw_time);
                    }
                }
            });
    }
    return range;
}

/// The tables of the scopes of a group.
Result<std::vector<Table>> tables_of(const Readers& readers, const gather::Scopes& scopes,
                                     const gather::ScopeGroup& group, const TableForm& form,
                                     const TableOptions& table, const PassOptions& options) {
    auto events = gather::GroupEvents::open(readers, group);
    if (!events) {
        return std::unexpected(events.error());
    }
    const bool is_ordered =
        group.readers.size() == 1 && readers[group.readers.front()]->is_in_one_go();
    std::vector<flow::TraceInfo> traces;
    std::vector<std::unique_ptr<Analyzer>> analyzers;
    std::vector<Job> jobs;
    for (const std::uint32_t number : group.scopes) {
        traces.push_back(events->trace_of(scopes.all()[number]));
        analyzers.push_back(form.make(table));
        PassOptions pass = options;
        pass.is_ordered = is_ordered;
        pass.scope = number;
        if (form.has_slices) {
            pass.range = range_of(readers, scopes.all()[number], number, *options.facts);
        }
        jobs.push_back({analyzers.back().get(), std::move(pass)});
    }
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        jobs[i].trace = &traces[i];
    }
    return run(events->source(), traces.front(), jobs);
}

/// Read from the beginning.
std::expected<Table, TraceError> table_of_all(Dataset& traces, const TableForm& form,
                                              const TableRequest& request, const PassOptions& pass,
                                              const OriginKeys& keys) {
    std::optional<Table> all;
    const gather::Scopes scopes(traces.readers());
    for (const gather::ScopeGroup& group : scopes.groups()) {
        auto tables = tables_of(traces.readers(), scopes, group, form, request.table, pass);
        if (!tables) {
            const auto& first = traces.readers()[group.readers.front()];
            return std::unexpected(TraceError{tables.error(), first->info().name, {}});
        }
        for (std::size_t i = 0; i < tables->size(); ++i) {
            Table& table = (*tables)[i];
            keys.add_to(table, group.scopes[i]);
            if (all) {
                all->add(std::move(table));
            } else {
                all = std::move(table);
            }
        }
    }
    return *std::move(all);
}

/// Whether all events of all processes are asked for.
bool is_of_everything(const Dataset& traces, const TableRequest& request) {
    const dataset::Options& options = traces.options();
    return request.processes.empty() && options.where.empty() && options.from.empty() &&
           options.to.empty() && !options.select && options.order == trace::Order::time;
}

} // namespace

std::expected<PreparedTable, TraceError> prepare_table(Dataset& traces, const TableForm& form,
                                                       const TableRequest& request) {
    auto filters = traces.filters();
    if (!filters) {
        return std::unexpected(std::move(filters.error()));
    }
    const match::Condition& where = filters->condition;
    PreparedTable prepared;
    PassOptions& pass = prepared.pass;
    pass.pointer_size = traces.options().pointer_size;
    pass.from = filters->window.from;
    pass.to = filters->window.to;
    if (!where.is_always_true()) {
        pass.where = where;
    }
    if (!request.processes.empty()) {
        if (!form.has_processes) {
            return std::unexpected(
                TraceError{{.code = ErrorCode::invalid_option, .what = "processes"},
                           "processes",
                           "this table has no processes; use 'process' in `where`"});
        }
        pass.processes = facts::parse_process_selection(request.processes);
    }
    const bool needs_processes =
        form.needs_processes() || !request.processes.empty() || where.needs_facts();
    const gather::Scopes scopes(traces.readers());
    using facts::Scope;
    const auto context = traces.context(
        {.schemas = form.needs_schemas() || where.needs_schemas() ? gather::SchemaScope::everything
                                                                  : gather::SchemaScope::facts,
         .facts = form.needs_all_facts() ? std::optional(Scope::everything)
                  : needs_processes      ? std::optional(Scope::processes)
                                         : std::nullopt,
         .origins = scopes.all().size() > 1 || where.needs_origins(),
         .stacks = form.has_earlier_stacks ? flow::TimeFilter::Window{} : filters->window});
    if (!context) {
        return std::unexpected(context.error());
    }
    pass.schemas = context->schemas;
    pass.facts = context->facts ? context->facts : gather::no_facts(traces.readers());
    pass.names = facts::FrameNames(form.needs_all_facts() ? traces.symbols() : nullptr);
    pass.matcher = {.schemas = pass.schemas,
                    .decoder = {.pointer_size = pass.pointer_size},
                    .facts = pass.facts,
                    .origins = context->origins};
    if (scopes.all().size() > 1 || where.needs_origins()) {
        prepared.keys = OriginKeys(scopes.origins(traces.readers(), *context->origins));
    }
    return prepared;
}

std::expected<Table, TraceError> table_of(Dataset& traces, const TableForm& form,
                                          const TableRequest& request) {
    if (is_of_everything(traces, request)) {
        if (auto kept = kept_table(traces, form, request.table)) {
            kept->compute_ratios();
            kept->sort();
            return *std::move(kept);
        }
    }
    const auto prepared = prepare_table(traces, form, request);
    if (!prepared) {
        return std::unexpected(prepared.error());
    }
    const auto& [pass, keys] = *prepared;
    auto window = std::expected<std::optional<Table>, TraceError>();
    if (traces.options().uses_indexes) {
        window = table_of_window(traces, {&form, request.table, pass}, keys);
    }
    auto all = !window   ? std::unexpected(std::move(window.error()))
               : *window ? std::expected<Table, TraceError>(**std::move(window))
                         : table_of_all(traces, form, request, pass, keys);
    if (!all) {
        return all;
    }
    if (pass.where) {
        traces.report_unmatched(*pass.where);
    }
    all->compute_ratios();
    all->sort();
    return all;
}

} // namespace etl::analysis
