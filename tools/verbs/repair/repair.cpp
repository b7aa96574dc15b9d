// etl repair: recovers intact records of a damaged, truncated, or unfinalized trace.
#include "repair/repair.hpp"

#include "cli/big_numbers.hpp"
#include "cli/console.hpp"
#include "cli/progress.hpp"
#include "cli/verbs.hpp"
#include "evtx/reader.hpp"
#include "inputs/traces.hpp"
#include "io/output_file.hpp"
#include "merge/correlate.hpp"
#include "outputs/trace_output.hpp"
#include "verbs/repair/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <system_error>

namespace cli {

namespace {

struct RepairOptions {
    TraceOptions traces;
    TraceOutputOptions output;
    std::string header_from;
    std::string buffers;
    bool json = false;
    BigNumbers big_numbers = BigNumbers::number;
    bool verbose = false;
    ProgressBar::Mode progress = ProgressBar::Mode::automatic;
};

constexpr const char* repair_footer = R"(Examples:
  etl repair damaged.etl -o fixed.etl
  etl repair --header-from first.etl headerless.etl -o fixed.etl
  etl repair --json damaged.etl.zst -o fixed.etl.zst
Every intact record is kept, with its processor and the number and time of its buffer. Losses are reported by
processor and time, as are corrections to the header. With -o -, the header is not finalized because a pipe cannot seek.
Exit codes: 0 no losses, 1 losses, 2 failure, 64 usage error. See docs/repair.md.)";

/// Whether the header can be used for the trace. If the trace has a header, both must have the same
/// boot and clock, or all times would be wrong.
bool is_usable(const RepairOptions& options, const std::shared_ptr<const etl::io::InputFile>& file,
               const etl::flow::TraceInfo& header) {
    const auto reader = etl::trace::Reader::open(file);
    if (!reader || !(*reader)->info().has_header) {
        return true;
    }
    const std::array traces{&header, &(*reader)->info()};
    const auto mismatches = etl::merge::correlate(traces);
    for (const auto& found : mismatches) {
        say(fmt::format(
            "{}: {} {} differs from {} of {}{}", printable(file->name()), found.field, found.other,
            found.first, printable(options.header_from),
            options.output.force
                ? ""
                : "; the header is not of the same session (use --force to accept it)"));
    }
    return mismatches.empty() || options.output.force;
}

/// The header of another file of the session. On failure prints the reason and returns nothing.
std::optional<etl::trace::Recording>
header_of(const RepairOptions& options, const std::shared_ptr<const etl::io::InputFile>& file,
          ExitCode& exit) {
    const std::string& path = options.header_from;
    const TraceOptions other({path});
    const Traces traces(open_files(other), other, Traces::Findings::silent);
    if (traces.readers().empty()) {
        exit = ExitCode::failed;
        return std::nullopt;
    }
    const etl::flow::TraceInfo& info = traces.readers().front()->info();
    if (!info.has_header) {
        say(fmt::format("{}: missing log file header", printable(path)));
        exit = ExitCode::failed;
        return std::nullopt;
    }
    if (!is_usable(options, file, info)) {
        exit = ExitCode::failed;
        return std::nullopt;
    }
    return etl::trace::recording_of(info);
}

/// Whether the file does not exist; a name that is too long cannot exist.
bool is_missing(const etl::Error& error) {
    return error.code == etl::ErrorCode::not_found ||
           std::system_category().default_error_condition(error.os_code) ==
               std::errc::filename_too_long;
}

/// The file with the buffers of a killed session: that of --buffers, else `INPUT.buffers`, which
/// need not exist.
std::string path_of_live_buffers(const RepairOptions& options) {
    return options.buffers.empty() ? options.traces.arguments.front() + ".buffers"
                                   : options.buffers;
}

bool is_clear(const RepairOptions& options) {
    OutputGuard guard;
    guard.reads(options.traces);
    guard.reads(path_of_live_buffers(options));
    if (!options.header_from.empty()) {
        guard.reads(TraceOptions({options.header_from}));
    }
    return is_clear(options.output, guard);
}

/// The buffers that a killed session left next to its log file. Null if there are none, or if they
/// cannot be read, which is printed and sets `exit`.
std::shared_ptr<const etl::io::InputFile> live_buffers(const RepairOptions& options,
                                                       ExitCode& exit) {
    const bool is_requested = !options.buffers.empty();
    const std::string path = path_of_live_buffers(options);
    auto file = etl::io::InputFile::map(path);
    if (file) {
        return std::move(*file);
    }
    if (is_requested || !is_missing(file.error())) {
        say(path, file.error());
        exit = ExitCode::failed;
    }
    return nullptr;
}

/// The input, which must be a single trace. On failure prints the reason.
std::expected<OpenedFiles, ExitCode> only_file(const RepairOptions& options) {
    OpenedFiles opened = open_files(options.traces);
    if (opened.files.size() > 1) {
        say(fmt::format("{}: contains {} traces; repair them one by one",
                        printable(options.traces.arguments.front()), opened.files.size()));
        return std::unexpected(ExitCode::usage);
    }
    if (opened.files.empty()) {
        return std::unexpected(ExitCode::failed);
    }
    return opened;
}

/// Prints the report to standard output, or to standard error if the trace goes there.
bool print_report(const etl::repair::Report& report, const RepairOptions& options,
                  const std::string& input) {
    constexpr std::size_t shown = 50;
    const RepairNames names{.input = input, .output = options.output.path};
    const std::size_t most = options.verbose ? std::numeric_limits<std::size_t>::max() : shown;
    const std::string text = options.json
                                 ? with_big_numbers(as_json(report, names), options.big_numbers)
                                 : as_text(report, names, most);
    if (options.output.path == "-") {
        say_plainly(std::string_view(text).substr(0, text.size() - 1));
        return true;
    }
    etl::io::StandardOutput output;
    const auto written = output.write(text);
    if (!written) {
        say("standard output", written.error());
    }
    return written.has_value();
}

ExitCode run(const RepairOptions& options) {
    if (!is_clear(options)) {
        return ExitCode::failed;
    }
    const auto opened = only_file(options);
    if (!opened) {
        return opened.error();
    }
    const auto& file = opened->files.front().file;
    etl::io::AtomicFiles files;
    ProgressBar bar(options.progress);
    etl::repair::Options how{.files = &files,
                             .recording = {},
                             .log_findings = opened->files.front().log_findings.get(),
                             .file = options.output.log_file_options(1),
                             .threads = options.traces.worker_threads(),
                             .progress = [&](double done) { bar.show(done, 0); }};
    how.is_log_closed = how.log_findings == nullptr || etl::evtx::was_closed(*how.log_findings);
    if (!options.header_from.empty()) {
        ExitCode wrong = ExitCode::well;
        how.recording = header_of(options, file, wrong);
        if (wrong != ExitCode::well) {
            return wrong;
        }
    }
    ExitCode exit = ExitCode::well;
    how.live_buffers = live_buffers(options, exit);
    if (exit != ExitCode::well) {
        return exit;
    }
    const auto report = etl::repair::run(file, output_file(options.output.path), how);
    if (!report) {
        if (is_closed_pipe(options.output.path, report.error())) {
            return ExitCode::well;
        }
        const bool is_of_input = report.error().code == etl::ErrorCode::not_a_trace ||
                                 report.error().code == etl::ErrorCode::empty_file;
        say(is_of_input ? file->name() : options.output.path, report.error());
        return report.error().code == etl::ErrorCode::invalid_option ? ExitCode::usage
                                                                     : ExitCode::failed;
    }
    if (const auto committed = files.commit(); !committed) {
        say(options.output.path, committed.error());
        return ExitCode::failed;
    }
    if (!print_report(*report, options, file->name())) {
        return ExitCode::failed;
    }
    return report->is_complete ? ExitCode::well : ExitCode::damaged;
}

} // namespace

void add_repair(Verb& etl, ExitCode& exit) {
    Verb& verb = *etl.add_subcommand("repair", "Recover intact records into a valid trace");
    auto options = std::make_shared<RepairOptions>();
    options->traces.add_to(verb);
    describe_as_only(verb);
    options->output.add_atomic_to(verb);
    verb.remove_option(verb.get_option("--buffer-size")); // buffers keep their size
    verb.add_option("--header-from", options->header_from,
                    "use the log file header (clock, times, names) of another trace of the same "
                    "session, if that of FILE is missing or wrong")
        ->type_name("FILE");
    verb.add_option("--buffers", options->buffers,
                    "recover the buffers of a killed session from this file (default: "
                    "INPUT.buffers, if it exists)")
        ->type_name("FILE");
    verb.add_flag("--json", options->json, "print the report as one JSON object");
    add_big_numbers(verb, options->big_numbers);
    verb.add_flag("--verbose", options->verbose, "list all losses (default: the first 50)");
    add_progress(verb, options->progress);
    verb.footer(repair_footer);
    verb.callback([options, &exit] { exit = run(*options); });
}

} // namespace cli
