// etl split: one trace into several.
#include <etl/base/text.hpp>
#include <etl/facts/attributor.hpp>
#include <etl/io/find_files.hpp>
#include <etl/io/output_file.hpp>
#include <etl/relog/split.hpp>
#include <etl/trace/reader.hpp>

#include "cli/choice.hpp"
#include "cli/console.hpp"
#include "cli/duration.hpp"
#include "cli/facts.hpp"
#include "cli/progress.hpp"
#include "cli/schemas.hpp"
#include "cli/trace_output.hpp"
#include "cli/traces.hpp"
#include "cli/verbs.hpp"
#include "verbs/split/filtered_trace.hpp"
#include "verbs/split/named_files.hpp"
#include "verbs/split/part_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace cli {

namespace {

using etl::relog::SplitBy;

struct SplitVerbOptions {
    FilterOptions filters;
    TraceOptions traces;
    SchemaOptions schemas; // --by process
    TraceOutputOptions output;
    SplitBy by = SplitBy::size;
    std::string every;
    etl::relog::SplitOptions split;
    bool json = false;
    ProgressBar::Wish progress = ProgressBar::Wish::automatic;
};

constexpr const char* footer = R"(Examples:
  etl split trace.etl --by size --every 100MB -o 'part_%d.etl'
  etl split trace.etl --by time --every 10s -o 'part_%d.etl'
  etl split trace.etl --by count --every 100000 -o 'part_%d.etl.zst'
  etl split trace.etl --by process -o 'process_%d.etl'
  etl split trace.etl --by time --every 1m --where 'provider == Tea-*' -o 'tea_%d.etl'
Each part can be read by itself: what tells of processes, images, schemas and the machine goes into every one
(--no-context: into none but its own). `etl merge` makes the trace again of the parts.
Exit codes: 0, 1 (the trace is damaged), 2 (failed: no part is left), 64 (usage). See docs/split.md.)";

constexpr const char* every_name = "--every";

std::optional<std::uint64_t> read_count(std::string_view text) {
    std::uint64_t count = 0;
    const auto [rest, code] = std::from_chars(text.data(), text.data() + text.size(), count);
    const bool is_whole = code == std::errc{} && rest == text.data() + text.size() && count > 0;
    return is_whole ? std::optional(count) : std::nullopt;
}

/// `100MB`, `64K`, `2G`; a number alone is in MB, as everywhere.
std::optional<std::uint64_t> read_size(std::string word) {
    word = etl::to_lower_ascii(word);
    if (word.ends_with("b")) {
        word.pop_back();
    }
    unsigned shift = 20;
    constexpr std::string_view units = "kmg";
    if (const auto unit = word.empty() ? units.npos : units.find(word.back()); unit != units.npos) {
        shift = 10 * (static_cast<unsigned>(unit) + 1);
        word.pop_back();
    }
    const auto count = read_count(word);
    return count && *count <= (UINT64_MAX >> shift) ? std::optional(*count << shift) : std::nullopt;
}

std::optional<std::uint64_t> read_span(const std::string& word) {
    const auto ticks = parse_duration(word);
    return ticks && *ticks > 0 ? std::optional(static_cast<std::uint64_t>(*ticks)) : std::nullopt;
}

/// What --every means depends on --by.
std::uint64_t read_limit(SplitBy by, const std::string& word) {
    std::optional<std::uint64_t> limit;
    const char* wanted = "";
    switch (by) {
    case SplitBy::size:
        limit = read_size(word);
        wanted = "is no size: 100MB, 64K, 2G";
        break;
    case SplitBy::time:
        limit = read_span(word);
        wanted = "is no span of time: 10s, 200ms, 5m, 1h";
        break;
    case SplitBy::count:
        limit = read_count(word);
        wanted = "is no number of events";
        break;
    case SplitBy::provider:
    case SplitBy::process:
    case SplitBy::processor:
        limit = word.empty() ? std::optional<std::uint64_t>(0) : std::nullopt;
        wanted = "means nothing here: the parts are told by --by alone";
        break;
    }
    if (!limit) {
        throw CLI::ValidationError(every_name, "'" + printable(word) + "' " + wanted);
    }
    return *limit;
}

/// The trace that is split, opened as often as it is gone over.
class Input {
public:
    /// Says why, when there is not exactly one.
    static std::expected<std::unique_ptr<Input>, ExitCode> open(const TraceOptions& options) {
        OpenedFiles opened = open_files(options);
        if (opened.files.size() > 1) {
            say(fmt::format("{} traces at once; `etl merge` makes them one", opened.files.size()));
            return std::unexpected(ExitCode::usage);
        }
        if (opened.files.empty()) {
            return std::unexpected(ExitCode::failed);
        }
        auto input = std::make_unique<Input>();
        input->opening_ = opened.exit_code();
        input->opened_ = opened;
        input->file_ = std::move(opened.files.front());
        input->names_ = {input->file_->name()};
        input->threads_ = options.worker_threads();
        return input;
    }

