// etl cpu, waits, disk, ...: tables from events.
#include "cli/verbs.hpp"

#include "cli/choice.hpp"
#include "cli/help.hpp"
#include "cli/in_range.hpp"
#include "cli/pointer_size.hpp"
#include "cli/print.hpp"
#include "cli/progress.hpp"
#include "inputs/parts.hpp"
#include "io/output_file.hpp"
#include "outputs/output_guard.hpp"
#include "outputs/output_options.hpp"
#include "verbs/analyze/analyze.hpp"
#include "verbs/analyze/common_options.hpp"
#include "verbs/analyze/diff.hpp"
#include "verbs/analyze/part_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace cli {

namespace {

/// A verb that prints one table.
struct TableVerb {
    const char* name;
    const char* summary;
    const char* examples;
};

constexpr TableVerb table_verbs[] = {
    {"cpu", "Print which processes, threads, or functions used the processors",
     R"(  etl cpu trace.etl
  etl cpu --by thread --process kettle trace.etl
  etl cpu --by processor --from +2s --to +5s --format csv -o cpu.csv trace.etl
  etl cpu --source CacheMisses --by function trace.etl)"},
    {"waits", "Print what threads waited for, and how long",
     R"(  etl waits trace.etl
  etl waits --by reason --process kettle trace.etl
  etl waits --by waker --format jsonl trace.etl)"},
    {"interrupts", "Print the durations of DPCs and ISRs by routine",
     R"(  etl interrupts trace.etl
  etl interrupts --by module --sort max_ns trace.etl)"},
    {"disk", "Print disk reads and writes with their times",
     R"(  etl disk trace.etl
  etl disk --by file --limit 20 trace.etl
  etl disk --by disk --process kettle --format csv -o disk.csv trace.etl)"},
    {"files", "Print file operations and hard faults with their times",
     R"(  etl files trace.etl
  etl files --by file --sort read_bytes --limit 20 trace.etl
  etl files --by operation --process kettle trace.etl)"},
    {"network", "Print TCP and UDP traffic",
     R"(  etl network trace.etl
  etl network --by peer --sort received_bytes trace.etl)"},
    {"processes", "Print the processes as a tree, with times, users, and command lines",
     R"(  etl processes trace.etl
  etl processes --format jsonl trace.etl | jq -c 'select(.exit_code != 0)')"},
    {"images", "Print the programs and libraries that were loaded",
     R"(  etl images --process kettle trace.etl
  etl images --format csv -o images.csv trace.etl)"},
    {"gc", "Print garbage collections, JIT compilation, and exceptions of .NET processes",
     R"(  etl gc trace.etl
  etl gc --process kettle --from +1s trace.etl)"},
    {"stacks", "Print which functions raised events, by the stacks of the events",
     R"(  etl stacks --symbols srv*symbols trace.etl
  etl stacks --where 'event == Thread/CSwitch' --process kettle trace.etl
  etl stacks --by event trace.etl)"},
    {"stats", "Count events and bytes",
     R"(  etl stats trace.etl
  etl stats --by event --provider 'Tea-*' trace.etl
  etl stats --by slice --slices 100 --format csv trace.etl)"},
    {"timeline", "Print activity over time",
     R"(  etl timeline trace.etl
  etl timeline --by process --slices 100 --format csv -o timeline.csv trace.etl)"},
    {"slowest", "Print the disk requests, file operations, ... that took longest",
     R"(  etl slowest trace.etl
  etl slowest --per-kind 1000 --process kettle --format csv -o slowest.csv trace.etl)"},
};

std::size_t text_width(const AnalyzeOptions& options) {
    const bool to_terminal = options.output == "-" && etl::io::standard_output_is_terminal();
    return to_terminal ? static_cast<std::size_t>(etl::io::standard_output_terminal().columns) : 0;
}

std::expected<std::vector<Analysis>, ExitCode> alone(std::expected<Analysis, ExitCode> analysis) {
    if (!analysis) {
        return std::unexpected(analysis.error());
    }
    std::vector<Analysis> all;
    all.push_back(*std::move(analysis));
    return all;
}

TableView view_of(const AnalyzeOptions& options, const etl::analysis::Table& table) {
    return {.table = &table,
            .rows = options.rows.count_of(table),
            .width = text_width(options),
            .bars = options.verb == "timeline" && (options.by.empty() || options.by == "all"),
            .big_numbers = options.big_numbers};
}

/// `text`: of `table`, and of others that are shown with it.
ExitCode print(const std::string& text, const AnalyzeOptions& options,
               const etl::analysis::Table& table, TableFormat format) {
    const ExitCode written = write_file(options.output, text);
    if (format == TableFormat::csv || format == TableFormat::tsv) {
        say(coverage_line(view_of(options, table)));
    }
    return written;
}

ExitCode print_tables(const AnalyzeOptions& options, std::span<const Analysis> analyses,
                      TableFormat format) {
    std::string text;
    ExitCode exit = ExitCode::well;
    for (const Analysis& one : analyses) {
        text += (text.empty() ? "" : "\n") + text_of(view_of(options, one.table), format);
        exit = worst(exit, one.exit);
    }
    return worst(exit, print(text, options, analyses.front().table, format));
}

ExitCode run_table(const AnalyzeOptions& given) {
    const AnalyzeOptions options = of_counters(given);
    if (options.part || options.is_partial) {
        if (const std::string problem = problem_of_parts(options); !problem.empty()) {
            say(problem);
            return ExitCode::usage;
        }
        return write_part(options);
    }
    OutputGuard guard;
    guard.reads(options.traces);
    guard.reads(options.schemas);
    if (!guard.permits(options.output, existing_files(options.force))) {
        return ExitCode::failed;
    }
    const auto format = table_format_of(options.format, options.output);
    if (!format) {
        return format.error();
    }
    const bool may_have_two = options.verb == "cpu" && *format == TableFormat::text;
    const auto analyses = may_have_two ? analyze_with_counters(options) : alone(analyze(options));
    if (!analyses) {
        return analyses.error();
    }
    return print_tables(options, *analyses, *format);
}

/// The tables of `etl top`, by what its rows are.
struct TopTable {
    const char* by;
    const char* verb;
};

constexpr TopTable top_tables[] = {{"process", "cpu"},  {"thread", "cpu"},     {"module", "cpu"},
                                   {"function", "cpu"}, {"provider", "stats"}, {"event", "stats"},
                                   {"file", "files"},   {"peer", "network"}};

/// The forms of a table, for --by.
std::map<std::string, std::string> forms_of(std::string_view verb) {
    std::map<std::string, std::string> forms;
    for (const auto& kind : etl::analysis::tables()) {
        if (kind.name == verb && !kind.by.empty()) {
            forms.emplace(kind.by, kind.by);
        }
    }
    if (verb == "cpu") {
        forms.emplace("source", "source"); // of samples of counters
    }
    return forms;
}

void add_by(CLI::App& verb, AnalyzeOptions& options) {
    std::string help;
    for (const auto& kind : etl::analysis::tables()) {
        if (kind.name == options.verb && !kind.by.empty()) {
            help += (help.empty() ? "rows: " : ", ") + std::string(kind.by);
        }
    }
    if (options.verb == "cpu") {
        help += ", source";
    }
    const auto forms = forms_of(options.verb);
    if (!forms.empty()) {
        const auto* const first = etl::analysis::find_table(options.verb, "");
        add_choice(verb, "--by", options.by, forms,
                   fmt::format("{} (default: {})", help, first->by), "WHAT");
    }
}

void add_slices(CLI::App& verb, AnalyzeOptions& options) {
    if (options.verb == "stats" || options.verb == "interrupts" || options.verb == "timeline") {
        verb.add_option("--slices", options.table.slices, "number of time slices (default: 60)")
            ->check(in_range(std::size_t{1}, etl::limits::analysis_slices))
            ->type_name("N");
    }
}

void add_without_interrupts(CLI::App& verb, AnalyzeOptions& options) {
    if (options.verb == "cpu" || options.verb == "timeline") {
        verb.add_flag("--without-interrupts", options.table.excludes_interrupts,
                      "running times without DPCs and ISRs (cpu: by process, thread, processor)");
    }
}

void add_source(CLI::App& verb, AnalyzeOptions& options) {
    if (options.verb == "cpu") {
        verb.add_option("--source", options.source,
                        "count samples of a hardware counter, by name or number, or of all; not of "
                        "time")
            ->type_name("COUNTER|all")
            ->excludes(verb.get_option("--without-interrupts"));
    }
}

void add_per_kind(CLI::App& verb, AnalyzeOptions& options) {
    if (options.verb == "slowest") {
        verb.add_option("--per-kind", options.table.per_kind,
                        "number of rows of each kind (default: 20)")
            ->check(in_range(std::size_t{1}, etl::limits::analysis_slowest))
            ->type_name("N");
    }
}

void add_parts(CLI::App& verb, AnalyzeOptions& options) {
    add_part(verb, options.part, "`etl combine` adds them up");
    verb.add_flag("--partial", options.is_partial,
                  "with --part: write what `etl combine` needs to -o FILE");
}

/// The options that decide what a part contains, as given.
std::vector<std::pair<std::string, std::string>> words_of(const CLI::App& verb) {
    constexpr std::string_view others[] = {"part",      "partial",  "output",      "force",
                                           "threads",   "progress", "no-progress", "big-numbers",
                                           "recursive", "help",     "max-unpacked"};
    std::vector<std::pair<std::string, std::string>> words;
    for (const CLI::Option* option : verb.get_options()) {
        const std::string name = option->get_single_name();
        if (option->count() != 0 && !option->get_positional() &&
            std::ranges::find(others, name) == std::end(others)) {
            words.emplace_back("--" + name, fmt::format("{}", fmt::join(option->results(), " ")));
        }
    }
    return words;
}

void add_top(CLI::App& etl, ExitCode& exit) {
    CLI::App& verb =
        *etl.add_subcommand("top", "Print the processes, functions, files, ... that used most");
    auto options = std::make_shared<AnalyzeOptions>();
    constexpr std::uint64_t rows = 20;
    options->rows.limit = rows;
    options->by = "process";
    options->traces.add_to(verb);
    add_common_options(verb, *options);
    std::map<std::string, std::string> forms;
    for (const TopTable& table : top_tables) {
        forms.emplace(table.by, table.by);
    }
    add_choice(verb, "--by", options->by, forms,
               "rows: process, thread, module, function, provider, event, file, or peer (default: "
               "process)",
               "WHAT");
    verb.footer("Examples:\n  etl top trace.etl\n  etl top --by function --process kettle "
                "trace.etl\n  etl top --by event --limit 5 trace.etl\nThe columns are those of etl "
                "cpu, stats, files, and network: docs/analysis.md.");
    verb.callback([options, &exit] {
        const auto* const table = std::ranges::find(
            top_tables, options->by, [](const TopTable& one) { return std::string(one.by); });
        options->verb = table->verb;
        exit = run_table(*options);
    });
}

} // namespace

