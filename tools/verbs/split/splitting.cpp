#include "verbs/split/splitting.hpp"

#include "cli/plural.hpp"
#include "cli/progress.hpp"
#include "facts/attributor.hpp"
#include "flow/losses.hpp"
#include "io/find_files.hpp"
#include "io/output_file.hpp"
#include "trace/losses.hpp"
#include "verbs/split/filtered_trace.hpp"
#include "verbs/split/input.hpp"
#include "verbs/split/named_files.hpp"
#include "verbs/split/part_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
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

/// Options with the header of the trace, for those of the parts.
etl::relog::SplitOptions split_options(const SplitVerbOptions& options, const SplitInput& input,
                                       etl::io::FileFactory& files) {
    const etl::flow::TraceInfo& trace = input.traces().readers().front()->info();
    etl::relog::SplitOptions split = options.split;
    split.by = options.by;
    split.writer.file = options.output.log_file_options(options.traces.worker_threads());
    split.writer.recording = etl::trace::recording_of(trace);
    if (!etl::flow::counts_losses(trace)) {
        etl::trace::record_unknown_losses(*split.writer.recording);
    }
    split.writer.files = &files;
    split.writer.keep_logger_ids = !trace.merged_inputs.empty();
    return split;
}

/// The process of each event, and which of those with its ID.
class Lives {
public:
    explicit Lives(etl::facts::Attributor attributor) : attributor_(std::move(attributor)) {}

    /// Numbers processes in the order of their first events: the same in all passes.
    etl::relog::PartKey::Process operator()(const etl::flow::Event& event) {
        const std::uint32_t id = attributor_.attribute(event).process;
        if (id == etl::flow::no_id) {
            return {id};
        }
        const etl::facts::Facts& facts = attributor_.facts_of(event);
        const auto process = facts.process(id, event.raw_time);
        const Key key{&facts, id, process ? process->begin : 0, process.has_value()};
        const auto [found, is_new] =
            numbers_.try_emplace(key, static_cast<std::uint32_t>(names_.size()));
        if (is_new) {
            names_.emplace_back(process ? process->name : std::string_view());
        }
        return {id, found->second};
    }

    const ProcessNames& names() const noexcept { return names_; }

private:
    using Key = std::tuple<const etl::facts::Facts*, std::uint32_t, std::int64_t, bool>;

    etl::facts::Attributor attributor_;
    std::map<Key, std::uint32_t> numbers_;
    ProcessNames names_{std::string()}; // 0: no process
};

/// Collects facts that attribute events to processes. On failure prints the reason.
std::shared_ptr<Lives> find_processes(const SplitVerbOptions& options, const SplitInput& input) {
    const auto context =
        context_of(input.traces(), options.schemas, {.facts = etl::facts::Scope::processes});
    return context
               ? std::make_shared<Lives>(etl::facts::Attributor(context->facts, context->schemas))
               : nullptr;
}

/// Compiles the filters and collects their inputs from the trace. On failure prints the reason.
std::optional<SplitFilters> prepare_filters(const SplitVerbOptions& options,
                                            const SplitInput& input) {
    const FilterOptions& filters = options.filters;
    etl::match::MatcherInputs inputs;
    if (filters.needs_origins() || filters.needs_schemas()) {
        const auto context = context_of(input.traces(), options.schemas, needs_of(filters));
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
    return SplitFilters::prepare(filters, input.traces().dataset().bounds(), std::move(inputs));
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
    std::vector<std::string> files = numbered_files(pattern);
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

/// The options for the library. On failure prints the reason and returns nothing.
std::optional<etl::relog::SplitOptions> prepare(const SplitVerbOptions& options, SplitInput& input,
                                                etl::io::FileFactory& files, ProgressBar& bar,
                                                std::shared_ptr<Lives>& lives) {
    etl::relog::SplitOptions how = split_options(options, input, files);
    if (options.by == SplitBy::process) {
        lives = find_processes(options, input);
        if (lives == nullptr) {
            return std::nullopt;
        }
        how.process_of = [lives](const etl::flow::Event& event) { return (*lives)(event); };
    }
    how.progress = [&](unsigned pass, unsigned passes, const etl::flow::Event& newest) {
        const double all = passes != 0 ? passes : 2; // at least one more
        const etl::format::LogfileHeader& header = newest.trace().header;
        const double done = fraction_by_time({header.start_time}, {header.end_time}, newest);
        bar.show((pass - 1 + done) / all, 0);
        return true;
    };
    if (how.context == SplitContext::copied) {
        how.planned = report_context_copies;
    }
    return how;
}

/// Reopens the trace for each pass, filtered.
etl::relog::OpenSource passes_over(SplitInput& input, std::optional<SplitFilters>& filters,
                                   SplitContext context) {
    const auto kept = context == SplitContext::none ? FilteredTrace::Context::dropped
                                                    : FilteredTrace::Context::kept;
    // The first pass reports findings.
    return [&input, &filters, kept, findings = SplitInput::Findings::reported]() mutable
               -> etl::Result<std::unique_ptr<etl::flow::Source>> {
        auto reader = input.reader(std::exchange(findings, SplitInput::Findings::silent));
        if (!reader || !filters) {
            return reader;
        }
        return filters->over(*std::move(reader), kept);
    };
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
    const auto opened = SplitInput::open(options.traces);
    if (!opened) {
        return opened.error();
    }
    SplitInput& input = **opened;
    etl::io::AtomicFiles disk;
    NamedFiles files(disk);
    ProgressBar bar(options.progress);
    std::shared_ptr<Lives> lives; // --by process
    const auto how = prepare(options, input, files, bar, lives);
    if (!how) {
        return ExitCode::failed;
    }
    std::optional<SplitFilters> filters;
    if (!options.filters.empty()) {
        filters = prepare_filters(options, input);
        if (!filters) {
            return ExitCode::usage;
        }
    }
    const auto parts =
        etl::relog::split(passes_over(input, filters, how->context), options.output.path, *how);
    if (!parts) {
        say(files.failed().empty() ? options.output.path : files.failed(), parts.error());
        return parts.error().code == etl::ErrorCode::invalid_option ? ExitCode::usage
                                                                    : ExitCode::failed;
    }
    if (const auto committed = disk.commit(); !committed) {
        say(options.output.path, committed.error());
        return ExitCode::failed;
    }
    if (filters) {
        filters->report();
    }
    report_existing_outputs(options.output.path, *parts);
    const ProcessNames names = lives != nullptr ? lives->names() : ProcessNames();
    return write(options.json ? as_json(*parts, names) : as_text(*parts, names)) ? input.exit_code()
                                                                                 : ExitCode::failed;
}

} // namespace cli
