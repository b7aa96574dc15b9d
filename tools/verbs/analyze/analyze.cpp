#include "verbs/analyze/analyze.hpp"

#include "analysis/origin_keys.hpp"
#include "analysis/pass.hpp"
#include "analysis/states.hpp"
#include "base/text.hpp"
#include "cli/progress.hpp"
#include "gather/scopes.hpp"
#include "gather/trace_index.hpp"
#include "io/find_files.hpp"
#include "verbs/analyze/part_tables.hpp"
#include "verbs/analyze/table_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <utility>

namespace cli {

namespace {

using etl::analysis::PassOptions;
using etl::analysis::Table;
using etl::analysis::TableNeeds;

using TableList = std::vector<std::optional<Table>>;

using Limits = std::numeric_limits<std::int64_t>;

/// Traces that are read together, and what of them the tables of one machine and boot are made of.
struct Group {
    const Traces& traces;
    const etl::gather::ScopeGroup& all;
    const TableInputs& inputs;

    /// Shows all events, in any order, with their scope, or the number of no facts.
    template <typename Visit>
    std::uint64_t for_each_buffer(unsigned threads, Visit&& visit) const {
        std::uint64_t damage = 0;
        for (const std::size_t number : all.readers) {
            damage += traces.readers()[number]->for_each_buffer(
                threads,
                [&](unsigned worker, const etl::trace::BufferEntry&, etl::flow::Run events) {
                    if (!events.empty()) {
                        visit(worker, inputs.facts->number_of(events.front()), events);
                    }
                });
        }
        return damage;
    }
};

/// The times of the first and the last event, and what only an ordered pass can say.
struct Range {
    std::int64_t first = Limits::max(), last = Limits::min();
    bool needs_order = false; // records have the time of an earlier buffer, or are damaged

    void add(const Range& other) {
        first = std::min(first, other.first);
        last = std::max(last, other.last);
        needs_order = needs_order || other.needs_order;
    }
};

using Ranges = std::map<std::uint32_t, Range>; // by scope

/// Finds the ranges in the next walk over each trace, whatever that is for.
class RangeWalk {
public:
    RangeWalk(const Traces& traces, unsigned threads);

    /// Of the scopes of a group. Walks over the traces that no walk has shown since.
    Ranges of(const etl::gather::ScopeGroup& group);

private:
    /// What was found in one trace.
    struct Parts {
        std::vector<Ranges> by_thread;
        std::atomic<bool> is_shown = false;
    };

    const Traces* traces_;
    unsigned threads_;
    std::vector<std::shared_ptr<Parts>> parts_; // by reader; with the readers
};

void add_to_range(Range& range, etl::flow::Run events) {
    for (const etl::flow::Event& event : events) {
        range.needs_order = range.needs_order || event.raw_time == Limits::min();
        if (etl::analysis::is_in_any_range(event)) {
            range.first = std::min(range.first, event.raw_time);
            range.last = std::max(range.last, event.raw_time);
        }
    }
}

RangeWalk::RangeWalk(const Traces& traces, unsigned threads) : traces_(&traces), threads_(threads) {
    const auto scopes = std::make_shared<const etl::gather::Scopes>(traces.readers());
    for (const auto& reader : traces.readers()) {
        const auto& parts = parts_.emplace_back(std::make_shared<Parts>());
        parts->by_thread.resize(threads);
        reader->join_next_walk(threads, [parts, scopes, trace = &reader->info()](
                                            unsigned worker, const etl::trace::BufferEntry& entry,
                                            etl::flow::Run events) {
            parts->is_shown = true;
            if (!events.empty()) {
                add_to_range(parts->by_thread[worker][scopes->of(*trace, entry.merged_input)],
                             events);
            }
        });
    }
}

Ranges RangeWalk::of(const etl::gather::ScopeGroup& group) {
    Ranges all;
    for (const std::size_t number : group.readers) {
        etl::trace::Reader& reader = *traces_->readers()[number];
        if (!parts_[number]->is_shown) {
            reader.for_each_buffer(threads_, [](unsigned, const auto&, etl::flow::Run) {});
        }
        for (const std::uint32_t scope : group.scopes) {
            for (Ranges& part : parts_[number]->by_thread) {
                all[scope].add(part[scope]);
            }
            all[scope].needs_order = all[scope].needs_order || reader.damage_in_buffers() != 0;
        }
    }
    return all;
}

/// Tables of slices need the range before the events, and so do those that all threads fill.
bool may_need_ranges(std::span<const AnalyzeOptions> options, unsigned threads) {
    bool has_slices = false, is_order_free = threads > 1;
    for (const AnalyzeOptions& one : options) {
        const auto* const form = etl::analysis::find_table(one.verb, one.by);
        has_slices = has_slices || (form != nullptr && form->has_slices);
        is_order_free = is_order_free && form != nullptr && form->is_order_free;
    }
    return has_slices || is_order_free;
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
        constexpr double max = static_cast<double>(etl::analysis::limits::analysis_slices);
        options.slices = static_cast<std::size_t>(std::clamp(std::round(slices), 1.0, max));
    }
    return options;
}

} // namespace

