#include "verbs/split/splitting.hpp"

#include "cli/plural.hpp"
#include "cli/progress.hpp"
#include "io/find_files.hpp"
#include "io/output_file.hpp"
#include "rewrite/numbered_files.hpp"
#include "verbs/split/filtered_trace.hpp"
#include "verbs/split/part_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace cli {

namespace {

using etl::relog::SplitBy;
using etl::relog::SplitContext;

bool is_clear(const SplitVerbOptions& options) {
    TraceOutputOptions all = options.output;
    all.file.mode = etl::trace::FileMode::new_file; // check the names of all numbers
    OutputGuard guard;
    guard.reads(options.traces);
    return is_clear(all, guard);
}

/// Compiles the filters and collects their inputs from the trace. On failure prints the reason.
std::optional<SplitFilters> prepare_filters(const SplitVerbOptions& options, const Traces& traces) {
    const FilterOptions& filters = options.filters;
    etl::match::MatcherInputs inputs;
    if (filters.needs_origins() || filters.needs_schemas()) {
        const auto context = context_of(traces, options.schemas, needs_of(filters));
        if (!context) {
            return std::nullopt;
        }
        inputs.schemas = context->schemas;
        inputs.facts = context->facts;
        inputs.origins = context->origins;
    }
    if (filters.needs_facts()) {
        report_unknown_names(filters.processes, *inputs.facts);
    }
    return SplitFilters::prepare(filters, traces.dataset().bounds(), std::move(inputs));
}

bool write(const std::string& text) {
    etl::io::StandardOutput output;
    const auto written = output.write(text);
    if (!written) {
        say("standard output", written.error());
    }
    return written.has_value();
}

/// Reports remaining files of an earlier split with more parts.
void report_existing_outputs(const std::string& pattern, std::span<const etl::relog::Part> parts) {
    constexpr std::size_t shown = 5;
    std::vector<std::string> files = etl::rewrite::numbered_files(pattern);
    std::erase_if(files, [&](const std::string& file) {
        return std::ranges::any_of(parts, [&](const etl::relog::Part& part) {
            return etl::io::is_same_file(part.path, file);
        });
    });
    if (files.empty()) {
        return;
    }
    std::string names;
    for (const std::string& file : std::span(files).first(std::min(files.size(), shown))) {
        names += (names.empty() ? "" : ", ") + printable(file);
    }
    say(fmt::format(
        "note: existing files are not part of this trace, but `etl join` would include them: {}{}",
        names, files.size() > shown ? fmt::format(" and {} more", files.size() - shown) : ""));
}

/// 123 bytes, 12.3 KB, 12.3 MB.
std::string size_text(std::uint64_t bytes) {
    constexpr double kilobyte = 1024;
    const auto size = static_cast<double>(bytes);
    return bytes < 1024                 ? fmt::format("{} bytes", bytes)
           : size < kilobyte * kilobyte ? fmt::format("{:.1f} KB", size / kilobyte)
                                        : fmt::format("{:.1f} MB", size / kilobyte / kilobyte);
}

/// Reports the size of context copies, which can exceed that of the trace.
void report_context_copies(const etl::relog::SplitForecast& forecast) {
    if (forecast.parts > 1 && forecast.context_events > 0) {
        say(fmt::format("note: each of {} parts contains a copy of {} ({}, {} in all); use "
                        "--context shared to store {} once",
                        forecast.parts, plural(forecast.context_events, "context event"),
                        size_text(forecast.context_bytes),
                        size_text(forecast.context_bytes * forecast.parts),
                        forecast.context_events == 1 ? "it" : "them"));
    }
}

/// Finds the processes that --by process needs. On failure prints the reason.
bool has_processes(const SplitVerbOptions& options, const Traces& traces) {
    return options.split.by != SplitBy::process ||
           context_of(traces, options.schemas, {.facts = etl::facts::Scope::processes});
}

/// The only trace that is named. Prints an error if there is not exactly one.
std::expected<OpenedFiles, ExitCode> only_trace(const TraceOptions& options) {
    OpenedFiles opened = open_files(options);
    if (opened.files.size() > 1) {
        say(fmt::format("expected one trace, found {}; use `etl merge` first",
                        opened.files.size()));
        return std::unexpected(ExitCode::usage);
    }
    return opened;
}

/// Splits, with a progress bar. `filters`: none: all events.
std::expected<etl::rewrite::SplitParts, etl::TraceError>
split_trace(const SplitVerbOptions& options, const Traces& traces,
            std::optional<SplitFilters>& filters, FindingPrinter& findings) {
    ProgressBar bar(options.progress);
    etl::rewrite::Splitting what = options.split;
    what.output = options.output;
    what.schemas = options.schemas.scope();
    what.findings = [&](const auto& finding, const std::string& name) {
        findings.print(finding, name);
    };
    what.progress = [&](double done) { bar.show(done, 0); };
    if (what.context == SplitContext::copied) {
        what.planned = report_context_copies;
    }
    if (filters) {
        const auto kept = what.context == SplitContext::none ? FilteredTrace::Context::dropped
                                                             : FilteredTrace::Context::kept;
        what.chosen = [&filters, kept](std::unique_ptr<etl::trace::Reader> reader) {
            return filters->over(std::move(reader), kept);
        };
    }
    return etl::rewrite::split(traces.dataset(), what);
}

} // namespace

ExitCode split(const SplitVerbOptions& options) {
    if (options.output.path.find("%d") == std::string::npos) {
        say(fmt::format("-o '{}': missing %d for the part number", printable(options.output.path)));
        return ExitCode::usage;
    }
    if (!is_clear(options)) {
        return ExitCode::failed;
    }
    const auto opened = only_trace(options.traces);
    if (!opened) {
        return opened.error();
    }
    const Traces traces(*opened, options.traces, Traces::Findings::silent);
    if (traces.readers().empty() || !has_processes(options, traces)) {
        return ExitCode::failed;
    }
    std::optional<SplitFilters> filters;
    if (!options.filters.empty()) {
        filters = prepare_filters(options, traces);
        if (!filters) {
            return ExitCode::usage;
        }
    }
    FindingPrinter findings;
    const auto split = split_trace(options, traces, filters, findings);
    if (!split) {
        return report(split.error(), options.output);
    }
    if (filters) {
        filters->report();
    }
    report_existing_outputs(options.output.path, split->parts);
    const bool is_printed = write(options.json ? as_json(split->parts, split->processes)
                                               : as_text(split->parts, split->processes));
    const ExitCode exit =
        worst(traces.exit_code(), findings.warnings() > 0 ? ExitCode::damaged : ExitCode::well);
    return is_printed ? exit : ExitCode::failed;
}

} // namespace cli
