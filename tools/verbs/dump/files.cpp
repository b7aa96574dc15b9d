// `etl dump` of files.
#include "flow/mux.hpp"
#include "gather/trace_index.hpp"
#include "inputs/parts.hpp"
#include "match/kind_filter.hpp"
#include "outputs/output_guard.hpp"
#include "trace/first_damage.hpp"
#include "verbs/dump/columns.hpp"
#include "verbs/dump/dumping.hpp"
#include "verbs/dump/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace cli {

namespace {

/// --strict: each trace ends at its first damage.
class UntilDamage {
public:
    /// Reads the traces once to find it.
    UntilDamage(const Traces& traces, unsigned threads) {
        for (std::size_t i = 0; i < traces.readers().size(); ++i) {
            const auto damage = etl::trace::find_first_damage(traces.files()[i], threads);
            damages_.push_back(damage);
            if (damage) {
                const std::string name = printable(traces.files()[i]->name());
                say(fmt::format("warning: {}: skipped everything after the first damage "
                                "(--strict); use `etl repair` to recover it; the damage:",
                                name));
                say_plainly(fmt::format("{}:{}", name, etl::describe(damage->finding)));
            }
        }
    }

    /// The events of `reader` before its damage. Outlived by this.
    etl::flow::Source* over(std::size_t number, etl::flow::Source& reader) {
        const auto& damage = damages_[number];
        if (!damage) {
            return &reader;
        }
        sources_.push_back(std::make_unique<etl::flow::WhereFilter>(
            reader, [damage](const etl::flow::Event& event) { return damage->is_after(event); }));
        return sources_.back().get();
    }

private:
    std::vector<std::optional<etl::trace::DamageLocation>> damages_; // by reader
    std::vector<std::unique_ptr<etl::flow::Source>> sources_;
};

/// Whether origins must be collected: for several traces, a merged trace, or on request.
bool needs_origins_of(const DumpOptions& options, const Traces& traces) {
    return etl::gather::may_have_several_origins(traces.readers()) ||
           names_origin(options.sink.fields) || options.filters.needs_origins();
}

/// With --enrich and --process.
bool needs_facts(const DumpOptions& options) {
    return options.enrich || options.filters.needs_facts();
}

/// Null: not needed.
std::shared_ptr<const etl::facts::FactsByTrace>
needed_facts(const DumpOptions& options, const Traces& traces, const TraceIndexes& indexes,
             const etl::schema::SchemasByTrace& schemas) {
    if (!needs_facts(options)) {
        return nullptr;
    }
    using etl::facts::Scope;
    auto facts =
        etl::gather::facts_of(traces.readers(), indexes, schemas,
                              {.scope = options.enrich ? Scope::everything : Scope::processes,
                               .pointer_size = options.sink.pointer_size,
                               .code_page = options.sink.code_page},
                              options.traces.worker_threads(), say_remark);
    report_unknown_names(options.filters.processes, *facts);
    return facts;
}

/// `until_damage` null: to the end of each trace. `part` null: all of each trace.
std::unique_ptr<etl::flow::Source> join(const Traces& traces, etl::trace::Order order,
                                        UntilDamage* until_damage, PartOfTraces* part) {
    std::vector<etl::flow::Source*> list;
    for (const auto& reader : traces.readers()) {
        etl::flow::Source* const source =
            part != nullptr ? &part->source(list.size()) : reader.get();
        list.push_back(until_damage != nullptr ? until_damage->over(list.size(), *source) : source);
    }
    if (order != etl::trace::Order::time || list.size() == 1) {
        return std::make_unique<etl::flow::Concatenation>(std::move(list));
    }
    return std::make_unique<etl::flow::Mux>(std::move(list));
}

} // namespace

namespace {

/// What one pass over the traces reads. Members refer to each other: not moved.
class Pass {
public:
    Pass(const DumpOptions& options, const Traces& traces, PartOfTraces* part) {
        if (options.strict) {
            until_damage_.emplace(traces, options.traces.worker_threads());
        }
        events_ =
            join(traces, options.traces.order, until_damage_ ? &*until_damage_ : nullptr, part);
    }

