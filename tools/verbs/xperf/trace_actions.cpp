// -a tracestats and sysconfig: properties of traces and their machines.
#include "base/text.hpp"
#include "cli/option_values.hpp"
#include "facts/machine.hpp"
#include "io/output_file.hpp"
#include "outputs/merging.hpp"
#include "outputs/output_guard.hpp"
#include "verbs/analyze/analyze.hpp"
#include "verbs/xperf/options.hpp"
#include "verbs/xperf/parts.hpp"
#include "verbs/xperf/passes.hpp"

#include <fmt/format.h>

#include <memory>

namespace cli::xperf {

namespace {

struct StatsOptions {
    bool actual_times = false;
    bool details = false, has_stacks = false;
    bool is_utc = false;
};

/// `2024/05/17:04:00:01.5000000`.
std::string time_text(etl::Filetime time, int offset_minutes) {
    const std::int64_t local =
        time.ticks + offset_minutes * std::int64_t{60} * etl::Filetime::per_second;
    const etl::CivilTime civil = etl::to_civil({local});
    return fmt::format("{:04}/{:02}/{:02}:{:02}:{:02}:{:02}.{:07}", civil.year, civil.month,
                       civil.day, civil.hour, civil.minute, civil.second, civil.fraction);
}

std::string span_text(std::int64_t ticks) {
    constexpr std::int64_t minute = 60, hour = 3600;
    const std::int64_t seconds = ticks / etl::Filetime::per_second;
    return fmt::format("{:02}:{:02}:{:02}.{:07}", seconds / hour, seconds / minute % minute,
                       seconds % minute, ticks % etl::Filetime::per_second);
}

std::string stats_text(const etl::flow::TraceInfo& trace, const StatsOptions& options) {
    const auto& header = trace.header;
    constexpr std::int64_t epoch = etl::Filetime::unix_epoch / etl::Filetime::per_second;
    const int offset =
        options.is_utc
            ? 0
            : etl::io::local_offset_minutes(header.start_time / etl::Filetime::per_second - epoch);
    const char* const zone = options.is_utc ? "(UTC)" : "(local)";
    std::string text =
        fmt::format("Trace Name           : {}\n"
                    "OS Version           : {}.{}.{}\n"
                    "Start time {:<7}   : {}\n",
                    printable(trace.name), header.major_version, header.minor_version,
                    header.provider_version, zone, time_text({header.start_time}, offset));
    if (header.end_time != 0) {
        text += fmt::format(
            "End time {:<7}     : {} (+{})\n", zone, time_text({header.end_time}, offset),
            span_text(std::max<std::int64_t>(header.end_time - header.start_time, 0)));
    }
    text += fmt::format("# Processors         : {}\n"
                        "Pointer Size         : {}\n"
                        "Buffer Size          : {}\n"
                        "Buffers Written      : {}\n"
                        "Timestamp Frequency  : {}\n"
                        "Total # Lost Buffers : {}\n"
                        "Total # Lost Events  : {}\n",
                        header.number_of_processors, header.pointer_size, header.buffer_size,
                        header.buffers_written, trace.clock.frequency(), header.buffers_lost,
                        header.events_lost);
    return text;
}

/// The counts of events, which take a pass over the traces.
std::string counts_text(const etl::analysis::Table& table, const StatsOptions& options,
                        etl::Filetime start) {
    std::string text;
    const auto& coverage = table.coverage;
    if (options.actual_times && coverage.begin) {
        text += fmt::format("First event (UTC)    : {}\n"
                            "Last event (UTC)     : {}\n"
                            "# Events             : {}\n",
                            time_text(*coverage.begin, 0), time_text(*coverage.end, 0),
                            coverage.events);
    }
    if (options.details) {
        constexpr std::string_view hidden[] = {"events_per_second", "first", "last"};
        text += '\n' + plain_text(table, start, hidden);
    }
    return text;
}

bool has_counts(const StatsOptions& options) noexcept {
    return options.details || options.actual_times;
}

Report stats_report(const StatsOptions& options) {
    Report report;
    if (has_counts(options)) {
        report.parts.push_back({.title = "", .table = "stats", .by = "event"});
    }
    if (options.has_stacks) {
        report.parts.push_back({.title = "", .table = "stacks", .by = "event"});
    }
    return report;
}

ExitCode run_stats(const Run& run, const StatsOptions& options, std::span<const Analysis> tables) {
    std::string text;
    {
        const OpenedFiles opened = open_files(run.options->traces);
        const Traces traces(opened, run.options->traces, Traces::Findings::silent);
        if (traces.readers().empty()) {
            return ExitCode::failed;
        }
        for (const auto& reader : traces.readers()) {
            text += stats_text(reader->info(), options);
        }
    }
    ExitCode exit = ExitCode::well;
    for (std::size_t i = 0; i < tables.size(); ++i) {
        const etl::analysis::Table& table = tables[i].table;
        text += i == 0 && has_counts(options)
                    ? counts_text(table, options, run.start)
                    : "\nEvents with stacks\n\n" + plain_text(table, run.start, {});
        exit = worst(exit, tables[i].exit);
    }
    return worst(exit, run.write(text));
}

void add_tracestats(Verb& verb, std::vector<Action>& actions) {
    Verb& app = *verb.add_subcommand("tracestats", "Print times, losses, and counts of events");
    const auto options = std::make_shared<StatsOptions>();
    Option* const span = app.add_option_function<std::string>(
        "--timespan",
        [options](const std::string& word) {
            if (!word.empty() && etl::to_lower_ascii(word) != "actual") {
                throw UsageError("-timespan", "expected actual; found '" + printable(word) + "'");
            }
            options->actual_times = !word.empty();
        },
        "times of the session; actual: also of the first and last event");
    suggest_values(span->expected(0, 1)->type_name("actual"), {"actual"});
    Option* const detail = app.add_option_function<std::string>(
        "--detail",
        [options](const std::string& word) {
            if (!word.empty() && etl::to_lower_ascii(word) != "stack") {
                throw UsageError("-detail", "expected stack; found '" + printable(word) + "'");
            }
            options->details = true;
            options->has_stacks = !word.empty();
        },
        "count events by kind; stack: also those with stacks");
    suggest_values(detail->expected(0, 1)->type_name("stack"), {"stack"});
    Option* const zone = app.add_option_function<std::string>(
        "--timezone",
        [options](const std::string& given) {
            const std::string word = etl::to_lower_ascii(given);
            if (word != "utc" && word != "local") {
                throw UsageError("-timezone",
                                 "expected utc or local; found '" + printable(word) + "'");
            }
            options->is_utc = word == "utc";
        },
        "utc or local (default: local)");
    suggest_values(zone->type_name("ZONE"), {"utc", "local"});
    actions.push_back(
        {.app = &app,
         .run =
             [options](const Run& run, const Report&, std::span<const Analysis> tables) {
                 return run_stats(run, *options, tables);
             },
         .report = [options] { return stats_report(*options); }});
}

std::string machine_text(const std::string& name, const etl::facts::Machine& machine) {
    std::string text = fmt::format("Trace Name       : {}\n", printable(name));
    const auto add = [&](const char* heading, const std::string& value) {
        text += fmt::format("{:<17}: {}\n", heading, value.empty() ? "-" : printable(value));
    };
    const auto number = [](std::uint32_t value) {
        return value == 0 ? std::string() : std::to_string(value);
    };
    add("Computer Name", machine.computer_name);
    add("Domain Name", machine.domain_name);
    add("Product Name", machine.product_name);
    add("Build", machine.build_lab);
    add("# Processors", number(machine.processors));
    add("CPU Speed (MHz)", number(machine.mhz));
    add("Memory (MB)", number(machine.memory_mb));
    return text;
}

ExitCode run_sysconfig(const Run& run) {
    const Traces traces(run.options->traces);
    if (traces.readers().empty()) {
        return ExitCode::failed;
    }
    const unsigned threads = run.options->traces.worker_threads();
    std::string text;
    for (const auto& reader : traces.readers()) {
        std::vector<etl::facts::MachineCollector> parts(threads);
        reader->for_each_buffer(
            threads, [&](unsigned worker, const etl::trace::BufferEntry&, etl::flow::Run events) {
                for (const etl::flow::Event& event : events) {
                    parts[worker].add(event);
                }
            });
        for (unsigned i = 1; i < threads; ++i) {
            parts.front().combine(parts[i]);
        }
        text += machine_text(reader->info().name, parts.front().get());
    }
    return worst(run.write(text), traces.exit_code());
}

} // namespace

etl::match::TimeBounds bounds_of(const Options& options) {
    const OpenedFiles opened = open_files(options.traces);
    const Traces traces(opened, options.traces, Traces::Findings::silent);
    return traces.readers().empty() ? etl::match::TimeBounds{} : bounds_of(traces);
}

void add_trace_actions(Verb& verb, std::vector<Action>& actions) {
    add_tracestats(verb, actions);
    Verb& app =
        *verb.add_subcommand("sysconfig", "Print properties of the machine that was traced");
    actions.push_back({&app, [](const Run& run, auto&&...) { return run_sysconfig(run); }});
}

// xperf -merge IN... OUT [-compress], over the code of `etl merge`.

ExitCode merge(const Options& options) {
    MergingOptions how;
    how.traces = options.traces;
    how.traces.arguments.assign(options.merge.begin(), options.merge.end() - 1);
    how.output.path = options.merge.back();
    how.output.replaces = options.replaces;
    how.output.is_atomic = true;
    how.schemas = options.schemas;
    how.progress = options.progress();
    if (options.compresses) {
        how.output.file.compression = etl::codec::Format::xpress;
    }
    OutputGuard guard("-y");
    guard.reads(how.traces);
    guard.reads(how.schemas);
    if (!is_clear(how.output, guard)) {
        return ExitCode::failed;
    }
    Traces traces(how.traces);
    if (!traces.all_opened()) {
        return ExitCode::failed;
    }
    return merge_into_file(how, traces, {});
}

} // namespace cli::xperf
