// Actions that print tables of disks and files. docs/xperf.md#tables
#include "verbs/xperf/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace cli::xperf {

namespace {

struct FaultOptions {
    Range range;
    bool by_file = false, by_bytes = false;
};

Report fault_report(const FaultOptions& options) {
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
    return {.parts = parts, .selection = options.range.selection()};
}

void add_hardfault(Verb& verb, std::vector<Action>& actions) {
    Verb& app = *verb.add_subcommand("hardfault", "Print hard faults by process and by file");
    const auto options = std::make_shared<FaultOptions>();
    app.add_flag("--file", options->by_file, "first by file");
    app.add_flag("--bytes", options->by_bytes, "sort by bytes instead of by count");
    options->range.add_to(app);
    add_report(actions, app, [options] { return fault_report(*options); });
}

struct DiskOptions {
    Range range;
    double seconds = 0; // of -util
    bool files = false, details = false;
};

Report disk_report(const DiskOptions& options) {
    std::vector<Part> parts;
    if (options.seconds > 0) {
        parts.push_back({.title = "Disk utilization",
                         .table = "timeline",
                         .hidden = {"events", "bytes", "samples", "running_ns", "lost"},
                         .slice_seconds = options.seconds});
    }
    if (options.files) {
        parts.push_back({"Disk I/O by file", "disk", "file"});
    } else if (!options.details) {
        parts.push_back({"Disk I/O by disk", "disk", "disk"});
        parts.push_back({"Disk I/O by process", "disk", "process"});
    }
    return {.parts = parts, .selection = options.range.selection()};
}

void add_diskio(Verb& verb, std::vector<Action>& actions) {
    Verb& app = *verb.add_subcommand("diskio", "Print disk reads and writes");
    const auto options = std::make_shared<DiskOptions>();
    app.add_flag("--summary", options->files, "by file");
    app.add_flag("--detail", options->details, "each read, write, and flush, as in dumper");
    options->range.add_to(app);
    add_interval(app, "--util", options->seconds, "also disk bytes in intervals of N seconds");
    refuse_option(app, "--counts", "the tables contain counts");
    refuse_option(app, "--overlap", "queue_us is the time that requests waited for others");
    add_report(
        actions, app, [options] { return disk_report(*options); },
        [options](const Run& run) {
            return options->details ? list_disk_requests(run, options->range) : ExitCode::well;
        });
}

} // namespace

void add_io_tables(Verb& verb, std::vector<Action>& actions) {
    add_diskio(verb, actions);
    add_hardfault(verb, actions);
}

// Actions that print tables of the analysis module. docs/xperf.md#tables

namespace {

constexpr const char* in_intervals = "use of processors in intervals of N seconds";

void add_readythread(Verb& verb, std::vector<Action>& actions) {
    Verb& app = *verb.add_subcommand("readythread", "Print which processes ended waits");
    const auto range = std::make_shared<Range>();
    range->add_to(app);
    add_report(actions, app, [range] {
        return Report{.parts = {{"Waits by waking process", "waits", "waker"}},
                      .selection = range->selection()};
    });
}

struct ProcessOptions {
    Range range;
    bool threads = false, images = false, memory = false;
    bool tree = false, sids = false, command_lines = false;
};

Report process_report(const ProcessOptions& options) {
    Part processes{"Processes", "processes"};
    processes.hidden.emplace_back("image"); // xperf does not print it
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
    return {.parts = parts, .selection = options.range.selection()};
}

/// The lines of the dumper that -thread and -vm ask for.
ExitCode list_of_process(const Run& run, const ProcessOptions& options) {
    const ExitCode exit = options.threads ? list_threads(run, options.range) : ExitCode::well;
    return options.memory && exit != ExitCode::failed
               ? worst(exit, list_memory_ranges(run, options.range))
               : exit;
}

void add_process(Verb& verb, std::vector<Action>& actions) {
    Verb& app = *verb.add_subcommand("process", "Print processes");
    const auto options = std::make_shared<ProcessOptions>();
    app.add_flag("--thread", options->threads, "also print the events of threads");
    app.add_flag("--image", options->images, "also print programs and libraries");
    app.add_flag("--vm", options->memory, "also print the events of virtual memory");
    app.add_flag("--tree", options->tree, "children after their parents, with their depth");
    app.add_flag("--withsids,--withsid", options->sids, "with the user of each process");
    app.add_flag("--withcmdline", options->command_lines, "with the command lines");
    options->range.add_to(app);
    add_report(
        actions, app, [options] { return process_report(*options); },
        [options](const Run& run) { return list_of_process(run, *options); });
}

std::vector<Part> utilization(double seconds) {
    return {
        {.title = "Utilization", .table = "timeline", .slice_seconds = seconds > 0 ? seconds : 1},
        {.title = "CPU usage by processor", .table = "cpu", .by = "processor"}};
}

struct ProfileOptions {
    Range range;
    double seconds = 0;
    bool details = false, intervals = false;
};

Report profile_report(const ProfileOptions& options, bool has_symbols) {
    std::vector<Part> parts;
    if (options.seconds > 0 || (!options.details && !options.intervals)) {
        parts = utilization(options.seconds);
    }
    if (options.details) {
        parts.push_back({.title = "CPU usage",
                         .table = "cpu",
                         .by = has_symbols ? "process-function" : "process-module",
                         .hidden = {"samples", "inclusive_samples", "inclusive_ns"},
                         .least_samples = 1,
                         .is_of_machine = true});
    }
    return {.parts = parts, .selection = options.range.selection()};
}

void add_profile(Verb& verb, const Options& all, std::vector<Action>& actions) {
    Verb& app = *verb.add_subcommand("profile", "Print processor use by samples");
    const auto options = std::make_shared<ProfileOptions>();
    add_interval(app, "--util", options->seconds, in_intervals);
    app.add_flag("--detail", options->details,
                 "by process and module, with -symbols by process and function");
    options->range.add_to(app, 1);
    app.add_flag("--freq", options->intervals, "print the events about the sampling interval");
    add_report(
        actions, app, [options, &all] { return profile_report(*options, all.has_symbols); },
        [options](const Run& run) {
            return options->intervals ? list_sampling_intervals(run, options->range)
                                      : ExitCode::well;
        });
}

struct SwitchOptions {
    Range range;
    double seconds = 0;
    bool processes = false, threads = false;
    bool excludes_interrupts = false;
};

Report switch_report(const SwitchOptions& options) {
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
    for (Part& part : parts) {
        part.options.excludes_interrupts = options.excludes_interrupts;
    }
    return {.parts = parts, .selection = options.range.selection()};
}

void add_cswitch(Verb& verb, std::vector<Action>& actions) {
    Verb& app = *verb.add_subcommand("cswitch", "Print context switches and waits");
    const auto options = std::make_shared<SwitchOptions>();
    add_interval(app, "--avail", options->seconds, in_intervals);
    add_interval(app, "--util", options->seconds, in_intervals);
    app.add_flag("--process", options->processes, "by process (default)");
    app.add_flag("--thread", options->threads, "by thread");
    options->range.add_to(app);
    app.add_flag("--exc_dpcisr", options->excludes_interrupts, without_interrupts);
    add_report(actions, app, [options] { return switch_report(*options); });
}

} // namespace

void add_tables(Verb& verb, const Options& options, std::vector<Action>& actions) {
    add_cswitch(verb, actions);
    add_process(verb, actions);
    add_profile(verb, options, actions);
    add_readythread(verb, actions);
}

} // namespace cli::xperf
