// etl cpu, waits, disk, ...: tables from events.
#include "cli/verbs.hpp"

#include "cli/console.hpp"
#include "cli/destination.hpp"
#include "cli/help.hpp"
#include "cli/option_values.hpp"
#include "cli/progress.hpp"
#include "inputs/traces.hpp"
#include "outputs/output_guard.hpp"
#include "outputs/output_options.hpp"
#include "verbs/analyze/analyze.hpp"
#include "verbs/analyze/diff.hpp"
#include "verbs/analyze/options.hpp"
#include "verbs/analyze/part_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <span>
#include <utility>

namespace cli {

namespace {

using etl::analysis::TableForm;
using etl::analysis::TableKind;
using etl::analysis::TableOption;

std::expected<std::vector<Analysis>, ExitCode> alone(std::expected<Analysis, ExitCode> analysis) {
    if (!analysis) {
        return std::unexpected(analysis.error());
    }
    std::vector<Analysis> all;
    all.push_back(*std::move(analysis));
    return all;
}

TableView view_of(const AnalyzeOptions& options, const etl::analysis::Table& table) {
    const TableForm* const form = etl::analysis::find_table(options.verb, options.by);
    return {.table = &table,
            .rows = options.rows.count_of(table),
            .width = text_width(options.output),
            .bars = form != nullptr && form->has_bars,
            .max_number = largest_of(options.big_numbers)};
}

/// `text`: of `table`, and of others that are shown with it.
ExitCode print(const std::string& text, const AnalyzeOptions& options,
               const etl::analysis::Table& table, TableFormat format) {
    const ExitCode written = write_file(options.output, text);
    if (is_bare(format)) {
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
    const bool may_have_two =
        etl::analysis::find_kind(options.verb)->counters != nullptr && *format == TableFormat::text;
    const auto analyses = may_have_two ? analyze_with_counters(options) : alone(analyze(options));
    if (!analyses) {
        return analyses.error();
    }
    return print_tables(options, *analyses, *format);
}

/// The forms of a table, for --by, with those that only its table of counters has.
std::vector<std::string> forms_of(const TableKind& kind) {
    std::vector<std::string> forms;
    for (const TableKind* const one : {&kind, kind.counters}) {
        for (const TableForm& form : one != nullptr ? one->forms : std::span<const TableForm>()) {
            if (!form.by.empty() && std::ranges::find(forms, form.by) == forms.end()) {
                forms.emplace_back(form.by);
            }
        }
    }
    return forms;
}

void add_by(Verb& verb, const TableKind& kind, AnalyzeOptions& options) {
    const std::vector<std::string> forms = forms_of(kind);
    if (!forms.empty()) {
        add_choice(
            verb, "--by", options.by, forms,
            fmt::format("rows: {} (default: {})", fmt::join(forms, ", "), kind.forms.front().by),
            "WHAT");
    }
}

void add_slices(Verb& verb, AnalyzeOptions& options) {
    verb.add_option("--slices", options.table.slices, "number of time slices (default: 60)")
        ->check(in_range(std::size_t{1}, etl::analysis::limits::analysis_slices))
        ->type_name("N");
}

void add_without_interrupts(Verb& verb, AnalyzeOptions& options) {
    verb.add_flag("--without-interrupts", options.table.excludes_interrupts,
                  "running times without DPCs and ISRs (cpu: by process, thread, processor)");
}

void add_source(Verb& verb, AnalyzeOptions& options) {
    verb.add_option("--source", options.source,
                    "count samples of a hardware counter, by name or number, or of all; not of "
                    "time")
        ->type_name("COUNTER|all")
        ->excludes(verb.get_option("--without-interrupts"));
}

void add_per_kind(Verb& verb, AnalyzeOptions& options) {
    verb.add_option("--per-kind", options.table.per_kind,
                    "number of rows of each kind (default: 20)")
        ->check(in_range(std::size_t{1}, etl::analysis::limits::analysis_slowest))
        ->type_name("N");
}

void add_track_kinds(Verb& verb, AnalyzeOptions& options) {
    const auto all = etl::analysis::track_kind_names();
    const std::vector<std::string> names(all.begin(), all.end());
    const auto take = [names,
                       &kinds = options.table.tracks.kinds](const std::vector<std::string>& words) {
        for (const std::string& word : words) {
            const auto kind = etl::analysis::find_track_kind(word);
            if (!kind) {
                throw UsageError("--track", fmt::format("expected one of {}; found '{}'",
                                                        fmt::join(names, ", "), word));
            }
            kinds.push_back(*kind);
        }
    };
    list_values(verb.add_option_function<std::vector<std::string>>(
                        "--track", take, "only tracks of these kinds, separated by commas")
                    ->allow_extra_args(false)
                    ->delimiter(',')
                    ->type_name("KIND[,...]"),
                names);
}

/// How options of tables are declared, in this order; --symbols is among the common ones.
constexpr std::pair<TableOption, void (*)(Verb&, AnalyzeOptions&)> table_options[] = {
    {TableOption::slices, add_slices},
    {TableOption::without_interrupts, add_without_interrupts},
    {TableOption::source, add_source},
    {TableOption::per_kind, add_per_kind},
    {TableOption::track_kinds, add_track_kinds}};

void add_parts(Verb& verb, AnalyzeOptions& options) {
    add_part(verb, options.part, "`etl combine` adds them up");
    verb.add_flag("--partial", options.is_partial,
                  "with --part: write what `etl combine` needs to -o FILE");
}

/// The options that decide what a part contains, as given.
std::vector<std::pair<std::string, std::string>> words_of(const Verb& verb) {
    constexpr std::string_view others[] = {"part",      "partial",  "output",      "force",
                                           "threads",   "progress", "no-progress", "big-numbers",
                                           "recursive", "help",     "max-unpacked"};
    std::vector<std::pair<std::string, std::string>> words;
    for (const Option* option : verb.get_options()) {
        const std::string name = option->get_single_name();
        if (option->count() != 0 && !option->is_positional() &&
            std::ranges::find(others, name) == std::end(others)) {
            words.emplace_back("--" + name, fmt::format("{}", fmt::join(option->results(), " ")));
        }
    }
    return words;
}

void add_top(Verb& etl, ExitCode& exit) {
    Verb& verb =
        *etl.add_subcommand("top", "Print the processes, functions, files, ... that used most");
    auto options = std::make_shared<AnalyzeOptions>();
    constexpr std::uint64_t rows = 20;
    options->rows.limit = rows;
    options->traces.add_to(verb);
    add_common_options(verb, *options, true);
    std::vector<std::string> forms, verbs;
    std::map<std::string, std::string> verb_of; // by form
    for (const TableForm* const form : etl::analysis::forms_in(&etl::analysis::TablePlaces::top)) {
        forms.emplace_back(form->by);
        verb_of.emplace(form->by, form->kind->name);
        if (std::ranges::find(verbs, form->kind->name) == verbs.end()) {
            verbs.emplace_back(form->kind->name);
        }
    }
    options->by = forms.front();
    add_choice(verb, "--by", options->by, forms,
               fmt::format("rows: {} (default: {})", list_of(forms, "or"), forms.front()), "WHAT");
    verb.footer(fmt::format("Examples:\n  etl top trace.etl\n  etl top --by function --process "
                            "kettle trace.etl\n  etl top --by event --limit 5 trace.etl\nThe "
                            "columns are those of etl {}: docs/analysis.md.",
                            list_of(verbs, "and")));
    verb.callback([options, verb_of, &exit] {
        options->verb = verb_of.at(options->by);
        exit = run_table(*options);
    });
}

void add_table(Verb& etl, const TableKind& kind, ExitCode& exit) {
    Verb& verb = *etl.add_subcommand(std::string(kind.name), std::string(kind.summary));
    auto options = std::make_shared<AnalyzeOptions>();
    options->verb = kind.name;
    options->traces.add_to(verb);
    add_common_options(verb, *options, kind.options.contains(TableOption::symbols));
    add_by(verb, kind, *options);
    for (const auto& [option, add] : table_options) {
        if (kind.options.contains(option)) {
            add(verb, *options);
        }
    }
    add_parts(verb, *options);
    verb.footer(fmt::format("Examples:\n{}\nThe columns are defined in docs/analysis.md. Exit "
                            "codes: 0 success, 1 damage, or some\ninputs could not be opened, "
                            "2 failure, 64 usage error.",
                            kind.examples));
    verb.callback([options, &verb, &exit] {
        options->words = words_of(verb);
        exit = run_table(*options);
    });
}

} // namespace

void add_common_options(Verb& verb, AnalyzeOptions& options, bool has_symbols) {
    options.schemas.add_to(verb);
    if (has_symbols) {
        options.symbols.add_to(verb);
    }
    options.filters.add_to(verb);
    add_table_rows(verb, options.rows, "the main column");
    add_table_output(verb, options.format, options.big_numbers, options.output, options.force);
    add_pointer_size(verb, options.pointer_size);
    add_progress(verb, options.progress);
}

ExitCode print_table(const AnalyzeOptions& options, const etl::analysis::Table& table,
                     TableFormat format) {
    return print(text_of(view_of(options, table), format), options, table, format);
}

void add_tables(Verb& etl, ExitCode& exit) {
    add_top(etl, exit);
    add_diff(etl, exit);
    for (const TableKind* const kind : etl::analysis::tables()) {
        if (!kind->summary.empty()) {
            add_table(etl, *kind, exit);
        }
    }
    add_combine(etl, exit);
}

std::string names_of_tables() {
    std::string names = "top diff combine";
    for (const TableKind* const kind : etl::analysis::tables()) {
        names += kind->summary.empty() ? "" : " " + std::string(kind->name);
    }
    return names;
}

} // namespace cli
