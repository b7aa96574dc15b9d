#include "base/text.hpp"
#include "cli/destination.hpp"
#include "cli/option_values.hpp"
#include "cli/progress.hpp"
#include "cli/verbs.hpp"
#include "outputs/output_guard.hpp"
#include "outputs/output_options.hpp"
#include "outputs/table_output.hpp"
#include "pages/flame_data.hpp"
#include "rows/values.hpp"
#include "verbs/analyze/analyze.hpp"
#include "verbs/analyze/options.hpp"
#include "verbs/flame/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ranges>
#include <string>
#include <utility>

namespace cli {

// The options of etl flame. docs/flame.md

enum class FlameFormat : unsigned char { html, svg, folded, tree };

struct FlameOptions {
    AnalyzeOptions analysis; // of the traces; its output and format are not used
    std::string kind = "cpu";
    std::string source;  // of --kind counter; empty or `all`: all
    std::string against; // trace to compare with; empty: none
    BeforeWindow window; // of `against`
    std::optional<FlameFormat> format;
    std::string output = "-";
    bool force = false;
    std::size_t nodes = 0; // 0: as many as the format can show
};

// etl flame: the stacks of samples, waits, and other events as a flame graph.

namespace {

using etl::analysis::StackTree;
using etl::analysis::Table;

constexpr std::size_t page_nodes = 100'000, picture_nodes = 20'000, tree_lines = 60;

constexpr const char* flame_footer = R"(Examples:
  etl flame trace.etl -o cpu.html
  etl flame trace.etl --format tree
  etl flame trace.etl --process kettle --symbols symbols/ -o kettle.html
  etl flame trace.etl --kind wait -o waits.svg
  etl flame after.etl --against before.etl -o change.html
  etl flame trace.etl --kind 'PageFault/VirtualAlloc' | sort -k2
  etl flame trace.etl --source CacheMisses -o misses.html
Formats: .html (a page with search and zoom, which loads nothing), .svg (a picture), .folded (lines
`root;...;leaf weight`), tree (the heaviest stacks as text). Exit codes: 0 success, 1 damage, some inputs could not be opened, or nothing
was recorded, 2 failure, 64 usage error. See docs/flame.md.)";

const etl::pages::FlameKind& kind_of(const FlameOptions& options) {
    return etl::pages::flame_kind(options.kind);
}

bool is_of_named_events(const FlameOptions& options) {
    return kind_of(options).name == "event";
}

/// The format of --format, else by the extension of the output, else folded.
std::expected<FlameFormat, ExitCode> format_of(const FlameOptions& options) {
    if (options.format || options.output == "-") {
        return options.format.value_or(FlameFormat::folded);
    }
    const std::string name = etl::to_lower_ascii(options.output);
    for (const auto& [ending, format] :
         {std::pair(".html", FlameFormat::html), std::pair(".htm", FlameFormat::html),
          std::pair(".svg", FlameFormat::svg), std::pair(".folded", FlameFormat::folded),
          std::pair(".txt", FlameFormat::folded)}) {
        if (name.ends_with(ending)) {
            return format;
        }
    }
    say(fmt::format("-o {}: unknown extension; use .html, .svg, or .folded, or --format",
                    printable(options.output)));
    return std::unexpected(ExitCode::usage);
}

/// Prints why a graph would be empty. Returns whether it would be.
bool is_empty(const Table& table, const FlameOptions& options, const std::string& name) {
    if (table.stacks != nullptr && !table.stacks->nodes.empty()) {
        return false;
    }
    for (const etl::analysis::OtherVersion& one : table.coverage.other_versions) {
        say(fmt::format("warning: {}: {}", printable(name), describe(one)));
    }
    if (table.coverage.events == 0) {
        say(fmt::format("{}: no events", printable(name)));
    } else if (table.coverage.not_recorded.empty()) {
        const bool has_filters = !options.analysis.filters.empty();
        say(fmt::format("{}: {} {}{}", printable(name), has_filters ? "no" : "contains no",
                        etl::pages::counted_events(table),
                        has_filters ? " match the filters" : ""));
    } else {
        const auto& missing = table.coverage.not_recorded.front();
        say(fmt::format("{}: not recorded: {} (to record: {})", printable(name),
                        missing_source(missing, table.coverage), missing.record));
        for (const std::string& note : coverage_notes(table.coverage)) {
            say(note);
        }
        if (options.kind == "cpu") {
            say_plainly("Other kinds of graphs: --kind wait, disk, alloc, counter, or the name of "
                        "an event.");
        }
    }
    return true;
}

std::string name_of_traces(const std::vector<std::string>& arguments) {
    std::string name = arguments.front();
    name.erase(0, name.find_last_of("/\\") + 1);
    return arguments.size() == 1 ? name : fmt::format("{} and {} more", name, arguments.size() - 1);
}

etl::pages::FlameTexts texts_of(const FlameOptions& options, const Table& table) {
    const etl::pages::FlameKind& kind = kind_of(options);
    etl::pages::FlameTexts texts{
        .title = fmt::format("{}: {}", name_of_traces(options.analysis.traces.arguments),
                             is_of_named_events(options) ? options.kind : kind.title),
        .summary = etl::pages::flame_summary(table),
        .events = etl::pages::counted_events(table),
        .notes = etl::pages::flame_notes(table, kind),
        .is_differential = !options.against.empty()};
    std::ranges::move(coverage_notes(table.coverage), std::back_inserter(texts.notes));
    if (texts.is_differential) {
        texts.summary +=
            fmt::format("; compared with {}: {}", name_of_traces({options.against}),
                        etl::rows::shown_of(etl::rows::Value(table.stacks->weight_before()),
                                            table.stacks->unit));
    }
    return texts;
}

/// Without symbols, functions of images are offsets.
void report_symbols(const StackTree& tree, const FlameOptions& options) {
    const bool has_offsets = std::ranges::any_of(tree.frames, [](const auto& frame) {
        return !frame.module.empty() && frame.function.starts_with(frame.module + "!0x");
    });
    if (has_offsets && options.analysis.symbols.paths.empty()) {
        say("note: functions of images are shown as offsets; --symbols PATH names them "
            "(docs/symbols.md)");
    }
}

std::string text_of(StackTree& tree, const etl::pages::FlameTexts& texts, FlameFormat format,
                    const FlameOptions& options) {
    if (format == FlameFormat::folded) {
        if (options.nodes != 0) {
            tree.merge_smallest(options.nodes);
        }
        return folded_text(tree, texts.is_differential);
    }
    if (format == FlameFormat::tree) {
        return tree_text(tree, texts.is_differential,
                         options.nodes != 0 ? options.nodes : tree_lines);
    }
    const bool is_page = format == FlameFormat::html;
    tree.merge_smallest(options.nodes != 0 ? options.nodes : is_page ? page_nodes : picture_nodes);
    return is_page ? flame_page(tree, texts) : flame_svg(tree, texts);
}

/// The stacks of a trace. Nothing if there are none; that was printed.
std::expected<Analysis, ExitCode> stacks_of(const FlameOptions& options,
                                            const std::vector<std::string>& traces) {
    AnalyzeOptions analysis = options.analysis;
    analysis.traces.arguments = traces;
    auto result = analyze(analysis);
    if (result && is_empty(result->table, options, traces.front())) {
        return std::unexpected(worst(ExitCode::damaged, result->exit));
    }
    return result;
}

/// Names of counters, and of their samples, are the kind `counter`. Returns whether --source is of
/// it.
bool find_counters(FlameOptions& options) {
    const bool has_source = !options.source.empty();
    if (etl::analysis::is_usual_counter(options.kind) && !has_source) {
        options.source = std::exchange(options.kind, "counter");
    } else if (etl::equals_ignoring_case(options.kind, "PerfInfo/PmcCounterProf") ||
               etl::equals_ignoring_case(options.kind, "PmcCounterProf") ||
               (has_source && options.kind == "cpu")) {
        options.kind = "counter";
    }
    if (!etl::equals_ignoring_case(options.source, "all")) {
        options.analysis.table.source = options.source;
    }
    return !has_source || options.kind == "counter";
}

/// The stacks of the trace to compare with, as stacks_of().
std::expected<Analysis, ExitCode> stacks_before(const FlameOptions& options) {
    FlameOptions before = options;
    before.analysis.filters = options.window.of(options.analysis.filters);
    return stacks_of(before, {options.against});
}

ExitCode run_flame(FlameOptions& options) {
    if (!find_counters(options)) {
        say("--source: only of --kind counter");
        return ExitCode::usage;
    }
    if (options.against.empty() && !options.window.empty()) {
        say("--before-from, --before-to: only with --against");
        return ExitCode::usage;
    }
    OutputGuard guard;
    guard.reads(options.analysis.traces);
    guard.reads(options.analysis.schemas);
    if (!options.against.empty()) {
        guard.reads(options.against);
    }
    if (!guard.permits(options.output, existing_files(options.force))) {
        return ExitCode::failed;
    }
    const auto format = format_of(options);
    if (!format) {
        return format.error();
    }
    options.analysis.verb = "flame";
    options.analysis.by = kind_of(options).name;
    if (is_of_named_events(options)) {
        options.analysis.filters.events.push_back(options.kind);
    }
    options.analysis.table.has_process_ids = options.against.empty();
    options.analysis.adds_machines = !options.against.empty();
    auto stacks = stacks_of(options, options.analysis.traces.arguments);
    if (!stacks) {
        return stacks.error();
    }
    StackTree& tree = *stacks->table.stacks;
    ExitCode exit = stacks->exit;
    if (!options.against.empty()) {
        const auto other = stacks_before(options);
        if (!other) {
            return other.error();
        }
        tree.compare_with(*other->table.stacks);
        exit = worst(exit, other->exit);
    }
    const etl::pages::FlameTexts texts = texts_of(options, stacks->table);
    for (const std::string& note : texts.notes) {
        say("note: " + note);
    }
    report_symbols(tree, options);
    return worst(write_file(options.output, text_of(tree, texts, *format, options)), exit);
}

} // namespace

