// Actions that print tables of disks and files. docs/xperf.md#tables
#include "verbs/xperf/parts.hpp"

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

} // namespace cli::xperf
