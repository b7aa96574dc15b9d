// `etl dump` of files.
#include "match/kind_filter.hpp"
#include "outputs/output_guard.hpp"
#include "trace/summary.hpp"
#include "verbs/dump/dumping.hpp"
#include "verbs/dump/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <expected>
#include <optional>

namespace cli {

namespace {

/// --strict: each trace ends at its first damage.
class UntilDamage {
public:
    /// Reads the traces once to find it.
    UntilDamage(const Traces& traces, unsigned threads) {
        for (std::size_t i = 0; i < traces.readers().size(); ++i) {
            const auto damage = etl::trace::find_first_damage(traces.files()[i].file, threads);
            damages_.push_back(damage);
            if (damage) {
                const std::string name = printable(traces.files()[i].name());
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
    return traces.dataset().may_have_several_origins() || names_origin(options.sink.fields) ||
           options.filters.needs_origins();
}

/// With --enrich and --process.
bool needs_facts(const DumpOptions& options) {
    return options.enrich || options.filters.needs_facts();
}

/// What one pass over the traces reads. Members refer to each other: not moved.
class Pass {
public:
    /// `part` null: all of each trace.
    Pass(const DumpOptions& options, const Traces& traces, etl::dataset::WindowSources* part) {
        if (options.strict) {
            until_damage_.emplace(traces, options.traces.worker_threads());
        }
        std::vector<etl::flow::Source*> sources;
        for (std::size_t i = 0; i < traces.readers().size(); ++i) {
            etl::flow::Source* const source =
                part != nullptr ? static_cast<etl::flow::Source*>(part->readers[i].get())
                                : traces.readers()[i].get();
            sources.push_back(until_damage_ ? until_damage_->over(i, *source) : source);
        }
        events_ = traces.dataset().join(std::move(sources));
    }

    etl::flow::Source& events() noexcept { return *events_; }

private:
    std::optional<UntilDamage> until_damage_;
    std::unique_ptr<etl::flow::Source> events_;
};

/// Buffers may be skipped for a part, or for a time window if the traces have indexes. Null: no;
/// an exit code: after printing why it cannot.
std::expected<std::unique_ptr<etl::dataset::WindowSources>, ExitCode>
open_part(const DumpOptions& options, const Traces& traces, const CompiledFilters& filters) {
    etl::dataset::Dataset& dataset = traces.dataset();
    const bool is_window =
        options.filters.has_window() && options.traces.order == etl::trace::Order::time;
    if (!options.part && !(is_window && dataset.is_indexed())) {
        return nullptr;
    }
    auto sources = dataset.window_sources(
        {.time = filters.window, .part = options.part.value_or(etl::trace::Part{})});
    if (!sources) {
        say(sources.error().about, sources.error());
        return std::unexpected(ExitCode::failed);
    }
    return std::make_unique<etl::dataset::WindowSources>(*std::move(sources));
}

/// The first of two passes. If the filters do not compile, prints why and returns nothing.
std::vector<etl::sink::EventKind> kinds_in_first_pass(const DumpOptions& options,
                                                      const Traces& traces,
                                                      const etl::match::TimeBounds& bounds,
                                                      const DumpInput& second) {
    FilterOptions filters = options.filters;
    filters.notes = std::make_shared<etl::match::Notes>(); // reported by the second pass
    const auto compiled = compile(filters, bounds);
    const auto first = traces.again(options.traces.select);
    if (!compiled || !first) {
        return {};
    }
    Pass pass(options, *first, nullptr);
    return find_kinds(options, {.events = pass.events(),
                                .first_trace = first->readers().front()->info(),
                                .order = second.order,
                                .schemas = second.schemas,
                                .facts = second.facts,
                                .filters = *compiled});
}

/// Whether the tables may be written.
bool permits_tables(const DumpOptions& options, const std::vector<etl::sink::EventKind>& kinds) {
    constexpr std::size_t max_tables = 10'000;
    if (kinds.size() > max_tables) {
        say(fmt::format(
            "--split-by event: {} kinds of events exceed the limit of {} tables; use filters",
            kinds.size(), max_tables));
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
    options.traces.uses_indexes = true;
    options.traces.pointer_size = options.sink.pointer_size;
    options.traces.code_page = options.sink.code_page;
    const Traces traces(options.traces);
    if (traces.readers().empty()) {
        return ExitCode::failed;
    }
    etl::match::TimeBounds bounds = traces.dataset().bounds();
    bounds.utc_offset_minutes = offset_of(options, bounds.start);
    const auto filters = compile(options.filters, bounds);
    if (!filters) {
        return ExitCode::usage;
    }
    const auto part = open_part(options, traces, *filters);
    if (!part) {
        return part.error();
    }
    etl::dataset::Needs needs = needs_of(options.filters);
    needs.origins = needs_origins_of(options, traces);
    needs.facts = options.enrich ? etl::facts::Scope::everything : needs.facts;
    needs.stacks = filters->window;
    const auto context = context_of(traces, options.schemas, needs);
    if (!context) {
        return ExitCode::failed;
    }
    const auto facts = needs.facts ? context->facts : nullptr;
    if (facts != nullptr) {
        report_unknown_names(options.filters.processes, *facts);
    }
    options.sink.origins = context->origins;
    options.sink.show_origins = options.sink.origins->size() > 1;
    options.sink.show_event_logs =
        std::ranges::any_of(traces.files(), &etl::dataset::Input::is_event_log);
    options.sink.facts = options.enrich ? facts : nullptr;
    const auto symbols = options.enrich ? options.symbols.open() : nullptr;
    options.sink.frame_names = etl::facts::FrameNames(symbols);
    const etl::match::MatcherInputs inputs{.schemas = context->schemas,
                                           .decoder = {.pointer_size = options.sink.pointer_size},
                                           .facts = {},
                                           .origins = options.sink.origins,
                                           .code_page = options.sink.code_page.get()};
    kinds.start(filters->condition, inputs);
    if (*part == nullptr && !options.strict && !options.filters.has_window()) {
        traces.dataset().skip_kinds(filters->condition, inputs);
    }
    Pass pass(options, traces, part->get());
    DumpInput input{.events = pass.events(),
                    .first_trace = traces.readers().front()->info(),
                    .order = traces.dataset().upstream(),
                    .schemas = context->schemas,
                    .facts = facts,
                    .filters = *filters};
    if (options.needs_kinds()) {
        input.kinds = kinds_in_first_pass(options, traces, bounds, input);
        if (options.split_by_event && !permits_tables(options, input.kinds)) {
            return ExitCode::failed;
        }
        if (!options.split_by_event) {
            options.sink.fields = columns_with(options.sink, fields_of(input.kinds));
        }
    }
    Dump dump(options, input);
    const ExitCode exit = dump.write();
    dump.report(*filters, *context->schema_files);
    report_missing(symbols.get());
    return worst(exit, traces.exit_code()); // includes the findings so far
}

} // namespace cli