PassOptions pass_options_of(const WantedTable& table, const TableInputs& inputs) {
    return {.facts = inputs.facts,
            .schemas = inputs.schemas,
            .pointer_size = table.options->pointer_size,
            .names = etl::facts::FrameNames(inputs.symbols),
            .processes = table.processes,
            .from = table.filters.window.from,
            .to = table.filters.window.to,
            .sums = table.options->sums,
            .where = table.filters.condition,
            .matcher = table.filters.inputs};
}

namespace {

/// The tables of one scope.
struct ScopeTables {
    etl::flow::TraceInfo trace; // its header
    std::vector<PassOptions> passes;
    TableList tables;
};

/// Tables that do not depend on the order of events: all threads fill them.
void add_parallel_tables(const Group& group, ScopeTables& of, unsigned threads) {
    std::vector<etl::analysis::ParallelJob> jobs;
    for (std::size_t i = 0; i < of.passes.size(); ++i) {
        const WantedTable& table = group.inputs.tables[i];
        etl::analysis::ParallelJob& job = jobs.emplace_back();
        job.options = of.passes[i];
        job.analyzers.resize(threads);
        std::ranges::generate(job.analyzers, [&] {
            return table.form->make(table_options_of(table, of.passes[i], of.trace.clock));
        });
    }
    const auto show = [&](etl::FunctionRef<void(unsigned, etl::flow::Run)> visit) {
        group.for_each_buffer(threads, [&](unsigned thread, std::uint32_t, etl::flow::Run events) {
            visit(thread, events);
        });
    };
    of.tables = etl::analysis::run_in_parallel(show, of.trace, jobs);
}

/// Computes the tables that do not exist yet, in one ordered pass.
ExitCode add_ordered_tables(const Group& group, etl::flow::Source& source,
                            std::vector<ScopeTables>& scopes, ProgressBar& bar) {
    std::vector<std::unique_ptr<etl::analysis::Analyzer>> analyzers;
    std::vector<etl::analysis::Job> jobs;
    std::vector<std::optional<Table>*> places;
    for (ScopeTables& of : scopes) {
        for (std::size_t i = 0; i < of.tables.size(); ++i) {
            if (of.tables[i]) {
                continue;
            }
            const WantedTable& table = group.inputs.tables[i];
            analyzers.push_back(
                table.form->make(table_options_of(table, of.passes[i], of.trace.clock)));
            jobs.push_back({analyzers.back().get(), of.passes[i], &of.trace});
            places.push_back(&of.tables[i]);
        }
    }
    if (jobs.empty()) {
        return ExitCode::well;
    }
    auto computed = etl::analysis::run(
        source, scopes.front().trace, jobs,
        [&](std::uint64_t events, const etl::flow::Event& newest) {
            bar.show(fraction_by_place(newest), events);
            return true;
        },
        group.inputs.tables.front().options->traces.worker_threads());
    if (!computed) {
        say(printable(scopes.front().trace.name), computed.error());
        return ExitCode::failed;
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        *places[i] = std::move((*computed)[i]);
    }
    return ExitCode::well;
}

/// The tables of a group of traces, for each scope.
std::expected<std::vector<ScopeTables>, ExitCode> tables_of(const Group& group,
                                                            const etl::gather::Scopes& scopes,
                                                            RangeWalk* walk, ProgressBar& bar) {
    const auto& readers = group.traces.readers();
    auto events = etl::gather::GroupEvents::open(readers, group.all);
    if (!events) {
        say(printable(readers[group.all.readers.front()]->info().name), events.error());
        return std::unexpected(ExitCode::failed);
    }
    const unsigned threads = group.inputs.tables.front().options->traces.worker_threads();
    std::vector<ScopeTables> all;
    bool has_slices = false, is_order_free = threads > 1 && group.all.scopes.size() == 1;
    for (const WantedTable& table : group.inputs.tables) {
        has_slices = has_slices || table.form->has_slices;
        is_order_free = is_order_free && table.form->is_order_free;
    }
    const Ranges ranges =
        walk != nullptr && (has_slices || is_order_free) ? walk->of(group.all) : Ranges();
    for (const std::uint32_t number : group.all.scopes) {
        ScopeTables& of = all.emplace_back();
        of.trace = events->trace_of(scopes.all()[number]);
        of.tables.resize(group.inputs.tables.size());
        for (const WantedTable& table : group.inputs.tables) {
            PassOptions& pass = of.passes.emplace_back(pass_options_of(table, group.inputs));
            pass.is_ordered =
                group.all.readers.size() == 1 && readers[group.all.readers.front()]->is_in_one_go();
            pass.scope = number;
            if (scopes.all().size() > 1) {
                pass.sums = nullptr;
            }
            if (const auto range = ranges.find(number); range != ranges.end()) {
                pass.range = {range->second.first, range->second.last};
            }
        }
        if (is_order_free && !ranges.at(number).needs_order) {
            add_parallel_tables(group, of, threads);
        }
    }
    const ExitCode exit = add_ordered_tables(group, events->source(), all, bar);
    return exit == ExitCode::well
               ? std::expected<std::vector<ScopeTables>, ExitCode>(std::move(all))
               : std::unexpected(exit);
}

/// The tables of all traces, added.
std::expected<TableList, ExitCode> tables_of_all(const Traces& traces, const TableInputs& inputs,
                                                 RangeWalk* walk) {
    ProgressBar bar(inputs.tables.front().options->progress);
    TableList all(inputs.tables.size());
    const etl::gather::Scopes scopes(traces.readers());
    const etl::analysis::OriginKeys keys(inputs.origins);
    for (const etl::gather::ScopeGroup& group : scopes.groups()) {
        auto of_group = tables_of({traces, group, inputs}, scopes, walk, bar);
        if (!of_group) {
            return std::unexpected(of_group.error());
        }
        for (std::size_t scope = 0; scope < of_group->size(); ++scope) {
            ScopeTables& of = (*of_group)[scope];
            for (std::size_t i = 0; i < all.size(); ++i) {
                keys.add_to(*of.tables[i], group.scopes[scope]);
                if (all[i]) {
                    all[i]->add(*std::move(of.tables[i]));
                } else {
                    all[i] = std::move(of.tables[i]);
                }
            }
        }
    }
    return all;
}

void take_larger(etl::match::Notes& to, const etl::match::Notes& from) {
    using etl::match::Notes;
    for (const auto count : {&Notes::unattributed, &Notes::unnamed, &Notes::without_pid,
                             &Notes::without_tid, &Notes::untimed}) {
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
        etl::match::Notes max;
        for (; table != inputs.tables.end() && table->options->filters.notes.get() == filters;
             ++table) {
            take_larger(max, table->filters.condition.notes());
        }
        cli::report(max);
    }
}

namespace {

/// A table that lacks events is incomplete.
ExitCode exit_of(const Traces& traces, const Table& table) {
    const ExitCode exit = table.coverage.unknown_events() > 0 ? ExitCode::damaged : ExitCode::well;
    return worst(traces.exit_code(), exit);
}

} // namespace

ExitCode finish_table(Table& table, const TableRows& rows) {
    table.compute_ratios();
    return sort_table(table, rows.sort);
}

namespace {

/// Whether an index can contain the table that is asked for.
bool may_be_kept(const AnalyzeOptions& options) {
    const auto* const form = etl::analysis::find_table(options.verb, options.by);
    return form != nullptr && !form->kept_as.empty() && options.filters.empty() &&
           options.slice_seconds <= 0 && options.pointer_size == 0 && options.schemas.paths.empty();
}

/// Whether indexes contain all tables, so that nothing else is read.
bool are_kept(const OpenedFiles& opened, std::span<const AnalyzeOptions> options) {
    return std::ranges::all_of(options, may_be_kept) &&
           std::ranges::all_of(opened.files, [&](const etl::dataset::Input& input) {
               const auto index = etl::gather::index_of_state(*input.file);
               return index != nullptr &&
                      std::ranges::all_of(options, [&](const AnalyzeOptions& one) {
                          return etl::analysis::has_table(
                              *index, *etl::analysis::find_table(one.verb, one.by));
                      });
           });
}

/// A mapping that two passes use costs less than a copy for each; of few buffers, a copy is
/// cheaper.
Traces open_traces(const OpenedFiles& opened, std::span<const AnalyzeOptions> options) {
    TraceOptions reading = options.front().traces;
    reading.uses_indexes = std::ranges::any_of(
        options, [](const AnalyzeOptions& one) { return one.filters.has_window(); });
    reading.uses_indexes = reading.uses_indexes || are_kept(opened, options);
    const bool is_indexed =
        reading.uses_indexes &&
        std::ranges::all_of(opened.files, [](const etl::dataset::Input& input) {
            return etl::io::is_regular_file(etl::gather::index_path(input.name()));
        });
    reading.is_single_pass = reading.is_single_pass && (is_indexed || !needs_facts(options));
    return Traces(opened, reading, Traces::Findings::reported);
}

} // namespace

std::expected<std::vector<Analysis>, ExitCode> analyze(std::span<const AnalyzeOptions> options) {
    const OpenedFiles opened = open_files(options.front().traces);
    const Traces traces = open_traces(opened, options);
    if (traces.readers().empty()) {
        return std::unexpected(ExitCode::failed);
    }
    return analyze(traces, options);
}

namespace {

enum class Remarks : bool { silent, printed };

/// The tables of windows that cost their share; nothing in place of the others.
std::expected<TableList, ExitCode> tables_of_windows(const Traces& traces,
                                                     const TableInputs& inputs) {
    ProgressBar bar(inputs.tables.front().options->progress);
    const etl::analysis::OriginKeys keys(inputs.origins);
    TableList tables;
    for (const WantedTable& wanted : inputs.tables) {
        std::optional<Table>& table = tables.emplace_back();
        if (wanted.options->slice_seconds > 0) {
            continue; // the number of slices depends on the events
        }
        auto found = etl::analysis::table_of_window(traces.dataset(),
                                                    divided_table_of(wanted, inputs, bar), keys);
        if (!found) {
            say(printable(found.error().about), found.error());
            return std::unexpected(ExitCode::failed);
        }
        table = *std::move(found);
    }
    return tables;
}

std::expected<TableList, ExitCode> all_tables_of(const Traces& traces, const TableInputs& inputs,
                                                 RangeWalk* walk) {
    auto tables = tables_of_windows(traces, inputs);
    if (!tables) {
        return tables;
    }
    TableInputs others = inputs;
    others.tables.clear();
    for (std::size_t i = 0; i < tables->size(); ++i) {
        if (!(*tables)[i]) {
            others.tables.push_back(inputs.tables[i]);
        }
    }
    if (others.tables.empty()) {
        return tables;
    }
    auto more = tables_of_all(traces, others, walk);
    if (!more) {
        return more;
    }
    auto next = more->begin();
    for (std::optional<Table>& table : *tables) {
        if (!table) {
            table = std::move(*next++);
        }
    }
    return tables;
}

/// All tables, if indexes contain them.
std::optional<TableList> kept_tables(const Traces& traces,
                                     std::span<const AnalyzeOptions> options) {
    TableList tables;
    for (const AnalyzeOptions& one : options) {
        const auto* const form = etl::analysis::find_table(one.verb, one.by);
        auto table = may_be_kept(one)
                         ? etl::analysis::kept_table(traces.dataset(), *form, one.table)
                         : std::nullopt;
        if (!table) {
            return std::nullopt;
        }
        tables.push_back(std::move(table));
    }
    return tables;
}

std::expected<std::vector<Analysis>, ExitCode>
finish_tables(const Traces& traces, std::span<const AnalyzeOptions> options, TableList tables) {
    std::vector<Analysis> analyses;
    for (std::size_t i = 0; i < tables.size(); ++i) {
        Table& table = *tables[i];
        if (const ExitCode exit = finish_table(table, options[i].rows); exit != ExitCode::well) {
            return std::unexpected(exit);
        }
        const ExitCode exit = exit_of(traces, table);
        analyses.push_back({.table = std::move(table), .exit = exit});
    }
    return analyses;
}

std::expected<std::vector<Analysis>, ExitCode>
analyses_of(const Traces& traces, std::span<const AnalyzeOptions> options, Remarks remarks) {
    if (auto kept = kept_tables(traces, options)) {
        return finish_tables(traces, options, *std::move(kept));
    }
    std::optional<RangeWalk> walk;
    const unsigned threads = options.front().traces.worker_threads();
    if (may_need_ranges(options, threads)) {
        walk.emplace(traces, threads);
    }
    const auto inputs = inputs_of(options, traces);
    if (!inputs) {
        return std::unexpected(inputs.error());
    }
    auto tables = all_tables_of(traces, *inputs, walk ? &*walk : nullptr);
    if (!tables) {
        return std::unexpected(tables.error());
    }
    auto analyses = finish_tables(traces, options, *std::move(tables));
    if (analyses && remarks == Remarks::printed) {
        report_filters(*inputs);
        report_missing(inputs->symbols.get());
    }
    return analyses;
}

std::expected<Analysis, ExitCode> analyze(const AnalyzeOptions& options,
                                          const OpenedFiles& opened) {
    const Traces traces = open_traces(opened, {&options, 1});
    if (traces.readers().empty()) {
        return std::unexpected(ExitCode::failed);
    }
    auto analyses = analyze(traces, std::span(&options, 1));
    return analyses ? std::expected<Analysis, ExitCode>(std::move(analyses->front()))
                    : std::unexpected(analyses.error());
}

bool has_counter_samples(const Table& table) {
    return std::ranges::any_of(table.coverage.remainders, [](const auto& one) {
        return one.name == "counter_samples" && one.value != 0;
    });
}

} // namespace

std::expected<std::vector<Analysis>, ExitCode> analyze(const Traces& traces,
                                                       std::span<const AnalyzeOptions> options) {
    return analyses_of(traces, options, Remarks::printed);
}

std::expected<Analysis, ExitCode> analyze(const AnalyzeOptions& options) {
    const OpenedFiles opened = open_files(options.traces);
    return analyze(options, opened);
}

AnalyzeOptions of_counters(AnalyzeOptions options) {
    const auto* const kind = etl::analysis::find_kind(options.verb);
    const bool is_of_counters =
        !options.source.empty() || etl::analysis::find_table(options.verb, options.by) == nullptr;
    if (kind->counters == nullptr || !is_of_counters) {
        return options;
    }
    options.by = options.by.empty() ? kind->forms.front().by : options.by;
    options.verb = kind->counters->name;
    options.table.source =
        etl::equals_ignoring_case(options.source, "all") ? std::string() : options.source;
    return options;
}

std::expected<std::vector<Analysis>, ExitCode>
analyze_with_counters(const AnalyzeOptions& options) {
    const OpenedFiles opened = open_files(options.traces);
    std::vector<Analysis> all;
    auto of_time = analyze(options, opened);
    if (!of_time) {
        return std::unexpected(of_time.error());
    }
    all.push_back(*std::move(of_time));
    if (!has_counter_samples(all.front().table)) {
        return all;
    }
    AnalyzeOptions counters = options;
    counters.source = "all";
    counters = of_counters(std::move(counters));
    counters.rows.sort.clear();
    counters.progress = ProgressBar::Mode::never;
    const Traces traces(opened, options.traces, Traces::Findings::silent);
    auto more = analyses_of(traces, std::span(&counters, 1), Remarks::silent);
    if (!more) {
        return std::unexpected(more.error());
    }
    all.push_back(std::move(more->front()));
    return all;
}

} // namespace cli
