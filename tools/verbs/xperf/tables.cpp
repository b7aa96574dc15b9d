// Actions that print tables of the analysis module. docs/xperf.md#tables
#include "verbs/xperf/parts.hpp"

#include <algorithm>
#include <memory>

namespace cli::xperf {

namespace {

void add_readythread(CLI::App& verb, std::vector<Action>& actions) {
    CLI::App& app = *verb.add_subcommand("readythread", "Print which processes ended waits");
    const auto range = std::make_shared<Range>();
    range->add_to(app);
    actions.push_back({&app, [range](const Run& run) {
                           return print_parts(run, {{"Waits by waking process", "waits", "waker"}},
                                              {.from = range->from(), .to = range->to()});
                       }});
}

/// Declares an option that adds processes by ID or name.
void add_processes(CLI::App& app, const std::string& name, const std::string& type,
                   const std::string& help, std::vector<std::string>& to) {
    app.add_option_function<std::vector<std::string>>(
           name,
           [&to](const std::vector<std::string>& words) {
               to.insert(to.end(), words.begin(), words.end());
           },
           help)
        ->type_name(type);
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
        processes.sort = "-pid";
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
    add_processes(app, "--pids", "PID...", "only processes with these IDs", options->processes);
    add_processes(app, "--exes", "NAME...", "only processes of these programs", options->processes);
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

/// -util, -avail: seconds of an interval; 0: not given.
void add_interval(CLI::App& app, const std::string& name, double& seconds) {
    app.add_option_function<std::string>(
           name,
           [name, &seconds](const std::string& word) {
               seconds = 1;
               if (!word.empty() && (!CLI::detail::lexical_cast(word, seconds) || seconds <= 0)) {
                   throw CLI::ValidationError(name.substr(1), "'" + printable(word) +
                                                                  "' is not a number of seconds");
               }
           },
           "use of processors in intervals of N seconds (default: 1)")
        ->expected(0, 1)
        ->type_name("N");
}

std::vector<Part> utilization(double seconds) {
    return {
        {.title = "Utilization", .table = "timeline", .slice_seconds = seconds > 0 ? seconds : 1},
        {.title = "CPU usage by processor", .table = "cpu", .by = "processor"}};
}

struct ProfileOptions {
    Range range;
    double seconds = 0;
    bool details = false;
};

ExitCode run_profile(const Run& run, const ProfileOptions& options) {
    std::vector<Part> parts;
    if (options.seconds > 0 || !options.details) {
        parts = utilization(options.seconds);
    }
    if (options.details) {
        parts.push_back({.title = "CPU usage",
                         .table = "cpu",
                         .by = run.options->has_symbols ? "process-function" : "process-module",
                         .hidden = {"inclusive_samples", "inclusive_ns"},
                         .least_samples = 1});
    }
    return print_parts(run, parts, {.from = options.range.from(), .to = options.range.to()});
}

void add_profile(CLI::App& verb, std::vector<Action>& actions) {
    CLI::App& app = *verb.add_subcommand("profile", "Print processor use by samples");
    const auto options = std::make_shared<ProfileOptions>();
    add_interval(app, "--util", options->seconds);
    app.add_flag("--detail", options->details,
                 "by process and module, with -symbols by process and function");
    options->range.add_to(app, 1);
    refuse_option(app, "--freq", "the dumper's ProfileFreq lines contain the sampling interval");
    actions.push_back({&app, [options](const Run& run) { return run_profile(run, *options); }});
}

struct SwitchOptions {
    Range range;
    double seconds = 0;
    bool processes = false, threads = false;
};

ExitCode run_cswitch(const Run& run, const SwitchOptions& options) {
    std::vector<Part> parts;
    if (options.seconds > 0) {
        parts = utilization(options.seconds);
    }
    if (options.processes || (!options.threads && options.seconds == 0)) {
        parts.push_back({"CPU usage by process", "cpu", "process", "running_ns"});
        parts.push_back({"Waits by process", "waits", "process"});
    }
    if (options.threads) {
        parts.push_back({"CPU usage by thread", "cpu", "thread", "running_ns"});
        parts.push_back({"Waits by thread", "waits", "thread"});
    }
    parts.push_back({"Waits by reason", "waits", "reason"});
    return print_parts(run, parts, {.from = options.range.from(), .to = options.range.to()});
}

void add_cswitch(CLI::App& verb, std::vector<Action>& actions) {
    CLI::App& app = *verb.add_subcommand("cswitch", "Print context switches and waits");
    const auto options = std::make_shared<SwitchOptions>();
    add_interval(app, "--avail", options->seconds);
    add_interval(app, "--util", options->seconds);
    app.add_flag("--process", options->processes, "by process (default)");
    app.add_flag("--thread", options->threads, "by thread");
    options->range.add_to(app);
    refuse_option(app, "--exc_dpcisr", "times include DPCs and ISRs (docs/analysis.md)");
    actions.push_back({&app, [options](const Run& run) { return run_cswitch(run, *options); }});
}

struct StackOptions {
    Range range;
    std::vector<std::string> processes;
    std::size_t least_samples = 0; // of -butterfly
};

ExitCode run_stack(const Run& run, const StackOptions& options) {
    std::vector<Part> parts{{.title = "Functions",
                             .table = "cpu",
                             .by = "function",
                             .sort = "inclusive_ns",
                             .least_samples = 0}};
    if (options.least_samples > 0) {
        parts.push_back({.title = "Functions and their callers",
                         .table = "cpu",
                         .by = "call",
                         .sort = "callee",
                         .least_samples = options.least_samples});
        parts.push_back({.title = "Functions and what they called",
                         .table = "cpu",
                         .by = "call",
                         .sort = "caller",
                         .least_samples = options.least_samples});
    }
    return print_parts(
        run, parts,
        {.from = options.range.from(), .to = options.range.to(), .processes = options.processes});
}

void add_stack(CLI::App& verb, std::vector<Action>& actions) {
    CLI::App& app = *verb.add_subcommand(
        "stack", "Print the exclusive and inclusive weight of functions in sampled stacks");
    const auto options = std::make_shared<StackOptions>();
    options->range.add_to(app);
    app.add_option_function<std::string>(
           "--butterfly",
           [options](const std::string& word) {
               options->least_samples = 10;
               if (!word.empty() && !CLI::detail::lexical_cast(word, options->least_samples)) {
                   throw CLI::ValidationError("-butterfly",
                                              "'" + printable(word) + "' is not a number");
               }
           },
           "also calls, with at least N samples, by callee and by caller (default: 10)")
        ->expected(0, 1)
        ->type_name("N");
    add_processes(app, "--pid", "PID...", "only these processes", options->processes);
    add_processes(app, "--process", "NAME...", "only processes with these names (* and ? match)",
                  options->processes);
    refuse_option(app, "--export", "use -o, or `etl cpu --by function --format csv`");
    refuse_option(app, "--tid", "use `etl cpu --by function --where 'data.ThreadId == TID'`");
    refuse_option(app, "--symbol", "filter the output, or use `etl cpu --by function`");
    refuse_option(app, "--event", "only stacks of samples are used");
    actions.push_back({&app, [options](const Run& run) { return run_stack(run, *options); }});
}

struct FaultOptions {
    Range range;
    bool by_file = false, by_bytes = false;
};

ExitCode run_hardfault(const Run& run, const FaultOptions& options) {
    const char* const sort = options.by_bytes ? "hard_fault_bytes" : "hard_faults";
    std::vector<Part> parts;
    for (const char* const by : {"process", "file"}) {
        parts.push_back({"Hard faults",
                         "files",
                         by,
                         sort,
                         {"operations", "read_bytes", "write_bytes", "completed", "duration_ns",
                          "max_duration_ns", "errors"}});
    }
    if (options.by_file) {
        std::ranges::reverse(parts);
    }
    return print_parts(run, parts, {.from = options.range.from(), .to = options.range.to()});
}

void add_hardfault(CLI::App& verb, std::vector<Action>& actions) {
    CLI::App& app = *verb.add_subcommand("hardfault", "Print hard faults by process and by file");
    const auto options = std::make_shared<FaultOptions>();
    app.add_flag("--file", options->by_file, "first by file");
    app.add_flag("--bytes", options->by_bytes, "sort by bytes instead of by count");
    options->range.add_to(app);
    actions.push_back({&app, [options](const Run& run) { return run_hardfault(run, *options); }});
}

struct DiskOptions {
    Range range;
    bool files = false, details = false;
};

ExitCode run_diskio(const Run& run, const DiskOptions& options) {
    if (options.details) {
        return list_disk_requests(run, options.range);
    }
    const std::vector<Part> parts =
        options.files ? std::vector<Part>{{"Disk I/O by file", "disk", "file"}}
                      : std::vector<Part>{{"Disk I/O by disk", "disk", "disk"},
                                          {"Disk I/O by process", "disk", "process"}};
    return print_parts(run, parts, {.from = options.range.from(), .to = options.range.to()});
}

void add_diskio(CLI::App& verb, std::vector<Action>& actions) {
    CLI::App& app = *verb.add_subcommand("diskio", "Print disk reads and writes");
    const auto options = std::make_shared<DiskOptions>();
    app.add_flag("--summary", options->files, "by file");
    app.add_flag("--detail", options->details, "each read, write, and flush, as in dumper");
    options->range.add_to(app);
    refuse_option(app, "--util", "`etl timeline` prints disk bytes in time slices");
    refuse_option(app, "--counts", "the tables contain counts");
    refuse_option(app, "--overlap", "queue_us is the time that requests waited for others");
    actions.push_back({&app, [options](const Run& run) { return run_diskio(run, *options); }});
}

void add_dpcisr(CLI::App& verb, std::vector<Action>& actions) {
    CLI::App& app = *verb.add_subcommand("dpcisr", "Print durations of DPCs and ISRs");
    const auto range = std::make_shared<Range>();
    app.add_flag("--summary")->description("accepted: all reports are summaries");
    range->add_to(app);
    refuse_option(app, "--dpc", "the column `kind` separates DPCs and ISRs");
    refuse_option(app, "--isr", "the column `kind` separates DPCs and ISRs");
    refuse_option(app, "--interval", "use -range, or the dumper's lines");
    refuse_option(app, "--bucket", "the histogram has buckets of 0, 1, 2-3, 4-7, ... microseconds");
    actions.push_back({&app, [range](const Run& run) {
                           return print_parts(
                               run,
                               {{"DPCs and ISRs by module", "interrupts", "module"},
                                {"DPCs and ISRs by routine", "interrupts", "routine"}},
                               {.from = range->from(), .to = range->to()});
                       }});
}

} // namespace

void add_tables(CLI::App& verb, std::vector<Action>& actions) {
    add_cpudisk(verb, actions);
    add_cswitch(verb, actions);
    add_diskio(verb, actions);
    add_dpcisr(verb, actions);
    add_hardfault(verb, actions);
    add_process(verb, actions);
    add_profile(verb, actions);
    add_readythread(verb, actions);
    add_stack(verb, actions);
}

} // namespace cli::xperf
