// Actions that print tables of the analysis module. docs/xperf.md#tables
#include "verbs/analyze/analyze.hpp"
#include "verbs/xperf/options.hpp"
#include "verbs/xperf/plain_table.hpp"

#include <fmt/format.h>

#include <memory>

namespace cli::xperf {

namespace {

/// One table of an action.
struct Part {
    const char* title;
    const char* table; // of analysis
    const char* by = "";
    const char* sort = "";
    std::vector<std::string_view> hidden{};
    std::size_t rows = 0; // most; 0: all
};

/// What an action selects.
struct Selection {
    std::optional<Moment> from{}, to{};
    std::vector<std::string> processes{};
};

ExitCode print_part(const Run& run, const Part& part, const Selection& selection) {
    AnalyzeOptions options;
    options.traces = run.options->traces;
    options.schemas = run.options->schemas;
    if (run.options->has_symbols) {
        options.symbols = run.options->symbols;
    }
    options.filters.from = selection.from;
    options.filters.to = selection.to;
    options.filters.processes = selection.processes;
    options.verb = part.table;
    options.by = part.by;
    options.sort = part.sort;
    options.progress = run.options->progress();
    const auto analysis = analyze(options);
    if (!analysis) {
        return analysis.error();
    }
    const auto& table = analysis->table;
    const etl::Filetime start = start_of(*run.options);
    std::string text =
        fmt::format("{}\n\n{}\n", part.title, plain_text(table, start, part.hidden, part.rows));
    for (const auto& missing : table.coverage.not_recorded) {
        text += fmt::format("Not recorded: {} (to record: {})\n", missing.source, missing.record);
    }
    return worst(run.write(text), analysis->exit);
}

ExitCode print_parts(const Run& run, const std::vector<Part>& parts, const Selection& selection) {
    ExitCode exit = ExitCode::well;
    for (const Part& part : parts) {
        exit = worst(exit, print_part(run, part, selection));
        if (exit == ExitCode::failed || exit == ExitCode::usage) {
            break;
        }
    }
    return exit;
}

/// An action with the same tables whatever its options, and a range.
void add_simple(CLI::App& verb, std::vector<Action>& actions, const std::string& name,
                const std::string& help, std::vector<Part> parts) {
    CLI::App& app = *verb.add_subcommand(name, help);
    const auto range = std::make_shared<Range>();
    range->add_to(app);
    actions.push_back({&app, [range, parts = std::move(parts)](const Run& run) {
                           return print_parts(run, parts,
                                              {.from = range->from(), .to = range->to()});
                       }});
}

struct ProcessOptions {
    Range range;
    bool threads = false, images = false, tree = false, sids = false, command_lines = false;
};

ExitCode run_process(const Run& run, const ProcessOptions& options) {
    Part processes{"Processes", "processes"};
    if (!options.sids) {
        processes.hidden.emplace_back("user");
    }
    if (!options.command_lines) {
        processes.hidden.emplace_back("command_line");
    }
    if (!options.tree) {
        processes.hidden.emplace_back("depth");
        processes.sort = "pid";
    }
    std::vector<Part> parts{processes};
    if (options.images) {
        parts.push_back({"Images", "images"});
    }
    const ExitCode exit =
        print_parts(run, parts, {.from = options.range.from(), .to = options.range.to()});
    return options.threads && exit != ExitCode::failed
               ? worst(exit, list_threads(run, options.range))
               : exit;
}

void add_process(CLI::App& verb, std::vector<Action>& actions) {
    CLI::App& app = *verb.add_subcommand("process", "Print processes");
    const auto options = std::make_shared<ProcessOptions>();
    app.add_flag("--thread", options->threads, "also print the events of threads");
    app.add_flag("--image", options->images, "also print programs and libraries");
    app.add_flag("--tree", options->tree, "children after their parents, with their depth");
    app.add_flag("--withsids", options->sids, "with the user of each process");
    app.add_flag("--withcmdline", options->command_lines, "with the command lines");
    options->range.add_to(app);
    refuse_option(app, "--vm", "sizes of virtual memory are in ProcessPerfCtr events; see dumper");
    actions.push_back({&app, [options](const Run& run) { return run_process(run, *options); }});
}

struct CpuDiskOptions {
    Range times;
    std::vector<std::string> processes;
    bool threads = false;
};

void add_cpudisk(CLI::App& verb, std::vector<Action>& actions) {
    CLI::App& app = *verb.add_subcommand("cpudisk", "Print processor and disk use of processes");
    const auto options = std::make_shared<CpuDiskOptions>();
    app.add_flag("--thread", options->threads, "by thread");
    app.add_option("--pids", options->processes, "only processes with these IDs")
        ->type_name("PID...");
    app.add_option_function<std::vector<std::string>>(
           "--exes",
           [options](const std::vector<std::string>& names) {
               options->processes.insert(options->processes.end(), names.begin(), names.end());
           },
           "only processes of these programs")
        ->type_name("NAME...");
    app.add_option("--times", options->times.words, "begin and end")
        ->expected(2)
        ->type_name("TIME");
    refuse_option(app, "--exc_dpcisr", "times include DPCs and ISRs (docs/analysis.md)");
    refuse_option(app, "--marks", "use -times with the times that `-a marks` prints");
    actions.push_back(
        {&app, [options](const Run& run) {
             options->times.check();
             return print_parts(
                 run, {{"CPU", "cpu", options->threads ? "thread" : "process"}, {"Disk", "disk"}},
                 {.from = options->times.from(),
                  .to = options->times.to(),
                  .processes = options->processes});
         }});
}

struct ProfileOptions {
    Range range;
    std::size_t slices = 0; // -util
    bool details = false;
};

ExitCode run_profile(const Run& run, const ProfileOptions& options) {
    std::vector<Part> parts{{"CPU usage by process", "cpu", "process", "sampled_ns"}};
    if (options.details) {
        parts = {{"CPU usage by process", "cpu", "process", "sampled_ns"},
                 {"CPU usage by module", "cpu", "module"},
                 {"CPU usage by function", "cpu", "function"}};
    }
    if (options.slices > 0) {
        parts = {{"Utilization", "timeline"}, {"CPU usage by processor", "cpu", "processor"}};
    }
    return print_parts(run, parts, {.from = options.range.from(), .to = options.range.to()});
}

void add_profile(CLI::App& verb, std::vector<Action>& actions) {
    CLI::App& app = *verb.add_subcommand("profile", "Print processor use by samples");
    const auto options = std::make_shared<ProfileOptions>();
    app.add_flag_callback(
        "--util", [options] { options->slices = 1; },
        "samples and running time in 60 slices of the range, and by processor");
    app.add_flag("--detail", options->details, "also by module and function");
    options->range.add_to(app, 1);
    refuse_option(app, "--freq", "the dumper's ProfileFreq lines contain the sampling interval");
    actions.push_back({&app, [options](const Run& run) { return run_profile(run, *options); }});
}

void add_stack(CLI::App& verb, std::vector<Action>& actions) {
    CLI::App& app = *verb.add_subcommand(
        "stack", "Print the exclusive and inclusive weight of functions in sampled stacks");

    struct StackOptions {
        Range range;
        std::vector<std::string> processes;
    };

    const auto options = std::make_shared<StackOptions>();
    options->range.add_to(app);
    app.add_option("--pid", options->processes, "only these processes")->type_name("PID");
    app.add_option_function<std::vector<std::string>>(
           "--process",
           [options](const std::vector<std::string>& names) {
               options->processes.insert(options->processes.end(), names.begin(), names.end());
           },
           "only processes with these names (* and ? match)")
        ->type_name("NAME");
    refuse_option(app, "--butterfly",
                  "callers and callees are not computed; inclusive weights are");
    refuse_option(app, "--export", "use -o, or `etl cpu --by function --format csv`");
    refuse_option(app, "--tid", "use `etl cpu --by function --where 'data.ThreadId == TID'`");
    refuse_option(app, "--symbol", "filter the output, or use `etl cpu --by function`");
    refuse_option(app, "--event", "only stacks of samples are used");
    actions.push_back({&app, [options](const Run& run) {
                           return print_parts(run, {{"Stacks", "cpu", "function", "inclusive_ns"}},
                                              {.from = options->range.from(),
                                               .to = options->range.to(),
                                               .processes = options->processes});
                       }});
}

} // namespace

void add_tables(CLI::App& verb, std::vector<Action>& actions) {
    add_cpudisk(verb, actions);
    add_simple(verb, actions, "cswitch", "Print context switches and waits",
               {{"Context switches by process", "cpu", "process", "switches"},
                {"Waits by process", "waits", "process"},
                {"Waits by reason", "waits", "reason"}});
    add_simple(verb, actions, "diskio", "Print disk reads and writes",
               {{"Disk I/O by disk", "disk", "disk"},
                {"Disk I/O by process", "disk", "process"},
                {"Disk I/O by file", "disk", "file"}});
    add_simple(verb, actions, "dpcisr", "Print durations of DPCs and ISRs",
               {{"DPCs and ISRs by module", "interrupts", "module"},
                {"DPCs and ISRs by routine", "interrupts", "routine"}});
    const std::vector<std::string_view> no_operations{
        "operations",  "read_bytes",      "write_bytes", "completed",
        "duration_ns", "max_duration_ns", "errors"};
    add_simple(verb, actions, "hardfault", "Print hard faults",
               {{"Hard faults by process", "files", "process", "hard_fault_ns", no_operations},
                {"Hard faults by file", "files", "file", "hard_fault_ns", no_operations}});
    add_process(verb, actions);
    add_profile(verb, actions);
    add_simple(verb, actions, "readythread", "Print which processes ended waits",
               {{"Waits by waking process", "waits", "waker"}});
    add_stack(verb, actions);
}

} // namespace cli::xperf
