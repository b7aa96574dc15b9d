#include "verbs/analyze/analyze.hpp"

#include <etl/analysis/pass.hpp>
#include <etl/gather/facts.hpp>

#include "cli/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace cli {

namespace {

using etl::analysis::Table;
using etl::analysis::TableKind;
using etl::analysis::TableNeeds;

/// What all traces share.
struct Inputs {
    const AnalyzeOptions* options = nullptr;
    const TableKind* kind = nullptr;
    CompiledFilters filters;
    etl::schema::SchemasByTrace schemas;
    std::shared_ptr<const etl::facts::FactsByTrace> facts;
    std::shared_ptr<etl::gather::StoreSymbols> symbols; // null: none
    etl::facts::ProcessSelection processes;
    bool collects_facts = false; // there are none yet
};

bool is_in_one_go(const etl::trace::Reader& reader) {
    return std::ranges::all_of(reader.buffers(),
                               [](const auto& buffer) { return buffer.run == 0; });
}

using Limits = std::numeric_limits<std::int64_t>;

/// The times of the first and the last event, and what only an ordered pass can say.
struct Range {
    std::int64_t first = Limits::max(), last = Limits::min();
    bool needs_order = false; // records have the time of an earlier buffer, or are damaged
};

/// In a pass of its own.
Range range_of(etl::trace::Reader& reader, unsigned threads) {
    std::vector<Range> parts(threads);
    const std::uint64_t damage = reader.for_each_buffer(
        threads, [&](unsigned worker, const etl::trace::BufferEntry&, etl::flow::Run events) {
            Range& part = parts[worker];
            for (const etl::flow::Event& event : events) {
                part.needs_order = part.needs_order || event.raw_time == Limits::min();
                if (etl::analysis::is_in_any_range(event)) {
                    part.first = std::min(part.first, event.raw_time);
                    part.last = std::max(part.last, event.raw_time);
                }
            }
        });
    Range all{.needs_order = damage != 0};
    for (const Range& part : parts) {
        all = {std::min(all.first, part.first), std::max(all.last, part.last),
               all.needs_order || part.needs_order};
    }
    return all;
}

std::optional<Table> parallel_table_of(etl::trace::Reader& reader, const Inputs& inputs,
                                       unsigned threads, const etl::analysis::PassOptions& pass) {
    std::vector<std::unique_ptr<etl::analysis::Analyzer>> analyzers(threads);
    std::ranges::generate(analyzers, [&] { return inputs.kind->make(inputs.options->table); });
    const auto show = [&](etl::FunctionRef<void(unsigned, etl::flow::Run)> visit) {
        reader.for_each_buffer(threads, [&](unsigned thread, const etl::trace::BufferEntry&,
                                            etl::flow::Run events) { visit(thread, events); });
    };
    return etl::analysis::run_in_parallel(show, reader.info(), analyzers, pass);
}

std::expected<Table, ExitCode> table_of(etl::trace::Reader& reader, const Inputs& inputs,
                                        ProgressBar& bar) {
    const auto analyzer = inputs.kind->make(inputs.options->table);
    const etl::flow::TraceInfo& trace = reader.info();
    etl::analysis::PassOptions pass{
        .facts = inputs.facts,
        .collects_facts = inputs.collects_facts,
        .schemas = inputs.schemas,
        .pointer_size = inputs.options->pointer_size,
        .names = etl::facts::FrameNames(inputs.symbols),
        .processes = inputs.processes,
        .from = inputs.filters.window.from,
        .to = inputs.filters.window.to,
        .is_ordered = is_in_one_go(reader),
        .where = inputs.filters.condition,
        .matcher = inputs.filters.inputs,
        .progress = [&](std::uint64_t events, const etl::flow::Event& newest) {
            bar.show(fraction_by_place(newest), events);
            return true;
        }};
    const unsigned threads = inputs.options->traces.worker_threads();
    const bool may_be_parallel = inputs.kind->is_order_free && threads > 1;
    if (inputs.kind->needs == TableNeeds::range || may_be_parallel) {
        const Range range = range_of(reader, threads);
        pass.range = {range.first, range.last};
        if (may_be_parallel && !range.needs_order) {
            if (auto table = parallel_table_of(reader, inputs, threads, pass)) {
                return *std::move(table);
            }
        }
    }
    auto table = etl::analysis::run(reader, trace, *analyzer, pass);
    if (!table) {
        say(printable(trace.name), table.error());
        return std::unexpected(ExitCode::failed);
    }
    return *std::move(table);
}

std::expected<Table, ExitCode> table_of_all(const Traces& traces, const Inputs& inputs) {
    ProgressBar bar(inputs.options->progress);
    std::optional<Table> all;
    for (const auto& reader : traces.readers()) {
        auto table = table_of(*reader, inputs, bar);
        if (!table) {
            return table;
        }
        if (all) {
            all->add(*std::move(table));
        } else {
            all = *std::move(table);
        }
    }
    return *std::move(all);
}

/// Events are selected by process in tables without processes.
FilterOptions filters_of(const AnalyzeOptions& options, const TableKind& kind) {
    FilterOptions filters = options.filters;
    if (kind.has_processes) {
        filters.processes.clear();
    }
    return filters;
}

ExitCode refuse_column(const Table& table, const std::string& name) {
    std::string names;
    for (const auto& column : table.columns) {
        names += (names.empty() ? "" : ", ") + std::string(column.name);
    }
    say(fmt::format("--sort: no column is named '{}'; the columns are {}", printable(name), names));
    return ExitCode::usage;
}

/// Whether the options name processes.
bool needs_facts(const AnalyzeOptions& options, const FilterOptions& filters) {
    return filters.needs_facts() || !options.filters.processes.empty();
}

/// Facts as far as needed.
std::shared_ptr<const etl::facts::FactsByTrace>
facts_for(const AnalyzeOptions& options, const TableKind& kind, const FilterOptions& filters,
          const Traces& traces, const etl::schema::SchemasByTrace& schemas) {
    const bool all = kind.needs == TableNeeds::all_facts;
    if (!all && kind.needs != TableNeeds::processes && !needs_facts(options, filters)) {
        std::uint32_t last = 0;
        for (const auto& reader : traces.readers()) {
            last = std::max(last, reader->info().file);
        }
        return std::make_shared<const etl::facts::FactsByTrace>(last + std::size_t{1});
    }
    using etl::facts::Scope;
    return etl::gather::facts_of(
        traces.readers(), schemas,
        {.scope = all ? Scope::everything : Scope::processes, .pointer_size = options.pointer_size},
        options.traces.worker_threads(), say_remark);
}

/// Schemas, facts, and filters. Errors are printed.
std::expected<Inputs, ExitCode> inputs_of(const AnalyzeOptions& options, const TableKind& kind,
                                          const Traces& traces) {
    const FilterOptions filters = filters_of(options, kind);
    Inputs inputs{.options = &options, .kind = &kind, .filters = {}};
    auto compiled = compile(filters, etl::gather::bounds_of(traces.readers()));
    if (!compiled) {
        return std::unexpected(ExitCode::usage);
    }
    inputs.filters = *std::move(compiled);
    const unsigned threads = options.traces.worker_threads();
    SchemaOptions schemas = options.schemas;
    // Kernel classes are built in: the traces are searched only for those of others.
    schemas.harvest =
        schemas.harvest && (filters.needs_schemas() || kind.needs == TableNeeds::schemas);
    etl::facts::OriginCollector collected;
    auto gathered =
        gather_schemas(schemas, traces, threads, filters.needs_origins() ? &collected : nullptr);
    if (!gathered) {
        return std::unexpected(ExitCode::failed);
    }
    inputs.schemas = gathered->by_trace;
    inputs.collects_facts =
        kind.needs == TableNeeds::late_processes && !needs_facts(options, filters);
    inputs.facts = facts_for(options, kind, filters, traces, inputs.schemas);
    if (kind.needs == TableNeeds::all_facts) {
        inputs.symbols = options.symbols.open();
    }
    if (!options.filters.processes.empty()) {
        report_unknown_names(options.filters.processes, *inputs.facts);
        if (kind.has_processes) {
            inputs.processes = etl::facts::parse_process_selection(options.filters.processes);
        }
    }
    inputs.filters.inputs = {.schemas = inputs.schemas,
                             .decoder = {.pointer_size = options.pointer_size},
                             .facts = inputs.facts};
    if (filters.needs_origins()) {
        inputs.filters.inputs.origins = etl::gather::origins_of(traces.readers(), collected);
    }
    return inputs;
}

} // namespace

