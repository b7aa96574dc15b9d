#include "verbs/split/splitting.hpp"

#include <etl/guid.hpp>

#include "cli/console.hpp"
#include "cli/event_filter.hpp"
#include "cli/json_object.hpp"
#include "cli/progress.hpp"
#include "io/find_files.hpp"
#include "io/output_file.hpp"
#include "relog/context_filter.hpp"
#include "relog/split.hpp"
#include "rewrite/output.hpp"
#include "rewrite/splitting.hpp"
#include "trace/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cli {

// The events of a trace that match the filters of `etl split`.

/// Owns the reader. One thread.
class FilteredTrace final : public etl::flow::Source {
public:
    enum class Context : bool { dropped, kept };

    FilteredTrace(std::unique_ptr<etl::trace::Reader> reader, CompiledFilters filters,
                  Context context);

    etl::flow::Run next_run() override { return end_->next_run(); }

    etl::flow::Pin pin() const override { return end_->pin(); }

    const etl::Error* error() const noexcept override { return end_->error(); }

private:
    std::unique_ptr<etl::trace::Reader> reader_;
    std::optional<etl::relog::ContextFilter> context_;
    std::optional<FilterChain> chain_;
    etl::flow::Source* end_;
};

/// Compiled filters for several passes over one trace.
class SplitFilters {
public:
    /// On failure prints the reason and returns nothing.
    static std::optional<SplitFilters> prepare(const FilterOptions& options,
                                               const etl::match::TimeBounds& bounds,
                                               etl::match::MatcherInputs inputs);

    /// Filters `reader` for another pass. Only the first pass counts undecided events.
    std::unique_ptr<etl::flow::Source> over(std::unique_ptr<etl::trace::Reader> reader,
                                            FilteredTrace::Context context);

    /// Prints undecided events and unmatched names. Call after the last pass.
    void report() const;

private:
    SplitFilters(const FilterOptions& options, const etl::match::TimeBounds& bounds,
                 CompiledFilters first)
        : options_(options), bounds_(bounds), first_(std::move(first)) {}

    FilterOptions options_;
    etl::match::TimeBounds bounds_;
    CompiledFilters first_;
    bool is_used_ = false;
};

FilteredTrace::FilteredTrace(std::unique_ptr<etl::trace::Reader> reader, CompiledFilters filters,
                             Context context)
    : reader_(std::move(reader)), end_(reader_.get()) {
    if (context == Context::kept) {
        context_.emplace(*end_, EventFilter(std::move(filters)));
        end_ = &*context_;
    } else {
        chain_.emplace(*end_, filters, etl::flow::TimeFilter::Upstream::unordered);
        end_ = &chain_->end();
    }
}

std::optional<SplitFilters> SplitFilters::prepare(const FilterOptions& options,
                                                  const etl::match::TimeBounds& bounds,
                                                  etl::match::MatcherInputs inputs) {
    auto compiled = compile(options, bounds);
    if (!compiled) {
        return std::nullopt;
    }
    compiled->inputs = std::move(inputs);
    return SplitFilters(options, bounds, *std::move(compiled));
}

std::unique_ptr<etl::flow::Source> SplitFilters::over(std::unique_ptr<etl::trace::Reader> reader,
                                                      FilteredTrace::Context context) {
    CompiledFilters filters = first_;
    if (std::exchange(is_used_, true)) {
        FilterOptions uncounted = options_;
        uncounted.notes = std::make_shared<etl::match::Notes>();
        // It compiled before.
        filters.condition = uncounted.compile(bounds_).value_or(filters.condition);
    }
    return std::make_unique<FilteredTrace>(std::move(reader), std::move(filters), context);
}

void SplitFilters::report() const {
    if (!options_.limit) {
        report_unmatched(first_.condition);
    }
    cli::report(*options_.notes);
}

// The list of parts of a split, as text or JSON.

/// By PartKey::Process::life; empty: unknown.
using ProcessNames = std::vector<std::string>;

/// A line per part: its file, the key of its events, and their number.
std::string as_text(std::span<const etl::relog::Part> parts, const ProcessNames& names);

/// An object and a newline per part. docs/split.md#json
std::string as_json(std::span<const etl::relog::Part> parts, const ProcessNames& names);

namespace {

using etl::relog::PartKey;

std::string guid_text(const etl::Guid& guid) {
    std::string text;
    etl::append_guid(text, guid);
    return text;
}

std::string_view name_of(PartKey::Process process, const ProcessNames& names) noexcept {
    return process.life < names.size() ? std::string_view(names[process.life]) : "";
}

struct KeyJson {
    JsonObject& json;
    const ProcessNames& names;

    void operator()(std::monostate) const {}

    void operator()(const PartKey::Window& window) const {
        json.time("from", window.from);
        json.time("to", window.to);
    }

    void operator()(const PartKey::Range& range) const {
        json.number("first", range.first);
        json.number("last", range.last);
    }

    void operator()(const etl::Guid& guid) const { json.text("provider", guid_text(guid)); }

    void operator()(PartKey::Process process) const {
        if (process.id == etl::flow::no_id) {
            json.raw("pid", "null");
        } else {
            json.number("pid", process.id);
            if (const std::string_view name = name_of(process, names); !name.empty()) {
                json.text("process", name);
            }
        }
    }

    void operator()(PartKey::Processor processor) const { json.number("cpu", processor.number); }
};

} // namespace

std::string as_text(std::span<const etl::relog::Part> parts, const ProcessNames& names) {
    std::string text;
    for (const etl::relog::Part& part : parts) {
        const bool is_context = std::holds_alternative<std::monostate>(part.key.value);
        const std::uint64_t events = is_context ? part.context : part.events;
        text +=
            fmt::format("{}: {}, {}", printable(part.path),
                        printable(etl::rewrite::text_of(part.key, names)), plural(events, "event"));
        if (part.context > 0 && !is_context) {
            text += fmt::format(" and {}", plural(part.context, "context event"));
        }
        if (!part.context_path.empty()) {
            text += "; context in " + printable(part.context_path);
        }
        if (part.lost > 0) {
            text += fmt::format("; lost {} too large for a buffer", plural(part.lost, "event"));
        }
        text += "\n";
    }
    return text;
}

std::string as_json(std::span<const etl::relog::Part> parts, const ProcessNames& names) {
    std::string text;
    for (const etl::relog::Part& part : parts) {
        JsonObject json;
        json.text("file", part.path);
        std::visit(KeyJson{json, names}, part.key.value);
        json.number("events", part.events);
        json.number("context", part.context);
        if (!part.context_path.empty()) {
            json.text("context_file", part.context_path);
        }
        json.number("lost", part.lost);
        json.number("bytes", part.bytes);
        text += json.take() + "\n";
    }
    return text;
}

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
