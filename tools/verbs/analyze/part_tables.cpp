#include "verbs/analyze/part_tables.hpp"

#include "analysis/origin_keys.hpp"
#include "base/text.hpp"
#include "cli/destination.hpp"
#include "cli/progress.hpp"
#include "gather/scopes.hpp"
#include "outputs/output_guard.hpp"
#include "outputs/output_options.hpp"
#include "verbs/analyze/table_inputs.hpp"

#include <fmt/format.h>

#include <utility>

namespace cli {

namespace {

using etl::analysis::PartFile;
using etl::analysis::TableForm;
using etl::analysis::TablePart;

/// What parts of traces contribute, and which machines and boots the traces are of.
struct PartsOfTraces {
    std::vector<TablePart> parts; // in the order of the traces
    std::vector<etl::facts::Origin> origins;
};

/// By trace, each of which is a scope.
std::vector<etl::facts::Origin> origins_of(const Traces& traces, const TableInputs& inputs) {
    const etl::gather::Scopes scopes(traces.readers());
    std::vector<etl::facts::Origin> origins;
    for (const auto& reader : traces.readers()) {
        origins.push_back(inputs.origins[scopes.of(reader->info(), 0)]);
    }
    return origins;
}

std::expected<PartsOfTraces, ExitCode> parts_of(const AnalyzeOptions& options,
                                                const Traces& traces) {
    const auto inputs = inputs_of({&options, 1}, traces);
    if (!inputs) {
        return std::unexpected(inputs.error());
    }
    ProgressBar bar(options.progress);
    auto parts = etl::analysis::parts_of(
        traces.dataset(), divided_table_of(inputs->tables.front(), *inputs, bar), *options.part);
    if (!parts) {
        say(parts.error().about, parts.error());
        return std::unexpected(ExitCode::failed);
    }
    report_missing(inputs->symbols.get());
    PartsOfTraces all{.parts = *std::move(parts), .origins = {}};
    if (!inputs->origins.empty()) {
        all.origins = origins_of(traces, *inputs);
    }
    return all;
}

/// Why a table of these traces has no parts; empty: it has.
std::string what_cannot_be_divided(const Traces& traces) {
    const etl::gather::Scopes scopes(traces.readers());
    for (const etl::gather::ScopeGroup& group : scopes.groups()) {
        const std::string& name = traces.readers()[group.readers.front()]->info().name;
        if (group.scopes.size() > 1) {
            return fmt::format("{}: merged from several machines or boots; --part of a table "
                               "requires a trace of each",
                               printable(name));
        }
        if (group.readers.size() > 1) {
            return fmt::format("{} and {}: of one machine and boot; merge them first (`etl merge`) "
                               "for --part of a table",
                               printable(name),
                               printable(traces.readers()[group.readers[1]]->info().name));
        }
    }
    return {};
}

/// What must be the same in all parts.
std::vector<std::pair<std::string, std::string>> origin_of(const AnalyzeOptions& options,
                                                           const Traces& traces) {
    std::vector<std::pair<std::string, std::string>> origin = options.words;
    origin.emplace_back("version of etl", ETL_VERSION);
    origin.emplace_back("number of traces", std::to_string(traces.readers().size()));
    for (std::size_t i = 0; i < traces.readers().size(); ++i) {
        const auto& reader = *traces.readers()[i];
        const auto identity = etl::trace::identity_of(reader.info(), reader.buffers());
        origin.emplace_back(fmt::format("trace {}", i + 1),
                            fmt::format("{} bytes, {} buffers, hash {:016x}", identity.size,
                                        identity.buffers, identity.hash));
    }
    return origin;
}

} // namespace

std::string problem_of_parts(const AnalyzeOptions& options) {
    if (options.table.excludes_interrupts) {
        return "--part excludes --without-interrupts: an interrupt can be in another part than "
               "the thread that it interrupted";
    }
    if (options.is_partial != options.part.has_value()) {
        return options.is_partial ? "--partial requires --part K/N"
                                  : "--part of a table requires --partial and -o FILE: `etl "
                                    "combine` prints the table of all parts";
    }
    if (options.rows.limit || !options.rows.sort.empty() || options.format) {
        return "--partial excludes --sort, --limit, and --format: give them to `etl combine`";
    }
    return {};
}

ExitCode write_part(const AnalyzeOptions& options) {
    OutputGuard guard;
    guard.reads(options.traces);
    guard.reads(options.schemas);
    if (!guard.permits(options.output, existing_files(options.force))) {
        return ExitCode::failed;
    }
    const Traces traces(options.traces);
    if (traces.readers().empty()) {
        return ExitCode::failed;
    }
    if (const std::string why = what_cannot_be_divided(traces); !why.empty()) {
        say(why);
        return ExitCode::failed;
    }
    traces.dataset().complete_indexes();
    auto parts = parts_of(options, traces);
    if (!parts) {
        return parts.error();
    }
    const TableForm& form = *etl::analysis::find_table(options.verb, options.by);
    const PartFile file{.number = options.part->number,
                        .count = options.part->count,
                        .table = std::string(form.kind->name),
                        .by = std::string(form.by),
                        .options = options.table,
                        .made_from = origin_of(options, traces),
                        .traces = std::move(parts->parts),
                        .origins = std::move(parts->origins)};
    const auto bytes = etl::analysis::encode(file);
    return worst(write_file(options.output, etl::as_text(bytes)), traces.exit_code());
}

etl::analysis::DividedTable divided_table_of(const WantedTable& table, const TableInputs& inputs,
                                             ProgressBar& bar) {
    etl::analysis::DividedTable divided{.form = table.form,
                                        .options = table.options->table,
                                        .pass = pass_options_of(table, inputs)};
    divided.pass.progress = [&bar](std::uint64_t events, const etl::flow::Event& newest) {
        bar.show(fraction_by_place(newest), events);
        return true;
    };
    return divided;
}

std::expected<etl::analysis::Table, ExitCode> combined(const TableForm& form,
                                                       std::span<const PartFile> parts) {
    std::optional<etl::analysis::Table> all;
    const etl::analysis::OriginKeys keys(parts.front().origins);
    for (std::size_t i = 0; i < parts.front().traces.size(); ++i) {
        std::vector<TablePart> of_trace;
        for (const PartFile& part : parts) {
            of_trace.push_back(part.traces[i]);
        }
        auto table = etl::analysis::combine(form, parts.front().options, of_trace);
        if (!table) {
            say(etl::describe(table.error()));
            return std::unexpected(ExitCode::failed);
        }
        keys.add_to(*table, i);
        if (all) {
            all->add(*std::move(table));
        } else {
            all = *std::move(table);
        }
    }
    return *std::move(all);
}

} // namespace cli
