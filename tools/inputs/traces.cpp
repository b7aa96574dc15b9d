#include "inputs/traces.hpp"

#include "base/text.hpp"
#include "cli/console.hpp"
#include "cli/option_values.hpp"
#include "inputs/schemas.hpp"
#include "io/byte_stream.hpp"
#include "io/unpack.hpp"
#include "trace/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
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

std::function<void(std::string_view)> spooling_note(const std::string& why) {
    return [why](std::string_view name) {
        if (!why.empty()) {
            say(fmt::format("note: {}: copied to a temporary file in {} first, because {}",
                            printable(name), printable(etl::io::spool_directory()), why));
        }
    };
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
    verb.add_flag("--no-index", ignores_indexes,
                  "neither read indexes of traces, nor keep one in the cache (docs/parts.md)");
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

void say_open_failure(std::string_view name, const etl::Error& error) {
    if (!etl::io::exceeds_unpack_limit(error)) {
        say(name, error);
        return;
    }
    say(fmt::format("{}: {}; its temporary file is in {}; --max-unpacked sets the limit, and "
                    "preallocated traces may need more than the default",
                    printable(name), etl::describe(error), printable(etl::io::spool_directory())));
}

OpenedFiles open_files(const TraceOptions& options, LogFindings findings) {
    std::map<std::string, FindingPrinter> printers; // by name: each prints up to its limit
    auto how = static_cast<const etl::dataset::Options&>(options);
    how.spooling = spooling_note(options.why_spooled);
    how.problems = [](const etl::dataset::Problem& problem) {
        if (!problem.is_in_findings) {
            say_open_failure(problem.name, problem.error);
        }
    };
    if (findings == LogFindings::printed) {
        how.findings = [&printers](const auto& finding, const std::string& name) {
            printers[name].print(finding, name);
        };
    }
    return {etl::dataset::open_inputs(options.arguments, how)};
}

void OpenedFiles::explain_event_logs() const {
    for (const auto& file : files) {
        if (file.is_event_log()) {
            say(fmt::format("note: {}: an event log, shown as the trace that it is read as",
                            printable(file.name())));
        }
    }
}

ExitCode OpenedFiles::exit_code() const noexcept {
    return files.empty() ? ExitCode::failed : problems.empty() ? ExitCode::well : ExitCode::damaged;
}

Traces::Traces(const OpenedFiles& opened, const TraceOptions& options, Findings findings) {
    auto how = static_cast<const etl::dataset::Options&>(options);
    if (findings == Findings::reported) {
        how.findings = [this](const auto& finding, const std::string& name) {
            findings_.print(finding, name);
        };
    }
    how.problems = [](const etl::dataset::Problem& problem) { say(problem.name, problem.error); };
    if (!how.remarks) {
        how.remarks = say_remark;
    }
    dataset_ = std::make_unique<etl::dataset::Dataset>(opened, std::move(how));
}

std::unique_ptr<Traces> Traces::again(etl::dataset::Selection select) const {
    auto dataset = dataset_->again(std::move(select), {});
    if (!dataset) {
        say(dataset.error().about, dataset.error());
        return nullptr;
    }
    return std::unique_ptr<Traces>(new Traces(*std::move(dataset)));
}

bool Traces::all_opened() const {
    using Extent = etl::trace::InputProblem::Extent;
    const auto missing =
        std::ranges::count(problems(), Extent::all, &etl::trace::InputProblem::extent);
    if (missing > 0 && !readers().empty()) {
        say(fmt::format("nothing was written: {0} cannot be read; omit {1} to continue without {1}",
                        plural(static_cast<std::uint64_t>(missing), "input"),
                        missing == 1 ? "it" : "them"));
    }
    return missing == 0 && !readers().empty();
}

ExitCode Traces::exit_code_of_buffers() const {
    ExitCode exit = exit_code();
    for (std::size_t i = 0; i < readers().size(); ++i) {
        const std::uint64_t damage = readers()[i] ? readers()[i]->damage_in_buffers() : 0;
        if (damage != 0) {
            say(fmt::format("warning: {}: {} inside buffers; `etl check` lists them",
                            printable(files()[i].name()), plural(damage, "finding")));
            exit = worst(exit, ExitCode::damaged);
        }
    }
    return exit;
}

ExitCode Traces::exit_code() const noexcept {
    if (readers().empty()) {
        return ExitCode::failed;
    }
    dataset_->report_truncation();
    return problems().empty() && findings_.warnings() == 0 ? ExitCode::well : ExitCode::damaged;
}

namespace {

std::optional<std::uint32_t> parse_part_number(std::string_view text) {
    const bool has_digits =
        !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
    const auto number = has_digits ? etl::parse_number(text) : std::nullopt;
    return number && *number >= 1 && *number <= etl::trace::limits::parts
               ? std::optional(static_cast<std::uint32_t>(*number))
               : std::nullopt;
}

std::optional<etl::trace::Part> parse_part(std::string_view text) {
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) {
        return std::nullopt;
    }
    const auto number = parse_part_number(text.substr(0, slash));
    const auto count = parse_part_number(text.substr(slash + 1));
    return number && count && *number <= *count
               ? std::optional(etl::trace::Part{.number = *number, .count = *count})
               : std::nullopt;
}

} // namespace

void add_part(Verb& verb, std::optional<etl::trace::Part>& part, const std::string& use) {
    verb.add_option_function<std::string>(
            "--part",
            [&part](const std::string& text) {
                part = parse_part(text);
                if (!part) {
                    throw UsageError("--part",
                                     fmt::format("'{}' is not a part; use K/N, such as 1/8 to 8/8",
                                                 printable(text)));
                }
            },
            fmt::format("the Kth of N time spans with about the same bytes of buffers; {} "
                        "(docs/parts.md)",
                        use))
        ->type_name("K/N")
        ->group("Filters");
}

} // namespace cli