    /// Findings are told once.
    enum class Findings : std::uint8_t { told, silent };

    etl::Result<std::unique_ptr<etl::trace::Reader>> reader(Findings findings) {
        etl::DiagnosticSink* const sink = findings == Findings::told ? &findings_ : nullptr;
        return etl::trace::Reader::open(file_, {.threads = threads_, .diagnostics = sink});
    }

    /// As what verbs look through that read several traces.
    std::unique_ptr<Traces> traces(const TraceOptions& options) const {
        return std::make_unique<Traces>(opened_, options, Traces::Findings::silent);
    }

    const std::string& name() const noexcept { return file_->name(); }

    ExitCode exit_code() const noexcept {
        return worst(opening_, findings_.warnings() > 0 ? ExitCode::damaged : ExitCode::well);
    }

private:
    OpenedFiles opened_;
    std::shared_ptr<const etl::io::InputFile> file_;
    std::vector<std::string> names_;
    FindingPrinter findings_{names_};
    unsigned threads_ = 1;
    ExitCode opening_ = ExitCode::well;
};

bool is_clear(const SplitVerbOptions& options) {
    TraceOutputOptions all = options.output;
    all.file.mode = etl::trace::FileMode::new_file; // every number is in the way
    OutputGuard guard;
    guard.reads(options.traces);
    return is_clear(all, guard);
}

/// What the trace says of itself goes into the headers of the parts. Nothing, and said why.
std::optional<etl::relog::SplitOptions> split_options(const SplitVerbOptions& options, Input& input,
                                                      etl::io::FileMaker& files) {
    const auto reader = input.reader(Input::Findings::silent);
    if (!reader) {
        say(input.name(), reader.error());
        return std::nullopt;
    }
    etl::relog::SplitOptions split = options.split;
    split.by = options.by;
    split.writer.file = options.output.log_file_options(options.traces.worker_threads());
    split.writer.recording = etl::trace::recording_of((*reader)->info());
    split.writer.files = &files;
    return split;
}

/// Looks through the trace for what attributes events to processes. Nothing, and said why.
std::optional<std::function<std::uint32_t(const etl::flow::Event&)>>
find_processes(const SplitVerbOptions& options, const Input& input) {
    const auto traces = input.traces(options.traces);
    const unsigned threads = options.traces.worker_threads();
    const auto schemas = gather_schemas(options.schemas, *traces, threads);
    if (!schemas) {
        return std::nullopt;
    }
    auto facts = gather_facts(*traces, *schemas, {.scope = etl::facts::Scope::processes}, threads);
    auto attributor = std::make_shared<etl::facts::Attributor>(std::move(facts), *schemas);
    return [attributor](const etl::flow::Event& event) { return attributor->of(event).process; };
}

/// What the filters need of the trace. Nothing, and said why.
std::optional<SplitFilters> prepare_filters(const SplitVerbOptions& options, const Input& input) {
    const auto traces = input.traces(options.traces);
    const unsigned threads = options.traces.worker_threads();
    etl::match::MatcherInputs inputs;
    if (options.filters.needs_origins()) {
        etl::facts::OriginCollector collected;
        gather_origins(*traces, threads, collected);
        inputs.origins = origins_of(*traces, collected);
    }
    if (options.filters.needs_schemas()) {
        auto schemas = gather_schemas(options.schemas, *traces, threads);
        if (!schemas) {
            return std::nullopt;
        }
        inputs.schemas = *std::move(schemas);
    }
    if (options.filters.needs_facts()) {
        inputs.facts =
            gather_facts(*traces, inputs.schemas, {.scope = etl::facts::Scope::processes}, threads);
        report_unknown_names(options.filters.processes, *inputs.facts);
    }
    return SplitFilters::prepare(options.filters, bounds_of(*traces), std::move(inputs));
}

bool write(const std::string& text) {
    etl::io::StandardOutput output;
    const auto written = output.write(text);
    if (!written) {
        say("standard output", written.error());
    }
    return written.has_value();
}