void add_common_options(CLI::App& verb, AnalyzeOptions& options) {
    options.schemas.add_to(verb);
    if (options.verb.empty() || options.verb == "cpu" || options.verb == "interrupts" ||
        options.verb == "stacks" || options.verb == "slowest") {
        options.symbols.add_to(verb);
    }
    options.filters.add_to(verb);
    add_table_rows(verb, options.rows, "the main column");
    add_table_format(verb, options.format, options.big_numbers);
    add_text_output(verb, options.output, options.force);
    add_pointer_size(verb, options.pointer_size);
    add_progress(verb, options.progress);
}

ExitCode print_table(const AnalyzeOptions& options, const etl::analysis::Table& table,
                     TableFormat format) {
    return print(text_of(view_of(options, table), format), options, table, format);
}

void add_tables(CLI::App& etl, ExitCode& exit) {
    add_top(etl, exit);
    add_diff(etl, exit);
    for (const TableVerb& one : table_verbs) {
        CLI::App& verb = *etl.add_subcommand(one.name, one.summary);
        auto options = std::make_shared<AnalyzeOptions>();
        options->verb = one.name;
        options->traces.add_to(verb);
        add_common_options(verb, *options);
        add_by(verb, *options);
        add_slices(verb, *options);
        add_without_interrupts(verb, *options);
        add_source(verb, *options);
        add_per_kind(verb, *options);
        add_parts(verb, *options);
        verb.footer(fmt::format("Examples:\n{}\nThe columns are defined in docs/analysis.md. Exit "
                                "codes: 0 success, 1 damage, or some\ninputs could not be opened, "
                                "2 failure, 64 usage error.",
                                one.examples));
        verb.callback([options, &verb, &exit] {
            options->words = words_of(verb);
            exit = run_table(*options);
        });
    }
    add_combine(etl, exit);
}

} // namespace cli