    etl::flow::Source& events() noexcept { return *events_; }

private:
    std::optional<UntilDamage> until_damage_;
    std::unique_ptr<etl::flow::Source> events_;
};

/// With --part, of all traces.
TraceIndexes indexes_for(const DumpOptions& options, const Traces& traces) {
    TraceIndexes indexes = read_indexes(traces);
    if (options.part) {
        complete_indexes(traces, indexes, options.traces.worker_threads());
    }
    return indexes;
}

/// Whether buffers may be skipped: for a part, or for a time window if the traces have indexes.
bool selects_part(const DumpOptions& options, const TraceIndexes& indexes) {
    const bool has_indexes =
        std::ranges::all_of(indexes, [](const auto& index) { return index != nullptr; });
    return options.part || (options.filters.has_window() && has_indexes &&
                            options.traces.order == etl::trace::Order::time);
}

/// The first of two passes. If the filters do not compile, prints why and returns nothing.
std::vector<etl::sink::EventKind> kinds_in_first_pass(const DumpOptions& options,
                                                      const OpenedFiles& opened,
                                                      const etl::match::TimeBounds& bounds,
                                                      const DumpInput& second) {
    FilterOptions filters = options.filters;
    filters.notes = std::make_shared<etl::match::Notes>(); // reported by the second pass
    const auto compiled = compile(filters, bounds);
    const Traces traces(opened, options.traces, Traces::Findings::silent);
    if (!compiled || traces.readers().empty()) {
        return {};
    }
    Pass pass(options, traces, nullptr);
    return find_kinds(options, {.events = pass.events(),
                                .first_trace = traces.readers().front()->info(),
                                .order = second.order,
                                .schemas = second.schemas,
                                .facts = second.facts,
                                .filters = *compiled});
}

/// Whether the tables may be written.
bool permits_tables(const DumpOptions& options, const std::vector<etl::sink::EventKind>& kinds) {
    constexpr std::size_t most_tables = 10'000;
    if (kinds.size() > most_tables) {
        say(fmt::format(
            "--split-by event: {} kinds of events exceed the limit of {} tables; use filters",
            kinds.size(), most_tables));
        return false;
    }
    if (etl::io::is_regular_file(options.output)) {
        say(fmt::format("-o {}: not a directory; --split-by writes to a directory",
                        printable(options.output)));
        return false;
    }
    std::vector<std::string> paths;
    for (const std::string& name : table_files(options, kinds)) {
        paths.push_back(fmt::format("{}/{}", options.output, name));
    }
    OutputGuard guard;
    guard.reads(options.traces);
    guard.reads(options.schemas);
    return guard.permits(paths, existing_files(options.force));
}

/// What events must pass while buffers are read. `kinds` must outlive the result. It would also see
/// events that are out of a time window, or after damage, and take their names for those of events
/// that other filters let pass.
std::function<bool(const etl::flow::Event&)> load_condition(const DumpOptions& options,
                                                            etl::match::KindFilter& kinds) {
    const FilterOptions& filters = options.filters;
    auto by_header = header_condition(filters);
    if (!filters.needs_schemas() || filters.has_window() || options.strict) {
        return by_header;
    }
    return [by_header = std::move(by_header), &kinds](const etl::flow::Event& event) {
        return (!by_header || by_header(event)) && kinds.may_match(event);
    };
}

} // namespace

ExitCode dump_files(DumpOptions options) {
    etl::match::KindFilter kinds;
    options.traces.select = load_condition(options, kinds);
    options.traces.is_single_pass = !needs_facts(options); // a pass more
    const OpenedFiles opened = open_files(options.traces);
    Traces traces(opened, options.traces, Traces::Findings::reported);
    if (traces.readers().empty()) {
        return ExitCode::failed;
    }
    etl::match::TimeBounds bounds = etl::gather::bounds_of(traces.readers());
    bounds.utc_offset_minutes = offset_of(options, bounds.start);
    const auto filters = compile(options.filters, bounds);
    if (!filters) {
        return ExitCode::usage;
    }
    const auto order = order_of(traces, options.traces.order);
    const TraceIndexes indexes = indexes_for(options, traces);
    std::unique_ptr<PartOfTraces> part;
    if (selects_part(options, indexes)) {
        part = PartOfTraces::open(
            options.traces, opened, traces, indexes,
            {.part = options.part.value_or(etl::trace::Part{}),
             .window = filters->window,
             .ends_with_window = order == etl::flow::TimeFilter::Upstream::ordered});
        if (!part) {
            return ExitCode::failed;
        }
    }
    etl::facts::OriginCollector collected;
    const auto schemas =
        gather_schemas(options.schemas, traces, indexes, options.traces.worker_threads(),
                       needs_origins_of(options, traces) ? &collected : nullptr);
    if (!schemas) {
        return ExitCode::failed;
    }
    options.sink.origins = etl::gather::origins_of(traces.readers(), collected);
    options.sink.show_origins = options.sink.origins->size() > 1;
    options.sink.show_event_logs = !opened.event_logs.empty();
    const auto facts = needed_facts(options, traces, indexes, schemas->by_trace);
    options.sink.facts = options.enrich ? facts : nullptr;
    const auto symbols = options.enrich ? options.symbols.open() : nullptr;
    options.sink.frame_names = etl::facts::FrameNames(symbols);
    kinds.start(filters->condition, {.schemas = schemas->by_trace,
                                     .decoder = {.pointer_size = options.sink.pointer_size},
                                     .facts = {},
                                     .origins = options.sink.origins,
                                     .code_page = options.sink.code_page.get()});
    Pass pass(options, traces, part.get());
    DumpInput input{.events = pass.events(),
                    .first_trace = traces.readers().front()->info(),
                    .order = order,
                    .schemas = schemas->by_trace,
                    .facts = facts,
                    .filters = *filters};
    if (options.needs_kinds()) {
        input.kinds = kinds_in_first_pass(options, opened, bounds, input);
        if (options.split_by_event && !permits_tables(options, input.kinds)) {
            return ExitCode::failed;
        }
        if (!options.split_by_event) {
            options.sink.fields = columns_with(options.sink, fields_of(input.kinds));
        }
    }
    Dump dump(options, input);
    const ExitCode exit = dump.write();
    dump.report(*filters, schemas->files);
    report_missing(symbols.get());
    return worst(exit, traces.exit_code()); // includes the findings so far
}

} // namespace cli
