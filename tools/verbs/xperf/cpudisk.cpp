// -a cpudisk: processors and disks by process, between marks. docs/xperf.md#tables
#include "base/text.hpp"
#include "verbs/xperf/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace cli::xperf {

namespace {

struct CpuDiskOptions {
    Range times;
    std::vector<std::string> processes;
    std::optional<std::vector<std::string>> marks; // of -marks
    bool threads = false, excludes_interrupts = false;
};

struct Mark {
    etl::Filetime time{};
    std::string text;
};

/// The marks of the traces, in time order.
std::expected<std::vector<Mark>, ExitCode> read_marks(const Options& all) {
    AnalyzeOptions how;
    how.traces = all.traces;
    how.schemas = all.schemas;
    how.verb = "marks";
    how.progress = ProgressBar::Mode::never;
    const auto analysis = analyze(how);
    if (!analysis) {
        return std::unexpected(analysis.error());
    }
    std::vector<Mark> marks;
    const std::uint32_t at = *analysis->table.find("time");
    for (const etl::analysis::Row& row : analysis->table.rows) {
        const auto* const time = std::get_if<std::uint64_t>(&row.cells[at]);
        const auto* const text = std::get_if<std::string>(&row.cells.back());
        if (time != nullptr) {
            marks.push_back({{static_cast<std::int64_t>(*time)}, text != nullptr ? *text : ""});
        }
    }
    std::ranges::stable_sort(marks, {}, [](const Mark& mark) { return mark.time.ticks; });
    return marks;
}

/// The marks that limit intervals: those of -marks, else all.
std::expected<std::vector<Mark>, ExitCode> limits_of(const CpuDiskOptions& options,
                                                     const Options& all) {
    if (!options.times.words.empty() || (options.marks && options.marks->empty())) {
        return std::vector<Mark>();
    }
    auto marks = read_marks(all);
    if (!marks || !options.marks) {
        return marks;
    }
    for (const std::string& name : *options.marks) {
        if (std::ranges::none_of(*marks, [&](const Mark& mark) {
                return etl::equals_ignoring_case(mark.text, name);
            })) {
            say(fmt::format("warning: no mark is named '{}'; `-a marks` lists them",
                            printable(name)));
        }
    }
    std::erase_if(*marks, [&](const Mark& mark) {
        return std::ranges::none_of(*options.marks, [&](const std::string& name) {
            return etl::equals_ignoring_case(mark.text, name);
        });
    });
    if (marks->size() < 2) {
        say("note: -marks names fewer than two marks of the trace, so there is one interval");
    }
    return marks;
}

std::vector<Part> parts_of(const CpuDiskOptions& options, const std::string& interval,
                           const std::optional<Selection>& selection) {
    return {{.title = "CPU" + interval,
             .table = "cpu",
             .by = options.threads ? "thread" : "process",
             .options = {.excludes_interrupts = options.excludes_interrupts},
             .selection = selection},
            {.title = "Disk" + interval, .table = "disk", .selection = selection}};
}

std::expected<Report, ExitCode> report_of(const CpuDiskOptions& options, const Options& all) {
    const auto marks = limits_of(options, all);
    if (!marks) {
        return std::unexpected(marks.error());
    }
    Selection selection = options.times.selection();
    selection.processes = options.processes;
    if (marks->size() < 2) {
        return Report{.parts = parts_of(options, "", {}), .selection = selection};
    }
    const etl::Filetime start = bounds_of(all).start;
    const auto place = [&](const Mark& mark) {
        constexpr std::int64_t per_microsecond = 10;
        return fmt::format("{} ({})", printable(mark.text),
                           (mark.time.ticks - start.ticks) / per_microsecond);
    };
    Report report;
    for (std::size_t i = 1; i < marks->size(); ++i) {
        const Mark &from = (*marks)[i - 1], &to = (*marks)[i];
        selection.from = Moment{.kind = Moment::Kind::absolute, .at = from.time};
        selection.to = Moment{.kind = Moment::Kind::absolute, .at = to.time};
        const std::string interval = fmt::format(", from mark {} to {}", place(from), place(to));
        std::ranges::move(parts_of(options, interval, selection), std::back_inserter(report.parts));
    }
    return report;
}

} // namespace

void add_cpudisk(Verb& verb, const Options& all, std::vector<Action>& actions) {
    Verb& app = *verb.add_subcommand("cpudisk", "Print processor and disk use of processes");
    const auto options = std::make_shared<CpuDiskOptions>();
    app.add_flag("--thread", options->threads, "by thread");
    app.add_flag("--exc_dpcisr", options->excludes_interrupts, without_interrupts);
    add_processes(app, "--pids", "PID...", "only processes with these IDs", options->processes);
    add_processes(app, "--exes", "NAME...", "only processes of these programs", options->processes);
    app.add_option_function<std::vector<std::string>>(
           "--marks",
           [options](const std::vector<std::string>& words) {
               options->marks = words;
               std::erase(*options->marks, std::string());
           },
           "intervals between these marks (default: between all); without a name: one interval")
        ->expected(0, -1)
        ->type_name("MARK...");
    app.add_option("--times", options->times.words, "begin and end, instead of marks")
        ->expected(2)
        ->type_name("TIME");
    app.parse_complete_callback([options] { options->times.check(); });
    add_report(actions, app, [options, &all] { return report_of(*options, all); });
}

} // namespace cli::xperf
