#include "verbs/analyze/analyze.hpp"

#include <etl/analysis/pass.hpp>

#include "cli/progress.hpp"
#include "verbs/analyze/part_tables.hpp"
#include "verbs/analyze/table_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace cli {

namespace {

using etl::analysis::PassOptions;
using etl::analysis::Table;
using etl::analysis::TableNeeds;

using TableList = std::vector<std::optional<Table>>;

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

etl::analysis::TableOptions table_options_of(const WantedTable& table, const PassOptions& pass,
                                             const etl::flow::Clock& clock) {
    etl::analysis::TableOptions options = table.options->table;
    if (table.options->slice_seconds > 0 && pass.range) {
        const std::int64_t first = pass.from ? clock.to_raw(*pass.from) : Limits::min();
        const std::int64_t last = pass.to ? clock.to_raw(*pass.to) : Limits::max();
        const double ticks = static_cast<double>(std::min(pass.range->second, last)) -
                             static_cast<double>(std::max(pass.range->first, first));
        const double slices =
            ticks / static_cast<double>(clock.frequency()) / table.options->slice_seconds;
        constexpr double most = static_cast<double>(etl::limits::analysis_slices);
        options.slices = static_cast<std::size_t>(std::clamp(std::round(slices), 1.0, most));
    }
    return options;
}

} // namespace

PassOptions pass_options_of(const etl::trace::Reader& reader, const WantedTable& table,
                            const TableInputs& inputs) {
    return {.facts = inputs.facts,
            .schemas = inputs.schemas,
            .pointer_size = table.options->pointer_size,
            .names = etl::facts::FrameNames(inputs.symbols),
            .processes = table.processes,
            .from = table.filters.window.from,
            .to = table.filters.window.to,
            .is_ordered = is_in_one_go(reader),
            .where = table.filters.condition,
            .matcher = table.filters.inputs};
}

namespace {

/// Tables that do not depend on the order of events: all threads fill them.
TableList parallel_tables_of(etl::trace::Reader& reader, const TableInputs& inputs,
                             std::span<const PassOptions> passes, unsigned threads) {
    std::vector<etl::analysis::ParallelJob> jobs;
    for (std::size_t i = 0; i < passes.size(); ++i) {
        const WantedTable& table = inputs.tables[i];
        etl::analysis::ParallelJob& job = jobs.emplace_back();
        job.options = passes[i];
        job.analyzers.resize(threads);
        std::ranges::generate(job.analyzers, [&] {
            return table.kind->make(table_options_of(table, passes[i], reader.info().clock));
        });
    }
    const auto show = [&](etl::FunctionRef<void(unsigned, etl::flow::Run)> visit) {
        reader.for_each_buffer(threads, [&](unsigned thread, const etl::trace::BufferEntry&,
                                            etl::flow::Run events) { visit(thread, events); });
    };
    return etl::analysis::run_in_parallel(show, reader.info(), jobs);
}

/// Computes the tables that do not exist yet, in one ordered pass.
ExitCode add_ordered_tables(etl::trace::Reader& reader, const TableInputs& inputs,
                            std::span<const PassOptions> passes, TableList& tables,
                            ProgressBar& bar) {
    std::vector<std::unique_ptr<etl::analysis::Analyzer>> analyzers;
    std::vector<etl::analysis::Job> jobs;
    for (std::size_t i = 0; i < tables.size(); ++i) {
        if (!tables[i]) {
            const WantedTable& table = inputs.tables[i];
            analyzers.push_back(
                table.kind->make(table_options_of(table, passes[i], reader.info().clock)));
            jobs.push_back({analyzers.back().get(), passes[i]});
        }
    }
    if (jobs.empty()) {
        return ExitCode::well;
    }
    auto computed = etl::analysis::run(reader, reader.info(), jobs,
                                       [&](std::uint64_t events, const etl::flow::Event& newest) {
                                           bar.show(fraction_by_place(newest), events);
                                           return true;
                                       });
    if (!computed) {
        say(printable(reader.info().name), computed.error());
        return ExitCode::failed;
    }
    auto next = computed->begin();
    for (std::optional<Table>& table : tables) {
        if (!table) {
            table = std::move(*next++);
        }
    }
    return ExitCode::well;
}

/// The tables of one trace.
std::expected<TableList, ExitCode> tables_of(etl::trace::Reader& reader, const TableInputs& inputs,
                                             ProgressBar& bar) {
    const unsigned threads = inputs.tables.front().options->traces.worker_threads();
    std::vector<PassOptions> passes;
    bool needs_range = false, is_order_free = threads > 1;
    for (const WantedTable& table : inputs.tables) {
        passes.push_back(pass_options_of(reader, table, inputs));
        needs_range = needs_range || table.kind->needs_range;
        is_order_free = is_order_free && table.kind->is_order_free;
    }
    TableList tables(passes.size());
    if (needs_range || is_order_free) {
        const Range range = range_of(reader, threads);
        for (PassOptions& pass : passes) {
            pass.range = {range.first, range.last};
        }
        if (is_order_free && !range.needs_order) {
            tables = parallel_tables_of(reader, inputs, passes, threads);
        }
    }
    const ExitCode exit = add_ordered_tables(reader, inputs, passes, tables, bar);
    return exit == ExitCode::well ? std::expected<TableList, ExitCode>(std::move(tables))
                                  : std::unexpected(exit);
}

/// The tables of all traces, added.
std::expected<TableList, ExitCode> tables_of_all(const Traces& traces, const TableInputs& inputs) {
    ProgressBar bar(inputs.tables.front().options->progress);
    TableList all(inputs.tables.size());
    for (const auto& reader : traces.readers()) {
        auto tables = tables_of(*reader, inputs, bar);
        if (!tables) {
            return tables;
        }
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all[i]) {
                all[i]->add(*std::move((*tables)[i]));
            } else {
                all[i] = std::move((*tables)[i]);
            }
        }
    }
    return all;
}