ExitCode sort_table(Table& table, const std::string& by) {
    if (by.empty()) {
        table.sort();
        return ExitCode::well;
    }
    const bool is_reversed = by.starts_with('-');
    const std::string name = by.substr(is_reversed ? 1 : 0);
    const auto column = table.find(name);
    if (!column) {
        return refuse_column(table, name);
    }
    table.sort_by(*column, is_reversed);
    return ExitCode::well;
}

std::expected<Analysis, ExitCode> analyze(const AnalyzeOptions& options) {
    const TableKind* const kind = etl::analysis::find_table(options.verb, options.by);
    if (kind == nullptr) {
        return std::unexpected(ExitCode::usage);
    }
    const OpenedFiles opened = open_files(options.traces);
    const Traces traces(opened, options.traces, Traces::Findings::reported);
    if (traces.readers().empty()) {
        return std::unexpected(ExitCode::failed);
    }
    const auto inputs = inputs_of(options, *kind, traces);
    if (!inputs) {
        return std::unexpected(inputs.error());
    }
    auto table = table_of_all(traces, *inputs);
    if (!table) {
        return std::unexpected(table.error());
    }
    table->compute_ratios();
    if (const ExitCode exit = sort_table(*table, options.sort); exit != ExitCode::well) {
        return std::unexpected(exit);
    }
    report_unmatched(inputs->filters.condition);
    report_missing(inputs->symbols.get());
    cli::report(inputs->filters.condition.notes());
    return Analysis{.table = *std::move(table), .exit = traces.exit_code()};
}

} // namespace cli