/// Many parts of a trace that is mostly context are many copies of it.
void tell_of_context(std::span<const etl::relog::Part> parts) {
    std::uint64_t own = 0;
    std::uint64_t context = 0;
    std::uint64_t files = 0;
    for (const etl::relog::Part& part : parts) {
        own += part.own_record_bytes;
        context += part.context_record_bytes;
        files += part.bytes;
    }
    if (parts.size() > 1 && context > own) {
        const std::string size = files >= 1'000'000
                                     ? fmt::format("{:.1f} MB", static_cast<double>(files) / 1e6)
                                     : fmt::format("{} bytes", files);
        say(fmt::format("{} parts of {} in all; {:.0f} % of their records are context, which every "
                        "part has (--no-context: none but one)",
                        parts.size(), size,
                        100.0 * static_cast<double>(context) / static_cast<double>(context + own)));
    }
}

/// Parts of an earlier split that had more of them: a series would take them in.
void tell_left_over(const std::string& pattern, std::span<const etl::relog::Part> parts) {
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
        "note: {}{}: there from before, no part of this trace; `etl join` would take {} "
        "for one",
        names, files.size() > shown ? fmt::format(" and {} more", files.size() - shown) : "",
        files.size() > 1 ? "each" : "it"));
}

ExitCode run(const SplitVerbOptions& options) {
    if (options.output.path.find("%d") == std::string::npos) {
        say(fmt::format("-o '{}': has no %d, which becomes the number of the part",
                        printable(options.output.path)));
        return ExitCode::usage;
    }
    if (!is_clear(options)) {
        return ExitCode::failed;
    }
    const auto opened = Input::open(options.traces);
    if (!opened) {
        return opened.error();
    }
    Input* const input = opened->get();
    etl::io::AtomicFiles disk;
    NamedFiles files(disk);
    auto split = split_options(options, *input, files);
    if (!split) {
        return ExitCode::failed;
    }
    if (options.by == SplitBy::process) {
        auto process_of = find_processes(options, *input);
        if (!process_of) {
            return ExitCode::failed;
        }
        split->process_of = *std::move(process_of);
    }
    ProgressBar bar(options.progress);
    split->progress = [&](unsigned pass, unsigned passes, const etl::flow::Event& newest) {
        const double all = passes != 0 ? passes : 2; // one more at least
        bar.show((pass - 1 +
                  fraction_by_time({newest.trace().header.start_time},
                                   {newest.trace().header.end_time}, newest)) /
                     all,
                 0);
        return true;
    };
    std::optional<SplitFilters> filters;
    if (!options.filters.empty()) {
        filters = prepare_filters(options, *input);
        if (!filters) {
            return ExitCode::usage;
        }
    }
    auto findings = Input::Findings::told; // in the first pass
    const auto open = [&]() -> etl::Result<std::unique_ptr<etl::flow::Source>> {
        auto reader = input->reader(std::exchange(findings, Input::Findings::silent));
        if (!reader || !filters) {
            return reader;
        }
        return filters->over(*std::move(reader), options.split.with_context
                                                     ? FilteredTrace::Context::kept
                                                     : FilteredTrace::Context::dropped);
    };
    const auto parts = etl::relog::split(open, options.output.path, *split);
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
    tell_of_context(*parts);
    tell_left_over(options.output.path, *parts);
    return write(options.json ? as_json(*parts) : as_text(*parts)) ? input->exit_code()
                                                                   : ExitCode::failed;
}

} // namespace

void add_split(CLI::App& etl, ExitCode& exit) {
    CLI::App& verb = *etl.add_subcommand("split", "Make several traces of one");
    auto options = std::make_shared<SplitVerbOptions>();
    options->traces.add_to(verb);
    describe_as_only(verb);
    options->schemas.add_to(verb);
    options->output.add_atomic_to(verb);
    options->filters.add_to(verb);
    verb.get_option("--output")
        ->description("write to FILEs, with %d where the number of the part goes: part_%d.etl, or "
                      "part_%d.etl.zst or part_%d.etl.lz4, packed");
    add_choice<SplitBy>(verb, "--by", options->by,
                        {{"size", SplitBy::size},
                         {"time", SplitBy::time},
                         {"count", SplitBy::count},
                         {"provider", SplitBy::provider},
                         {"process", SplitBy::process},
                         {"cpu", SplitBy::processor}},
                        "size, time, count, provider, process or cpu", "WHAT");
    verb.get_option("--by")->required();
    verb.add_option(every_name, options->every,
                    "where a part ends: a size (100MB, 64K, 2G), a span of time (10s, 200ms, 5m) "
                    "or a number of events")
        ->type_name("LIMIT");
    verb.add_flag_callback(
        "--no-context", [options] { options->split.with_context = false; },
        "each event goes into one part only, also those that others need to be understood");
    verb.add_flag("--json", options->json, "the list of parts as JSON, one object per line");
    add_progress(verb, options->progress);
    verb.footer(footer);
    verb.callback([options, &exit] {
        options->split.limit = read_limit(options->by, options->every);
        exit = run(*options);
    });
}

} // namespace cli
