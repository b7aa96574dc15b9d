// `etl dump` of files.
#include <etl/flow/mux.hpp>
#include <etl/trace/first_damage.hpp>

#include "cli/facts.hpp"
#include "verbs/dump/dumping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace cli {

namespace {

/// Whether the first event after a time window ends it. Not if a file contains several runs.
etl::flow::TimeFilter::Upstream upstream_of(const Traces& traces, etl::trace::Order order) {
    const bool in_one_go = std::ranges::all_of(traces.readers(), [](const auto& reader) {
        return std::ranges::all_of(reader->buffers(),
                                   [](const auto& buffer) { return buffer.run == 0; });
    });
    return in_one_go && order == etl::trace::Order::time
               ? etl::flow::TimeFilter::Upstream::ordered
               : etl::flow::TimeFilter::Upstream::unordered;
}

/// --strict: each trace ends at its first damage.
class UntilDamage {
public:
    /// Reads the traces once to find it.
    UntilDamage(const Traces& traces, unsigned threads) {
        for (std::size_t i = 0; i < traces.readers().size(); ++i) {
            const auto damage = etl::trace::first_damage(traces.files()[i], threads);
            damages_.push_back(damage);
            if (damage) {
                const std::string name = printable(traces.files()[i]->name());
                say(fmt::format("warning: {}: what is stored after the first damage is left out "
                                "(--strict); `etl repair` recovers it; the damage is",
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
    std::vector<std::optional<etl::trace::DamagePlace>> damages_; // by reader
    std::vector<std::unique_ptr<etl::flow::Source>> sources_;
};

/// Null: neither --enrich nor --process.
std::shared_ptr<const etl::facts::FactsByTrace>
needed_facts(const DumpOptions& options, const Traces& traces,
             const etl::schema::SchemasByTrace& schemas) {
    if (!options.enrich && !options.filters.needs_facts()) {
        return nullptr;
    }
    using etl::facts::Scope;
    auto facts = gather_facts(traces, schemas,
                              {.scope = options.enrich ? Scope::everything : Scope::processes,
                               .pointer_size = options.sink.pointer_size,
                               .code_page = options.sink.code_page},
                              options.traces.worker_threads());
    report_unknown_names(options.filters.processes, *facts);
    return facts;
}

/// `until_damage` null: to the end of each trace.
std::unique_ptr<etl::flow::Source> join(const Traces& traces, etl::trace::Order order,
                                        UntilDamage* until_damage) {
    std::vector<etl::flow::Source*> list;
    for (const auto& reader : traces.readers()) {
        list.push_back(until_damage != nullptr ? until_damage->over(list.size(), *reader)
                                               : reader.get());
    }
    if (order != etl::trace::Order::time || list.size() == 1) {
        return std::make_unique<etl::flow::Concatenation>(std::move(list));
    }
    return std::make_unique<etl::flow::Mux>(std::move(list));
}

} // namespace

ExitCode dump_files(DumpOptions options) {
    options.traces.select = header_condition(options.filters);
    Traces traces(options.traces);
    if (traces.readers().empty()) {
        return ExitCode::failed;
    }
    etl::match::TimeBounds bounds = bounds_of(traces);
    bounds.utc_offset_minutes = offset_of(options, bounds.start);
    const auto filters = compile(options.filters, bounds);
    if (!filters) {
        return ExitCode::usage;
    }
    std::optional<etl::catalog::Catalog> schema_files;
    const auto schemas =
        gather_schemas(options.schemas, traces, options.traces.worker_threads(), &schema_files);
    if (!schemas) {
        return ExitCode::failed;
    }
    const auto facts = needed_facts(options, traces, *schemas);
    options.sink.facts = options.enrich ? facts : nullptr;
    std::optional<UntilDamage> until_damage;
    if (options.strict) {
        until_damage.emplace(traces, options.traces.worker_threads());
    }
    const auto events = join(traces, options.traces.order, until_damage ? &*until_damage : nullptr);
    Dump dump(options, {.events = *events,
                        .first_trace = traces.readers().front()->info(),
                        .order = upstream_of(traces, options.traces.order),
                        .schemas = *schemas,
                        .facts = facts,
                        .filters = *filters});
    const ExitCode exit = dump.write();
    dump.report(*filters, *schema_files);
    return worst(exit, traces.exit_code()); // which counts what was found on the way
}

} // namespace cli