void take_larger(etl::match::Notes& to, const etl::match::Notes& from) {
    using etl::match::Notes;
    for (const auto count :
         {&Notes::unattributed, &Notes::unnamed, &Notes::without_pid, &Notes::without_tid}) {
        (to.*count).store(std::max((to.*count).load(), (from.*count).load()));
    }
}

} // namespace

/// Each table asks about the events that it needs, so the one that asks about most of them has
/// counted most.
void report_filters(const TableInputs& inputs) {
    for (auto table = inputs.tables.begin(); table != inputs.tables.end();) {
        const etl::match::Notes* const filters = table->options->filters.notes.get();
        report_unmatched(table->filters.condition);
        etl::match::Notes most;
        for (; table != inputs.tables.end() && table->options->filters.notes.get() == filters;
             ++table) {
            take_larger(most, table->filters.condition.notes());
        }
        cli::report(most);
    }
}

ExitCode finish_table(Table& table, const TableRows& rows) {
    table.compute_ratios();
    return sort_table(table, rows.sort);
}

std::expected<std::vector<Analysis>, ExitCode> analyze(std::span<const AnalyzeOptions> options) {
    const OpenedFiles opened = open_files(options.front().traces);
    const Traces traces(opened, options.front().traces, Traces::Findings::reported);
    if (traces.readers().empty()) {
        return std::unexpected(ExitCode::failed);
    }
    return analyze(traces, options);
}

std::expected<std::vector<Analysis>, ExitCode> analyze(const Traces& traces,
                                                       std::span<const AnalyzeOptions> options,
                                                       const etl::schema::SchemasByTrace* schemas) {
    const auto inputs = inputs_of(options, traces, schemas);
    if (!inputs) {
        return std::unexpected(inputs.error());
    }
    auto tables = tables_of_all(traces, *inputs);
    if (!tables) {
        return std::unexpected(tables.error());
    }
    std::vector<Analysis> analyses;
    for (std::size_t i = 0; i < tables->size(); ++i) {
        Table& table = *(*tables)[i];
        if (const ExitCode exit = finish_table(table, options[i].rows); exit != ExitCode::well) {
            return std::unexpected(exit);
        }
        analyses.push_back({.table = std::move(table), .exit = traces.exit_code()});
    }
    report_filters(*inputs);
    report_missing(inputs->symbols.get());
    return analyses;
}

std::expected<Analysis, ExitCode> analyze(const AnalyzeOptions& options) {
    const OpenedFiles opened = open_files(options.traces);
    Traces traces(opened, options.traces, Traces::Findings::reported);
    if (traces.readers().empty()) {
        return std::unexpected(ExitCode::failed);
    }
    if (auto table = table_of_window(options, opened, traces)) {
        if (!*table) {
            return std::unexpected(table->error());
        }
        const ExitCode exit = finish_table(**table, options.rows);
        return exit == ExitCode::well ? std::expected<Analysis, ExitCode>(
                                            Analysis{*std::move(*table), traces.exit_code()})
                                      : std::unexpected(exit);
    }
    auto analyses = analyze(traces, std::span(&options, 1));
    return analyses ? std::expected<Analysis, ExitCode>(std::move(analyses->front()))
                    : std::unexpected(analyses.error());
}

} // namespace cli
