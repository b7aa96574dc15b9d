// -a stack: functions in the stacks of events. docs/xperf.md#stack
#include "cli/console.hpp"
#include "cli/option_values.hpp"
#include "dumper/dumper.hpp"
#include "verbs/xperf/atl_regex.hpp"
#include "verbs/xperf/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>

namespace cli::xperf {

namespace {

struct StackOptions {
    Range range;
    std::vector<std::string> processes; // IDs
    std::size_t least_events = 0;       // of -butterfly
    std::optional<TableFormat> format;  // of -export
    etl::analysis::TableOptions table;

    bool has_filter() const noexcept {
        return !table.stacks.processes.empty() || !table.stacks.functions.empty() ||
               !table.stacks.events.empty();
    }
};

Part part_of(const StackOptions& options, std::string title, const char* by, const char* sort) {
    return {.title = std::move(title),
            .table = "stacks",
            .by = by,
            .sort = sort,
            .least_events = std::string_view(by) == "call" ? options.least_events : 0,
            .options = options.table};
}

Report stack_report(const StackOptions& options) {
    Report report{.selection = options.range.selection(), .format = options.format};
    report.selection.processes = options.processes;
    const bool has_calls = options.least_events > 0;
    if (!options.format) {
        report.parts.push_back(part_of(options, "Events with stacks", "event", ""));
    }
    if (!options.format || !has_calls) {
        report.parts.push_back(part_of(options, "Functions", "function", "inclusive_events"));
    }
    if (has_calls) {
        report.parts.push_back(part_of(options, "Functions and their callers", "call", "callee"));
    }
    if (has_calls && !options.format) {
        report.parts.push_back(
            part_of(options, "Functions and what they called", "call", "caller"));
    }
    return report;
}

/// Kernel events by the names that xperf's dumper gives them.
void add_hooks(const etl::match::Regex& regex, std::vector<std::uint16_t>& hooks) {
    constexpr unsigned last = std::numeric_limits<std::uint16_t>::max();
    for (unsigned i = 0; i <= last; ++i) {
        const auto hook = static_cast<std::uint16_t>(i);
        const std::string_view name = etl::dumper::name_of_hook(hook);
        if (!name.empty() && regex.finds(name)) {
            hooks.push_back(hook);
        }
    }
}

void add_regexes(Verb& app, const std::string& name, const std::string& help,
                 etl::analysis::Regexes& to, std::vector<std::uint16_t>* hooks = nullptr) {
    app.add_option_function<std::vector<std::string>>(
           name,
           [name, &to, hooks](const std::vector<std::string>& words) {
               for (const std::string& word : words) {
                   auto regex = compile_atl(word);
                   if (!regex) {
                       throw UsageError(name.substr(1),
                                        fmt::format("'{}': {} (docs/xperf.md#regex)",
                                                    printable(word), regex.error()));
                   }
                   if (hooks != nullptr) {
                       add_hooks(**regex, *hooks);
                   }
                   to.push_back(*std::move(regex));
               }
           },
           help)
        ->type_name("REGEX...");
}

void add_butterfly(Verb& app, std::size_t& least) {
    app.add_option_function<std::string>(
           "--butterfly",
           [&least](const std::string& word) {
               constexpr std::size_t usual = 10;
               least = usual;
               if (!word.empty() && (!read_number(word, least) || least == 0)) {
                   throw UsageError("-butterfly",
                                    "'" + printable(word) + "' is not a number of hits");
               }
           },
           "also calls with at least N hits, by callee and by caller (default: 10)")
        ->expected(0, 1)
        ->type_name("N");
}

ExitCode run_stack(const Run& run, const StackOptions& options, const Report& report,
                   std::span<const Analysis> tables) {
    const ExitCode exit = print_report(run, report, tables);
    if (exit != ExitCode::failed && options.has_filter() && tables.front().table.rows.empty()) {
        say("note: no stack matches the expressions of -process, -symbol, and -event; a '!' "
            "excludes what follows it, and '\\!' matches the character");
    }
    return exit;
}

} // namespace

void add_stack(Verb& verb, std::vector<Action>& actions) {
    Verb& app = *verb.add_subcommand("stack", "Print which functions are in stacks of events");
    const auto options = std::make_shared<StackOptions>();
    etl::analysis::StackFilter& filter = options->table.stacks;
    options->range.add_to(app);
    add_butterfly(app, options->least_events);
    add_processes(app, "--pid", "PID...", "only these processes", options->processes);
    app.add_option("--tid", filter.threads, "only these threads")->type_name("TID...");
    add_regexes(app, "--process", "only processes whose names match", filter.processes);
    add_regexes(app, "--symbol", "only stacks with a matching module!function", filter.functions);
    add_regexes(app, "--event", "only events that match: SampledProfile, Provider/Name",
                filter.events, &filter.hooks);
    std::map<std::string, std::optional<TableFormat>> formats;
    std::vector<std::string> names;
    for (const etl::rows::FormatTraits& one : etl::rows::formats().subspan(1)) { // without text
        formats.emplace(names.emplace_back(one.name), one.format);
    }
    add_choice(
        app, "--export", options->format, formats,
        fmt::format("one table as {}: functions, with -butterfly calls", list_of(names, "or")),
        "FORMAT");
    actions.push_back(
        {.app = &app,
         .run =
             [options](const Run& run, const Report& report, std::span<const Analysis> tables) {
                 return run_stack(run, *options, report, tables);
             },
         .report = [options] { return stack_report(*options); }});
}

} // namespace cli::xperf
