// etl export --to pprof, speedscope, ...: formats of profilers. docs/profilers.md
#include "analysis/pass.hpp"
#include "base/file_name.hpp"
#include "cli/console.hpp"
#include "cli/destination.hpp"
#include "cli/json_object.hpp"
#include "cli/progress.hpp"
#include "gather/scopes.hpp"
#include "io/output_file.hpp"
#include "outputs/table_output.hpp"
#include "profiles/profile.hpp"
#include "verbs/export/formats.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cli {

namespace {

using etl::analysis::PassOptions;
using etl::analysis::Table;

/// What a pass over the trace needs.
struct ProfileInputs {
    PassOptions pass;
    std::shared_ptr<etl::gather::StoreSymbols> symbols; // null: none
};

/// --process selects threads, not events.
FilterOptions without_processes(FilterOptions filters) {
    filters.processes.clear();
    return filters;
}

std::expected<ProfileInputs, ExitCode>
inputs_of(const ExportOptions& options, const etl::profiles::Format& format, const Traces& traces) {
    const FilterOptions filters = without_processes(options.filters);
    auto compiled = compile(filters, traces.dataset().bounds());
    if (!compiled) {
        return std::unexpected(ExitCode::usage);
    }
    SchemaOptions schemas = options.schemas;
    schemas.for_facts = format.is_samples_only && !filters.needs_schemas();
    const auto context =
        context_of(traces, schemas,
                   {.facts = etl::facts::Scope::everything, .origins = filters.needs_origins()});
    if (!context) {
        return std::unexpected(ExitCode::failed);
    }
    ProfileInputs inputs;
    inputs.symbols = options.symbols.open();
    PassOptions& pass = inputs.pass;
    pass.facts = context->facts;
    pass.schemas = context->schemas;
    pass.pointer_size = options.sink.pointer_size;
    pass.names = etl::facts::FrameNames(inputs.symbols);
    pass.from = compiled->window.from;
    pass.to = compiled->window.to;
    pass.is_ordered = traces.dataset().upstream() == etl::flow::TimeFilter::Upstream::ordered;
    pass.where = compiled->condition;
    pass.matcher = {.schemas = context->schemas,
                    .decoder = {.pointer_size = options.sink.pointer_size},
                    .facts = pass.facts,
                    .origins = context->origins};
    if (!options.filters.processes.empty()) {
        report_unknown_names(options.filters.processes, *pass.facts);
        pass.processes = etl::facts::parse_process_selection(options.filters.processes);
    }
    return inputs;
}

/// Completes the output, or prints why it failed.
ExitCode finish(Destination& output, const etl::Error* error) {
    if (error != nullptr) {
        output.report(*error);
        return ExitCode::failed;
    }
    return output.commit();
}

bool is_empty(const Table& table) {
    return std::ranges::all_of(table.total, [](const etl::analysis::Cell& cell) {
        const auto* const number = std::get_if<std::uint64_t>(&cell);
        return number == nullptr || *number == 0;
    });
}

void report_not_recorded(std::string_view trace, const Table& table) {
    for (const etl::analysis::OtherVersion& one : table.coverage.other_versions) {
        say(fmt::format("{}: {}: {}", one.layout ? "note" : "warning", trace, describe(one)));
    }
    for (const etl::analysis::NotRecorded& one : table.coverage.not_recorded) {
        say(fmt::format("note: {}: the trace contains no {}; to record them: {}", trace,
                        missing_source(one, table.coverage), one.record));
    }
    for (const std::string& note : coverage_notes(table.coverage)) {
        say("note: " + note);
    }
}

/// Prints why nothing was written.
void report_nothing(const ExportOptions& options, std::string_view trace, const Table& table) {
    if (table.coverage.not_recorded.empty() || !options.filters.empty()) {
        say(fmt::format("{}: nothing for a profile{}", trace,
                        options.filters.empty() ? ": all samples are of the idle thread"
                                                : " matches the filters"));
    }
    say("nothing was written");
}

/// Prints losses. Returns the exit code that they imply.
ExitCode report_losses(const Table& table, const etl::profiles::ProfileWriter& writer) {
    ExitCode exit = ExitCode::well;
    if (table.coverage.lost_events.value_or(0) != 0) {
        say(fmt::format("warning: the session lost {}, which are missing in the profile",
                        plural(*table.coverage.lost_events, "event")));
    }
    for (const etl::analysis::Remainder& one : table.coverage.remainders) {
        if (one.value != 0 && one.name == "samples_without_stack") {
            say(fmt::format("note: {} without a stack; marked (no stack)",
                            plural(one.value, "sample")));
        } else if (one.value != 0 && !is_noted(one.name)) {
            say(fmt::format("warning: limits were reached: {} {}; those are merged into (other)",
                            one.name, one.value));
            exit = ExitCode::damaged;
        }
    }
    for (const etl::profiles::Omission& one : writer.omissions()) {
        if (one.count != 0) {
            say(fmt::format("warning: limits were reached: {} {} are not in the profile; select "
                            "less with --from, --to, or --process",
                            one.count, one.what));
            exit = ExitCode::damaged;
        }
    }
    return exit;
}

ExitCode write_profile(const ExportOptions& options, const etl::profiles::Format& format,
                       const Traces& traces, ProfileInputs& inputs) {
    etl::trace::Reader& reader = *traces.readers().front();
    Destination output(options.output);
    if (!output.open()) {
        return ExitCode::failed;
    }
    const auto writer =
        format.make(output.output(), {.exporter = "etl " ETL_VERSION,
                                      .title = utf8_text(etl::file_name_of(reader.info().name))});
    const auto activity = etl::analysis::make_activity(*writer);
    ProgressBar bar(options.progress);
    inputs.pass.progress = [&](std::uint64_t events, const etl::flow::Event& newest) {
        bar.show(fraction_by_place(newest), events);
        return writer->error() == nullptr && !output.is_closed();
    };
    const auto table = etl::analysis::run(reader, reader.info(), *activity, inputs.pass);
    if (!table) {
        say(printable(reader.info().name), table.error());
        return ExitCode::failed;
    }
    report_not_recorded(printable(reader.info().name), *table);
    if (is_empty(*table)) {
        report_nothing(options, printable(reader.info().name), *table);
        return worst(ExitCode::damaged, traces.exit_code());
    }
    const ExitCode exit = finish(output, writer->error());
    report_unmatched(inputs.pass.where.value());
    report(inputs.pass.where->notes());
    return worst(worst(exit, report_losses(*table, *writer)), traces.exit_code());
}

} // namespace