void add_flame(Verb& etl, ExitCode& exit) {
    Verb& verb = *etl.add_subcommand(
        "flame", "Draw the stacks of samples, waits, and other events as a flame graph");
    auto options = std::make_shared<FlameOptions>();
    AnalyzeOptions& analysis = options->analysis;
    analysis.traces.add_to(verb);
    Option* const kind =
        verb.add_option("--kind", options->kind,
                        "cpu, wait, disk, alloc (.NET), counter, or the name of an event or of a "
                        "hardware counter (default: cpu)");
    suggest_values(kind->type_name("KIND"),
                   etl::pages::flame_kinds() | std::views::transform(&etl::pages::FlameKind::name));
    verb.add_option("--source", options->source,
                    "samples of a hardware counter, by name or number, or of all")
        ->type_name("COUNTER|all");
    verb.add_option("--against", options->against, "compare with another trace")
        ->type_name("TRACE");
    analysis.schemas.add_to(verb);
    analysis.symbols.add_to(verb);
    analysis.filters.add_to(verb);
    options->window.add_to(verb);
    verb.remove_option(verb.get_option("--skip"));
    verb.remove_option(verb.get_option("--limit"));
    add_choice<std::optional<FlameFormat>>(
        verb, "--format", options->format,
        {{"html", FlameFormat::html},
         {"svg", FlameFormat::svg},
         {"folded", FlameFormat::folded},
         {"tree", FlameFormat::tree}},
        "html, svg, folded, or tree (default: by the extension of -o, "
        "else folded)",
        "FORMAT");
    verb.add_option("-o,--output", options->output,
                    "write to FILE, which appears when complete (default: standard output)")
        ->type_name("FILE");
    add_force(verb, options->force);
    verb.add_option("--nodes", options->nodes,
                    "merge the smallest branches until N are left (default: html 100000, svg "
                    "20000, folded: all); of tree: lines at most (default: 60)")
        ->check(in_range(std::size_t{2}, etl::analysis::limits::analysis_stack_nodes))
        ->type_name("N");
    add_pointer_size(verb, analysis.pointer_size);
    add_progress(verb, analysis.progress);
    verb.footer(flame_footer);
    verb.callback([options, &exit] { exit = run_flame(*options); });
}

} // namespace cli
