#include "verbs/tracerpt/report.hpp"

#include "analysis/origin_keys.hpp"
#include "analysis/pass.hpp"
#include "analysis/tables.hpp"
#include "gather/scopes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cli {

namespace {

using etl::analysis::Table;

using Forms = std::vector<const etl::analysis::TableForm*>;

/// The tables of a level; higher levels contain those of lower ones.
Forms tables_up_to(unsigned level) {
    Forms forms = forms_in(&etl::analysis::TablePlaces::tracerpt);
    constexpr unsigned places_per_level = 10;
    std::erase_if(forms, [&](const etl::analysis::TableForm* form) {
        return form->places.tracerpt / places_per_level > level;
    });
    return forms;
}

/// What the tables of all traces share.
struct ReportInputs {
    Forms wanted;
    etl::schema::SchemasByTrace schemas;
    std::shared_ptr<const etl::facts::FactsByTrace> facts;
    std::shared_ptr<const etl::facts::Origins> origins;
};

/// The tables of traces that are read together, of each machine and boot, in one pass.
std::expected<std::vector<std::vector<Table>>, ExitCode>
compute(const Traces& traces, const etl::gather::Scopes& scopes,
        const etl::gather::ScopeGroup& group, const ReportInputs& inputs) {
    const auto say_failure = [&](const etl::Error& error) {
        say(printable(traces.readers()[group.readers.front()]->info().name), error);
        return std::unexpected(ExitCode::failed);
    };
    auto events = etl::gather::GroupEvents::open(traces.readers(), group);
    if (!events) {
        return say_failure(events.error());
    }
    std::vector<etl::flow::TraceInfo> infos;
    for (const std::uint32_t number : group.scopes) {
        infos.push_back(events->trace_of(scopes.all()[number]));
    }
    std::vector<std::unique_ptr<etl::analysis::Analyzer>> analyzers;
    std::vector<etl::analysis::Job> jobs;
    for (std::size_t i = 0; i < infos.size(); ++i) {
        for (const etl::analysis::TableForm* const wanted : inputs.wanted) {
            analyzers.push_back(wanted->make({}));
            jobs.push_back({.analyzer = analyzers.back().get(),
                            .options = {.facts = inputs.facts,
                                        .scope = group.scopes[i],
                                        .schemas = inputs.schemas,
                                        .is_ordered = false},
                            .trace = &infos[i]});
        }
    }
    auto tables = etl::analysis::run(events->source(), infos.front(), jobs);
    if (!tables) {
        return say_failure(tables.error());
    }
    std::vector<std::vector<Table>> by_scope(infos.size());
    for (std::size_t i = 0; i < tables->size(); ++i) {
        by_scope[i / inputs.wanted.size()].push_back(std::move((*tables)[i]));
    }
    return by_scope;
}

/// The tables of all traces, added.
std::expected<std::vector<Table>, ExitCode> compute_all(const Traces& traces,
                                                        const ReportInputs& inputs) {
    std::vector<Table> all;
    const etl::gather::Scopes scopes(traces.readers());
    const etl::analysis::OriginKeys keys(scopes.origins(traces.readers(), *inputs.origins));
    for (const etl::gather::ScopeGroup& group : scopes.groups()) {
        auto by_scope = compute(traces, scopes, group, inputs);
        if (!by_scope) {
            return std::unexpected(by_scope.error());
        }
        for (std::size_t scope = 0; scope < by_scope->size(); ++scope) {
            std::vector<Table>& tables = (*by_scope)[scope];
            std::ranges::for_each(tables,
                                  [&](Table& table) { keys.add_to(table, group.scopes[scope]); });
            for (std::size_t i = 0; i < all.size(); ++i) {
                all[i].add(std::move(tables[i]));
            }
            if (all.empty()) {
                all = std::move(tables);
            }
        }
    }
    for (Table& table : all) {
        table.compute_ratios();
        table.sort();
    }
    return all;
}

} // namespace

ReportTotals totals_of(const Traces& traces, std::uint64_t events) {
    const etl::match::TimeBounds bounds = traces.dataset().bounds();
    ReportTotals totals{.files = {},
                        .buffers = 0,
                        .events = events,
                        .lost_events = 0,
                        .begin = bounds.start,
                        .end = bounds.end};
    for (const auto& reader : traces.readers()) {
        totals.files.push_back(printable(reader->info().name));
        totals.buffers += reader->info().buffers;
        totals.lost_events += reader->info().header.events_lost;
    }
    return totals;
}

std::expected<Report, ExitCode> make_report(const TraceOptions& named,
                                            const SchemaOptions& schema_options, unsigned level,
                                            ReportTotals totals) {
    const OpenedFiles opened = open_files(named);
    const Traces traces(opened, named, Traces::Findings::silent);
    const auto context = context_of(traces, schema_options,
                                    {.facts = etl::facts::Scope::everything, .origins = true});
    if (!context) {
        return std::unexpected(ExitCode::failed);
    }
    const ReportInputs inputs{.wanted = tables_up_to(level),
                              .schemas = context->schemas,
                              .facts = context->facts,
                              .origins = context->origins};
    auto tables = compute_all(traces, inputs);
    if (!tables) {
        return std::unexpected(tables.error());
    }
    Report report{.totals = std::move(totals), .tables = {}};
    for (std::size_t i = 0; i < tables->size(); ++i) {
        const etl::analysis::TableForm& wanted = *inputs.wanted[i];
        if (!(*tables)[i].rows.empty()) {
            report.tables.push_back({wanted.by.empty()
                                         ? std::string(wanted.kind->name)
                                         : fmt::format("{} by {}", wanted.kind->name, wanted.by),
                                     std::move((*tables)[i])});
        }
    }
    return report;
}

} // namespace cli