ExitCode export_profile(const ExportOptions& options, std::string_view name) {
    const etl::profiles::Format* const format = etl::profiles::find_format(name);
    if (options.filters.counts()) {
        say("--skip, --limit: a profile is of all events; use --from and --until");
        return ExitCode::usage;
    }
    if (options.output == "-" && etl::io::standard_output_is_terminal()) {
        say("standard output is a terminal; name a file with -o, or use a pipe");
        return ExitCode::usage;
    }
    TraceOptions reading = options.traces;
    reading.pointer_size = options.sink.pointer_size;
    const Traces traces(reading);
    if (traces.readers().empty()) {
        return ExitCode::failed;
    }
    if (traces.readers().size() > 1) {
        say(fmt::format("--to {}: a profile is of one trace, and {} are given; merge them with "
                        "etl merge first",
                        name, traces.readers().size()));
        return ExitCode::usage;
    }
    if (etl::gather::Scopes(traces.readers()).all().size() > 1) {
        say(fmt::format("{}: merged from several machines or boots, and a profile is of one; write "
                        "its events to a trace with `etl relog --no-context --where 'file == "
                        "NAME'`",
                        printable(traces.readers().front()->info().name)));
        return ExitCode::failed;
    }
    auto inputs = inputs_of(options, *format, traces);
    if (!inputs) {
        return inputs.error();
    }
    const ExitCode exit = write_profile(options, *format, traces, *inputs);
    report_missing(inputs->symbols.get());
    return exit;
}

} // namespace cli
