// What a report contains.
#include "base/shell_word.hpp"
#include "cli/console.hpp"
#include "flow/trace_info.hpp"
#include "verbs/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cli::reports {

namespace {

using etl::analysis::NotRecorded;
using etl::analysis::OtherVersion;
using etl::analysis::Table;
using etl::analysis::TableForm;
using etl::analysis::TableKind;
using etl::analysis::TableOption;

constexpr std::size_t report_slices = 500;
constexpr std::size_t report_per_kind = 50;
/// Of selections, whose tables the page adds up: each limit is one of a slice of the charts.
constexpr std::size_t selection_slices = 50;

/// The tables of a report, in its order.
std::vector<const TableForm*> report_forms(const ReportOptions& options) {
    auto forms = forms_in(&etl::analysis::TablePlaces::report);
    if (options.is_window) {
        std::erase_if(forms, [](const TableForm* form) { return form->places.brief == 0; });
    }
    return forms;
}

std::vector<AnalyzeOptions> wanted_tables(const ReportOptions& options) {
    std::vector<AnalyzeOptions> wanted;
    for (const TableForm* const form : report_forms(options)) {
        AnalyzeOptions& one = wanted.emplace_back(options.analysis);
        one.verb = form->kind->name;
        one.by = form->by;
        one.table = {.slices = report_slices, .per_kind = report_per_kind};
        if (!options.is_brief && !form->window_sums.empty()) {
            one.sums = std::make_shared<etl::analysis::WindowSums>(*form, selection_slices);
        }
    }
    if (!options.is_brief) {
        for (const etl::pages::FlameKind& kind : etl::pages::flame_kinds()) {
            AnalyzeOptions& one = wanted.emplace_back(options.analysis);
            one.verb = "flame";
            one.by = kind.name;
        }
    }
    return wanted;
}

std::string command_of(const TableForm& form, const Report& report) {
    const TableKind& kind = *form.kind;
    const bool has_symbols = kind.options.contains(TableOption::symbols);
    const std::string size = form.has_slices ? fmt::format(" --slices {}", report_slices)
                             : kind.options.contains(TableOption::per_kind)
                                 ? fmt::format(" --per-kind {}", report_per_kind)
                                 : "";
    return fmt::format("etl {}{}{}{}{}{} {}", kind.name, form.by.empty() ? "" : " --by ", form.by,
                       size, report.words, has_symbols ? report.symbol_words : "", report.trace);
}

/// A table of time slices has rows if any of them has a value.
bool has_values(const Table& table) {
    return std::ranges::any_of(table.total, [](const etl::analysis::Cell& cell) {
        const auto* const number = std::get_if<std::uint64_t>(&cell);
        return number != nullptr && *number != 0;
    });
}

void add_missing(Report& report, const Table& table) {
    for (const NotRecorded& missing : table.coverage.not_recorded) {
        const auto same =
            std::ranges::find(report.not_recorded, missing.source, &NotRecorded::source);
        if (same == report.not_recorded.end()) {
            report.not_recorded.push_back(missing);
        }
    }
    for (const OtherVersion& other : table.coverage.other_versions) {
        const auto same = std::ranges::find_if(
            report.other_versions, [&](const OtherVersion& one) { return one.is_as(other); });
        if (same == report.other_versions.end()) {
            report.other_versions.push_back(other);
        } else {
            same->events = std::max(same->events, other.events);
        }
    }
}

void add_flame(Report& report, const etl::pages::FlameKind& kind, Table table) {
    add_missing(report, table);
    if (!table.stacks->nodes.empty() && !etl::pages::has_stacks(table)) {
        report.not_recorded.push_back(
            {.source = kind.stacks, .columns = {}, .record = kind.record_stacks});
    } else if (!table.stacks->nodes.empty()) {
        report.flames.push_back(
            {.kind = &kind,
             .table = std::move(table),
             .command = fmt::format("etl flame --kind {}{}{} {} -o {}.html", kind.name,
                                    report.words, report.symbol_words, report.trace, kind.name)});
    }
}

void add_notes(Report& report) {
    const etl::flow::TraceInfo& info = *report.shown.info;
    const auto buffers_lost = etl::trace::buffers_lost_by_session(info);
    if (report.shown.is_event_log() && info.header.events_lost > 0) {
        report.notes.push_back(
            fmt::format("The event log lacks {}", plural(info.header.events_lost, "record")));
    } else if (info.has_header && info.header.events_lost + buffers_lost > 0) {
        report.notes.push_back(
            fmt::format("The session lost {} and {}: counts are too low, and pairs of "
                        "events can be incomplete",
                        plural(info.header.events_lost, "event"), plural(buffers_lost, "buffer")));
    }
    if (const auto& missing = report.shown.missing; !missing.gaps.empty()) {
        report.notes.push_back(
            fmt::format("{} missing{}", plural(missing.count(), "buffer is", "buffers are"),
                        missing.is_loss() ? "" : ", which is not a loss in a log of this kind"));
    }
    if (report.shown.damage > 0) {
        report.notes.push_back(fmt::format("The file is damaged ({}): `etl check {}`",
                                           plural(report.shown.damage, "finding"), report.trace));
    }
    if (!report.shown.are_losses_known()) {
        report.notes.emplace_back("The trace does not state all losses: the number of lost events "
                                  "is unknown, and the end "
                                  "can be missing");
    }
    if (!info.clock_rollbacks.empty()) {
        report.notes.emplace_back("The clock was set back during the recording: times overlap");
    }
    if (!report.words.empty()) {
        report.notes.push_back(fmt::format("Only a part of the trace is shown:{}", report.words));
    }
}

/// Of all tables.
void add_other_versions(Report& report) {
    for (const OtherVersion& one : report.other_versions) {
        report.notes.push_back(describe(one));
    }
}

} // namespace

