#include "inputs/traces.hpp"

#include "base/task_pool.hpp"
#include "base/text.hpp"
#include "cli/in_range.hpp"
#include "cli/plural.hpp"
#include "eventlog/convert.hpp"
#include "flow/context.hpp"
#include "io/unpack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ranges>
#include <utility>

namespace cli {

namespace {

constexpr const char* list_option = "--files-from";

/// The names in a list: a line each, or separated by NUL, as `find -print0` writes them.
std::vector<std::string> read_list(const std::string& path) {
    const auto file = path == "-" ? etl::io::spool_standard_input() : etl::io::InputFile::map(path);
    if (!file) {
        throw UsageError(list_option,
                         fmt::format("{}: {}", printable(path), etl::describe(file.error())));
    }
    const std::string_view text = etl::as_text((*file)->bytes());
    const char separator = text.contains('\0') ? '\0' : '\n';
    std::vector<std::string> names;
    for (const auto part : std::views::split(text, separator)) {
        std::string_view name(part);
        if (separator == '\n' && name.ends_with('\r')) {
            name.remove_suffix(1);
        }
        if (!name.empty()) {
            names.emplace_back(name);
        }
    }
    if (names.empty()) {
        throw UsageError(list_option, fmt::format("{}: names no files", printable(path)));
    }
    return names;
}

} // namespace

void TraceOptions::add_to(Verb& verb) {
    Option* const files =
        verb.add_option("FILE", arguments,
                        "trace or event log (.evtx), archive, directory, glob, or - for standard "
                        "input")
            ->required();
    verb.add_option_function<std::string>(
            list_option,
            [this, files](const std::string& path) {
                std::ranges::move(read_list(path), std::back_inserter(arguments));
                files->required(false);
            },
            "also read the files that LIST names, one on each line or separated by NUL; - for "
            "standard input")
        ->before_requirements()
        ->type_name("LIST");
    verb.add_flag("--recursive", recursive, "descend into subdirectories");
    verb.add_option("--max-unpacked", max_unpacked,
                    "limit the temporary file of each compressed input, except containers read in "
                    "place, and of each pipe (default: 100 times the input, at least 1 GB, at most "
                    "half of the free space in TMPDIR; pipes: this half)")
        ->as_size()
        ->type_name("BYTES");
    verb.add_option("--threads", threads, "number of worker threads (default: logical processors)")
        ->check(in_range(0, 1024))
        ->type_name("N");
}

void describe_as_only(Verb& verb) {
    verb.get_option("FILE")
        ->description("trace, also compressed or in an archive, or - for standard input")
        ->expected(1);
    verb.remove_option(verb.get_option("--recursive"));
    verb.remove_option(verb.get_option(list_option));
}

unsigned TraceOptions::worker_threads() const {
    return threads > 0 ? threads : etl::hardware_threads();
}

etl::trace::InputOptions TraceOptions::input_options() const {
    return {
        .recursion = recursive ? etl::io::Recursion::yes : etl::io::Recursion::no,
        .max_unpacked = max_unpacked,
        .spooling =
            [why = why_spooled](std::string_view name) {
                if (!why.empty()) {
                    say(fmt::format("note: {}: copied to a temporary file in {} first, because {}",
                                    printable(name), printable(etl::io::spool_directory()), why));
                }
            },
        .opened = opened};
}

void say_open_failure(std::string_view name, const etl::Error& error) {
    if (!etl::io::exceeds_unpack_limit(error)) {
        say(name, error);
        return;
    }
    say(fmt::format("{}: {}; its temporary file is in {}; --max-unpacked sets the limit, and "
                    "preallocated traces may need more than the default",
                    printable(name), etl::describe(error), printable(etl::io::spool_directory())));
}

namespace {

/// Event logs are read as traces. Damaged ones are also among the problems.
void convert_event_logs(OpenedFiles& opened, LogFindings printed) {
    using Extent = etl::trace::InputProblem::Extent;
    for (auto& file : opened.files) {
        if (!etl::eventlog::is_event_log(*file)) {
            continue;
        }
        const std::vector<std::string> names{file->name()};
        FindingPrinter printer(names);
        etl::DiagnosticList findings;
        auto log = etl::eventlog::convert(*file, {.diagnostics = &findings});
        for (const etl::Diagnostic& finding : findings.list()) {
            if (printed == LogFindings::printed) {
                printer.report(finding);
            }
        }
        if (!log) {
            say(file->name(), log.error());
            opened.problems.push_back({file->name(), log.error(), Extent::all});
            file = nullptr;
            continue;
        }
        if (std::ranges::count(findings.list(), etl::Severity::warning,
                               &etl::Diagnostic::severity) > 0) {
            opened.problems.push_back({file->name(),
                                       {.code = etl::ErrorCode::malformed, .what = "event log"},
                                       Extent::part});
        }
        opened.event_logs.push_back(file->name());
        opened.log_findings.push_back(std::move(findings));
        file = std::move(log->trace);
    }
    std::erase(opened.files, nullptr);
}

} // namespace

OpenedFiles open_files(const TraceOptions& options, LogFindings findings) {
    const auto how = options.input_options();
    etl::trace::Inputs inputs = etl::trace::open_inputs(options.arguments, how);
    for (const auto& problem : inputs.problems) {
        say_open_failure(problem.name, problem.error);
    }
    OpenedFiles opened{std::move(inputs.files), std::move(inputs.problems)};
    convert_event_logs(opened, findings);
    return opened;
}

void OpenedFiles::explain_event_logs() const {
    for (const std::string& name : event_logs) {
        say(fmt::format("note: {}: an event log, shown as the trace that it is read as",
                        printable(name)));
    }
}

ExitCode OpenedFiles::exit_code() const noexcept {
    return files.empty() ? ExitCode::failed : problems.empty() ? ExitCode::well : ExitCode::damaged;
}

Traces::Traces(const OpenedFiles& opened, const TraceOptions& options, Findings findings)
    : problems_(opened.problems) {
    etl::DiagnosticSink* const sink = findings == Findings::reported ? &findings_ : nullptr;
    // Readers of many files must not have all the threads each.
    const auto files = static_cast<unsigned>(std::max<std::size_t>(opened.files.size(), 1));
    const unsigned threads_each = std::max(1U, options.worker_threads() / files);
    constexpr unsigned few = 8; // nor each its copies
    for (const auto& file : opened.files) {
        const auto number = static_cast<std::uint32_t>(names_.size());
        names_.push_back(file->name());
        auto reader = etl::trace::Reader::open(
            file, {.order = options.order,
                   .is_single_pass = options.is_single_pass && files <= few,
                   .threads = threads_each,
                   .file = number,
                   .diagnostics = sink,
                   .select = options.select,
                   .hides_header = opened.is_event_log(file->name())});
        if (!reader) {
            say(file->name(), reader.error());
            problems_.push_back({file->name(), reader.error()});
        } else {
            files_.push_back(file);
            readers_.push_back(std::move(*reader));
        }
    }
}

bool Traces::all_opened() const {
    using Extent = etl::trace::InputProblem::Extent;
    const auto missing =
        std::ranges::count(problems_, Extent::all, &etl::trace::InputProblem::extent);
    if (missing > 0 && !readers_.empty()) {
        say(fmt::format("nothing was written: {0} cannot be read; omit {1} to continue without {1}",
                        plural(static_cast<std::uint64_t>(missing), "input"),
                        missing == 1 ? "it" : "them"));
    }
    return missing == 0 && !readers_.empty();
}

ExitCode Traces::exit_code_of_buffers() const {
    ExitCode exit = exit_code();
    for (std::size_t i = 0; i < readers_.size(); ++i) {
        const std::uint64_t damage = readers_[i] ? readers_[i]->damage_in_buffers() : 0;
        if (damage != 0) {
            say(fmt::format("warning: {}: {} inside buffers; `etl check` lists them",
                            printable(names_[i]), plural(damage, "finding")));
            exit = worst(exit, ExitCode::damaged);
        }
    }
    return exit;
}

ExitCode Traces::exit_code() const noexcept {
    if (readers_.empty()) {
        return ExitCode::failed;
    }
    for (const auto& reader : readers_) {
        if (reader) {
            reader->report_truncation();
        }
    }
    return problems_.empty() && findings_.warnings() == 0 ? ExitCode::well : ExitCode::damaged;
}

etl::flow::TimeFilter::Upstream order_of(const Traces& traces, etl::trace::Order order) {
    const bool in_one_go = std::ranges::all_of(traces.readers(), [](const auto& reader) {
        return std::ranges::all_of(reader->buffers(),
                                   [](const auto& buffer) { return buffer.run == 0; });
    });
    return in_one_go && order == etl::trace::Order::time
               ? etl::flow::TimeFilter::Upstream::ordered
               : etl::flow::TimeFilter::Upstream::unordered;
}

} // namespace cli
