// etl repair: recovers intact records of a damaged, truncated, or unfinalized trace.
#include "cli/console.hpp"
#include "cli/option_values.hpp"
#include "cli/progress.hpp"
#include "cli/verbs.hpp"
#include "inputs/traces.hpp"
#include "io/output_file.hpp"
#include "outputs/trace_output.hpp"
#include "rewrite/repairing.hpp"
#include "verbs/repair/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

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

/// Prints how the header of another trace contradicts that of the file.
void report_mismatches(const std::vector<etl::merge::Mismatch>& mismatches,
                       const RepairOptions& options, const etl::io::InputFile& file) {
    for (const auto& found : mismatches) {
        say(fmt::format(
            "{}: {} {} differs from {} of {}{}", printable(file.name()), found.field, found.other,
            found.first, printable(options.header_from),
            options.output.replaces
                ? ""
                : "; the header is not of the same session (use --force to accept it)"));
    }
}

/// The header of another file of the session. On failure prints the reason and returns nothing.
std::expected<etl::trace::Recording, ExitCode> header_of(const RepairOptions& options,
                                                         const etl::dataset::Input& input) {
    const std::string& path = options.header_from;
    const TraceOptions other({path});
    const Traces traces(open_files(other), other, Traces::Findings::silent);
    if (traces.readers().empty()) {
        return std::unexpected(ExitCode::failed);
    }
    const etl::flow::TraceInfo& info = traces.readers().front()->info();
    if (!info.has_header) {
        say(fmt::format("{}: missing log file header", printable(path)));
        return std::unexpected(ExitCode::failed);
    }
    const auto mismatches = etl::rewrite::mismatches_of(input.file, info);
    report_mismatches(mismatches, options, *input.file);
    if (!mismatches.empty() && !options.output.replaces) {
        return std::unexpected(ExitCode::failed);
    }
    return etl::trace::recording_of(info);
}

bool is_clear(const RepairOptions& options) {
    OutputGuard guard;
    guard.reads(options.traces);
    guard.reads(etl::rewrite::live_buffers_path(options.traces.arguments.front(), options.buffers));
    if (!options.header_from.empty()) {
        guard.reads(TraceOptions({options.header_from}));
    }
    return is_clear(options.output, guard);
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

/// With a progress bar.
std::expected<etl::repair::Report, etl::TraceError> repair_file(const etl::dataset::Input& input,
                                                                etl::rewrite::Repairing how,
                                                                ProgressBar::Mode progress) {
    ProgressBar bar(progress);
    how.progress = [&](double done) { bar.show(done, 0); };
    return etl::rewrite::repair(input, how);
}

ExitCode run(const RepairOptions& options) {
    if (!is_clear(options)) {
        return ExitCode::failed;
    }
    const auto opened = only_file(options);
    if (!opened) {
        return opened.error();
    }
    const etl::dataset::Input& input = opened->files.front();
    etl::rewrite::Repairing how{.output = options.output,
                                .threads = options.traces.worker_threads()};
    if (!options.header_from.empty()) {
        auto header = header_of(options, input);
        if (!header) {
            return header.error();
        }
        how.header = *std::move(header);
    }
    auto buffers =
        etl::rewrite::find_live_buffers(options.traces.arguments.front(), options.buffers);
    if (!buffers) {
        return report(buffers.error(), options.output);
    }
    how.live_buffers = *std::move(buffers);
    const auto repaired = repair_file(input, std::move(how), options.progress);
    if (!repaired) {
        return report(repaired.error(), options.output);
    }
    if (!print_report(*repaired, options, input.name())) {
        return ExitCode::failed;
    }
    return repaired->is_complete ? ExitCode::well : ExitCode::damaged;
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
