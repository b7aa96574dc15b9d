#include "verbs/tracerpt/report.hpp"

#include <etl/analysis/pass.hpp>
#include <etl/analysis/tables.hpp>
#include <etl/gather/facts.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace cli {

namespace {

using etl::analysis::Table;

/// The tables of a level; higher levels contain those of lower ones.
struct LevelTable {
    unsigned level;
    const char* name;
    const char* by;
};

constexpr LevelTable level_tables[] = {
    {1, "stats", "event"},       {1, "cpu", "process"},
    {1, "disk", "process"},      {1, "network", "process"},
    {1, "processes", ""},        {2, "stats", "provider"},
    {2, "disk", "disk"},         {2, "files", "process"},
    {2, "images", ""},           {3, "cpu", "thread"},
    {3, "disk", "file"},         {3, "files", "file"},
    {3, "network", "peer"},      {4, "waits", "process"},
    {4, "interrupts", "module"}, {4, "gc", ""},
    {5, "cpu", "module"},        {5, "cpu", "function"},
};

struct ReportInputs {
    OpenedFiles opened;
    TraceOptions traces;
    etl::schema::SchemasByTrace schemas;
    std::shared_ptr<const etl::facts::FactsByTrace> facts;
};

std::expected<Table, ExitCode> compute(const ReportInputs& inputs, const LevelTable& wanted) {
    const auto* const kind = etl::analysis::find_table(wanted.name, wanted.by);
    const Traces traces(inputs.opened, inputs.traces, Traces::Findings::silent);
    std::optional<Table> all;
    for (const auto& reader : traces.readers()) {
        const auto analyzer = kind->make({});
        auto table = etl::analysis::run(
            *reader, reader->info(), *analyzer,
            {.facts = inputs.facts, .schemas = inputs.schemas, .is_ordered = false});
        if (!table) {
            say(printable(reader->info().name), table.error());
            return std::unexpected(ExitCode::failed);
        }
        if (all) {
            all->add(*std::move(table));
        } else {
            all = *std::move(table);
        }
    }
    all->compute_ratios();
    all->sort();
    return *std::move(all);
}

} // namespace

ReportTotals totals_of(const Traces& traces, std::uint64_t events) {
    const etl::match::TimeBounds bounds = etl::gather::bounds_of(traces.readers());
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
    ReportInputs shared{
        .opened = open_files(named), .traces = named, .schemas = {}, .facts = nullptr};
    const Traces traces(shared.opened, shared.traces, Traces::Findings::silent);
    const unsigned threads = named.worker_threads();
    const auto schemas = gather_schemas(schema_options, traces, threads);
    if (!schemas) {
        return std::unexpected(ExitCode::failed);
    }
    shared.schemas = schemas->by_trace;
    shared.facts =
        etl::gather::facts_of(traces.readers(), shared.schemas,
                              {.scope = etl::facts::Scope::everything}, threads, say_remark);
    Report report{.totals = std::move(totals), .tables = {}};
    for (const LevelTable& wanted : level_tables) {
        if (wanted.level > level) {
            break;
        }
        auto table = compute(shared, wanted);
        if (!table) {
            return std::unexpected(table.error());
        }
        if (!table->rows.empty()) {
            report.tables.push_back({*wanted.by == '\0'
                                         ? std::string(wanted.name)
                                         : fmt::format("{} by {}", wanted.name, wanted.by),
                                     *std::move(table)});
        }
    }
    return report;
}

} // namespace cli