bool is_single(const Traces& traces) {
    if (traces.readers().size() > 1) {
        say(fmt::format(
            "{} traces; a report is about one: name it, or merge them first (etl merge)",
            traces.readers().size()));
    }
    return traces.readers().size() == 1;
}

void add_table(Report& report, const TableForm& form, Table table,
               std::optional<std::uint64_t> row_count,
               std::shared_ptr<const etl::analysis::WindowSums> sums) {
    add_missing(report, table);
    if (!table.rows.empty() && (!form.has_slices || has_values(table))) {
        const std::uint64_t rows = row_count.value_or(table.rows.size());
        report.tables.push_back({.form = &form,
                                 .table = std::move(table),
                                 .command = command_of(form, report),
                                 .row_count = rows,
                                 .sums = std::move(sums)});
    }
}

namespace {

/// A window has no overview, which reads the whole trace. False: schemas cannot be read.
bool find_schemas_and_overview(Report& report, const AnalyzeOptions& read) {
    if (report.is_window) {
        const auto context = context_of(*report.traces, read.schemas);
        report.schemas = context ? context->schemas : report.schemas;
        return context.has_value();
    }
    etl::trace::Reader& reader = *report.traces->readers().front();
    PassProgress progress(read.progress, reader.buffers().size());
    OverviewWalk walk(reader, read.traces.worker_threads(), progress);
    const auto context = context_of(*report.traces, read.schemas);
    if (!context) {
        return false;
    }
    report.schemas = context->schemas;
    report.overview = walk.finish();
    return true;
}

} // namespace

std::expected<std::unique_ptr<Report>, ExitCode> make_report(const OpenedFiles& opened,
                                                             const ReportOptions& options) {
    const AnalyzeOptions& read = options.analysis;
    auto report = std::make_unique<Report>();
    TraceOptions reading = read.traces;
    reading.pointer_size = read.pointer_size;
    reading.uses_indexes = read.filters.has_window();
    report->traces = std::make_unique<Traces>(opened, reading, Traces::Findings::reported);
    if (report->traces->readers().empty()) {
        return std::unexpected(ExitCode::failed);
    }
    if (!is_single(*report->traces)) {
        return std::unexpected(ExitCode::usage);
    }
    const etl::trace::Reader& reader = *report->traces->readers().front();
    report->trace = etl::shell_word(reader.info().name);
    report->words = options.words;
    report->symbol_words = options.symbol_words;
    report->is_window = options.is_window;
    if (!find_schemas_and_overview(*report, read)) {
        return std::unexpected(ExitCode::failed);
    }
    report->shown = shown_of(reader, report->overview, report->schemas);
    if (report->shown.providers.size() > options.rows) {
        report->shown.providers.resize(options.rows); // a table has them, too
    }
    add_notes(*report);
    const std::vector<AnalyzeOptions> wanted = wanted_tables(options);
    auto tables = analyze(*report->traces, wanted);
    if (!tables) {
        return std::unexpected(tables.error());
    }
    report->coverage = tables->front().table.coverage;
    const std::vector<const TableForm*> forms = report_forms(options);
    for (std::size_t i = 0; i < tables->size(); ++i) {
        Table& table = (*tables)[i].table;
        if (i < forms.size()) {
            add_table(*report, *forms[i], std::move(table), {}, wanted[i].sums);
        } else {
            add_flame(*report, etl::pages::flame_kinds()[i - forms.size()], std::move(table));
        }
    }
    add_other_versions(*report);
    if (has_packets(report->overview.summary)) {
        const ExitCode exit = add_packets(*report, options);
        if (exit != ExitCode::well) {
            return std::unexpected(exit);
        }
    }
    report->exit = report->shown.damage > 0 ? ExitCode::damaged : report->traces->exit_code();
    return report;
}

} // namespace cli::reports
