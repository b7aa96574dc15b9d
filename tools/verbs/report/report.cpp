// etl report: one page about a trace. docs/report.md
#include "verbs/report/report.hpp"

#include "base/shell_word.hpp"
#include "cli/destination.hpp"
#include "cli/option_values.hpp"
#include "cli/progress.hpp"
#include "cli/verbs.hpp"
#include "outputs/output_guard.hpp"
#include "outputs/output_options.hpp"
#include "pages/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace cli::reports {

namespace {

constexpr const char* report_footer = R"(Examples:
  etl report trace.etl -o report.html
  etl report --process kettle --from +2s --to +5s trace.etl -o kettle.html
  etl report --brief trace.etl
  etl report --anonymize trace.etl -o report.html
  etl report --window --from +10s --to +10.1s trace.etl
  etl report --json trace.etl | jq -c '.tables[] | [.title, .row_count]'
The page needs no network and no other files. It states what it does not contain, and which command
prints it. Exit codes: 0 success, 1 damage, 2 failure, 64 usage error. See docs/report.md.)";

constexpr std::size_t max_rows = 10'000;

/// The styles and scripts of the page, each after those that it uses.
std::vector<std::string_view> files_of_page() {
    constexpr std::string_view own[] = {
        "report.css",           "address.mjs",       "time_axis.mjs",       "name_colors.mjs",
        "commands.mjs",         "report_model.mjs",  "report_commands.mjs", "report_state.mjs",
        "report_selection.mjs", "report_values.mjs", "report_window.mjs",   "report_chart.mjs",
        "report_table.mjs",     "report_facts.mjs",  "report_charts.mjs",   "report_flames.mjs",
        "report_page.mjs"};
    std::vector<std::string_view> files(flame_graph_files().begin(), flame_graph_files().end());
    files.insert(files.end(), std::begin(own), std::end(own));
    return files;
}

/// The options with which others print the same part of a trace, as words of a shell.
void read_words(const Verb& verb, ReportOptions& options) {
    constexpr std::string_view others[] = {
        "FILE",        "help",         "output",      "force",     "json",
        "brief",       "window",       "rows",        "threads",   "progress",
        "no-progress", "max-unpacked", "big-numbers", "anonymize", "anonymize-key"};
    constexpr std::string_view paths[] = {"schema", "symbols"}; // can be personal data
    for (const Option* option : verb.get_options()) {
        const std::string name = option->get_single_name();
        const auto is_among = [&name](const auto& names) {
            return std::ranges::find(names, name) != std::end(names);
        };
        if (option->count() == 0 || is_among(others) ||
            (options.copy.is_wanted() && is_among(paths))) {
            continue;
        }
        std::string& words = name == "symbols" ? options.symbol_words : options.words;
        if (option->max_values() == 0) {
            words += " --" + name;
            continue;
        }
        for (const std::string& value : option->results()) {
            words += fmt::format(" --{} {}", name, etl::shell_word(value));
        }
    }
}

std::string output_text(const Report& report, const ReportOptions& options) {
    if (options.is_brief) {
        return brief_text(report);
    }
    std::string json = report_json(report, options.rows);
    if (options.is_json) {
        return with_big_numbers(std::move(json), options.analysis.big_numbers);
    }
    const std::string title = printable(report.shown.info->name) + " - etl report";
    const auto files = files_of_page();
    return html_of({.title = title, .files = files, .data = json});
}

/// Writes the report of files that were opened.
ExitCode write_report(const OpenedFiles& opened, const ReportOptions& options) {
    const auto report = make_report(opened, options);
    if (!report) {
        return report.error();
    }
    return worst((*report)->exit,
                 write_file(options.analysis.output, output_text(**report, options)));
}

/// Writes the report of an anonymized copy of the only trace.
ExitCode write_anonymized(const OpenedFiles& opened, ReportOptions& options) {
    AnalyzeOptions& read = options.analysis;
    Traces traces(opened, read.traces, Traces::Findings::reported);
    if (traces.readers().empty()) {
        return ExitCode::failed;
    }
    if (!is_single(traces)) {
        return ExitCode::usage;
    }
    std::optional<ProgressBar> bar(read.progress);
    const auto copy = options.copy.make(
        traces, read.schemas,
        {.pointer_size = read.pointer_size,
         .progress = [&](double done, std::uint64_t events) { bar->show(done, events); }});
    bar.reset(); // before messages
    if (!copy) {
        return copy.error();
    }
    read.traces.ignores_indexes = true; // of files of that name
    const ExitCode exit = write_report({{.files = {*copy}}}, options);
    return worst(exit, traces.exit_code());
}

ExitCode run_report(ReportOptions& options) {
    AnalyzeOptions& read = options.analysis;
    if (read.output.empty() && !options.is_json && !options.is_brief) {
        say("the page has no name; use -o report.html, or --json or --brief");
        return ExitCode::usage;
    }
    if (options.is_window && !read.filters.has_window()) {
        say("--window needs --from or --to; without a window, use --brief");
        return ExitCode::usage;
    }
    if (read.output.empty()) {
        read.output = "-";
    }
    OutputGuard guard;
    guard.reads(read.traces);
    guard.reads(read.schemas);
    options.copy.add_key_to(guard);
    if (!guard.permits(read.output, existing_files(read.force))) {
        return ExitCode::failed;
    }
    if (!options.copy.is_wanted()) {
        return write_report(open_files(read.traces), options);
    }
    return options.copy.find_key() ? write_anonymized(open_files(read.traces), options)
                                   : ExitCode::failed;
}

} // namespace

} // namespace cli::reports

namespace cli {

void add_report(Verb& etl, ExitCode& exit) {
    Verb& verb = *etl.add_subcommand(
        "report", "Write a page about a trace: facts, charts, flame graphs, tables");
    auto options = std::make_shared<reports::ReportOptions>();
    AnalyzeOptions& read = options->analysis;
    read.output.clear();
    read.traces.add_to(verb);
    read.traces.is_single_pass = false; // a pass for each group of tables
    describe_as_only(verb);
    read.schemas.add_to(verb);
    read.symbols.add_to(verb);
    read.filters.add_to(verb);
    verb.remove_option(verb.get_option("--skip"));
    verb.remove_option(verb.get_option("--limit"));
    verb.add_option("-o,--output", read.output,
                    "write to FILE, which appears when complete (default for --json and --brief: "
                    "standard output)")
        ->type_name("FILE");
    add_force(verb, read.force);
    auto* const json = verb.add_flag("--json", options->is_json, "write the content as JSON");
    add_big_numbers(verb, read.big_numbers);
    verb.add_flag("--brief", options->is_brief,
                  "write the most important parts as text, at most 4 KB")
        ->excludes(json);
    verb.add_flag_callback(
            "--window", [options] { options->is_brief = options->is_window = true; },
            "like --brief, about the window of --from and --to alone, of which only the share of "
            "the trace is read, with an index")
        ->excludes(json);
    verb.add_option("--rows", options->rows, "most rows of each table (default: 300)")
        ->check(in_range(std::size_t{1}, reports::max_rows))
        ->type_name("N");
    add_pointer_size(verb, read.pointer_size);
    options->copy.add_to(verb);
    add_progress(verb, read.progress);
    verb.footer(reports::report_footer);
    verb.callback([options, &verb, &exit] {
        reports::read_words(verb, *options);
        exit = reports::run_report(*options);
    });
}

} // namespace cli
