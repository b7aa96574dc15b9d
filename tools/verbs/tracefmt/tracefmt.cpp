// etl tracefmt: the command line of Windows' tracefmt. docs/from-windows.md
#include "base/text.hpp"
#include "cli/destination.hpp"
#include "cli/verbs.hpp"
#include "cli/windows_words.hpp"
#include "decode/wpp_text.hpp"
#include "inputs/merged_events.hpp"
#include "inputs/symbol_path.hpp"
#include "io/find_files.hpp"
#include "io/input_file.hpp"
#include "outputs/event_summary.hpp"
#include "outputs/output_guard.hpp"
#include "sink/csv.hpp"
#include "sink/wpp.hpp"

#include <fmt/format.h>

#include <optional>
#include <string_view>

namespace cli {

namespace {

constexpr const char* tracefmt_footer = R"(Examples:
  etl tracefmt trace.etl -p tmf/ -o trace.txt    messages with the .tmf files of a folder
  etl tracefmt trace.etl -pdb driver.pdb         with those of a program database
  etl tracefmt trace.etl -tmf driver.tmf -displayonly -nosummary
  tracefmt trace.etl -i driver.sys -r 'srv*symbols' -csv -csvheader -o trace.csv
Options are read in any case, with - or /, and their values also after a colon. TRACE_FORMAT_SEARCH_PATH is searched
for formats, too; TRACE_FORMAT_PREFIX sets the prefix. Existing files are kept unless -y is given.
Exit codes: 0 success, 1 damage, 2 failure, 64 usage error. See docs/from-windows.md.)";

struct TracefmtOptions {
    TraceOptions traces;
    SchemaOptions schemas;
    std::vector<std::string> tmf_paths, images, databases, symbol_paths; // lists separated by `;`
    std::string output = "FmtFile.txt";
    bool is_csv = false, has_csv_header = false;
    bool displays = false, only_displays = false;
    bool has_summary = true, only_summary = false;
    bool has_prefix = true, has_sequence = false;
    bool is_utc = false, replaces = false;
    bool has_no_effect = false;
};

std::vector<std::string> all_of(const std::vector<std::string>& lists) {
    std::vector<std::string> elements;
    for (const std::string& list : lists) {
        for (std::string& element : split_list(list)) {
            elements.push_back(std::move(element));
        }
    }
    return elements;
}

/// The schema files that the options name.
std::vector<std::string> formats_of(const TracefmtOptions& options) {
    std::vector<std::string> paths = all_of(options.tmf_paths);
    for (std::string& path : all_of(options.databases)) {
        paths.push_back(std::move(path));
    }
    for (std::string& path : databases_of(all_of(options.images), options.symbol_paths)) {
        paths.push_back(std::move(path));
    }
    if (etl::io::is_regular_file("default.tmf")) {
        paths.emplace_back("default.tmf");
    }
    return paths;
}

/// The name of the summary: that of the output with `.sum`, or tracefmt's own.
std::string summary_name(const TracefmtOptions& options) {
    return options.output == "FmtFile.txt" ? "FmtSum.txt" : options.output + ".sum";
}

std::string prefix_of(const TracefmtOptions& options) {
    if (!options.has_prefix) {
        return {};
    }
    std::string prefix = etl::io::environment("TRACE_FORMAT_PREFIX");
    if (prefix.empty()) {
        prefix = etl::decode::default_wpp_prefix;
    }
    return (options.has_sequence ? "[%7!d!]" : "") + prefix;
}

/// CSV, without the row of names unless it is asked for.
class TracefmtRows final : public etl::flow::Encoder {
public:
    TracefmtRows(std::unique_ptr<etl::flow::Encoder> rows, bool has_header)
        : rows_(std::move(rows)), has_header_(has_header) {}

    std::unique_ptr<etl::flow::Encoder> clone() const override {
        return std::make_unique<TracefmtRows>(rows_->clone(), has_header_);
    }

    std::string_view head() const override { return has_header_ ? rows_->head() : ""; }

    bool encode(const etl::flow::Event& event, std::string& to) override {
        return rows_->encode(event, to);
    }

    etl::flow::DecodeCounts decode_counts() const override { return rows_->decode_counts(); }

private:
    std::unique_ptr<etl::flow::Encoder> rows_;
    bool has_header_;
};

std::unique_ptr<etl::flow::Encoder> encoder_of(const TracefmtOptions& options,
                                               const MergedEvents& events) {
    if (options.only_summary) {
        return nullptr;
    }
    etl::sink::Options sink;
    sink.schemas = events.sink().schemas;
    if (!options.is_utc) {
        sink.utc_offset_minutes = events.local_offset_minutes();
    }
    if (!options.is_csv) {
        return std::make_unique<etl::sink::WppLines>(std::move(sink), prefix_of(options));
    }
    sink.fields = {"cpu", "pid", "tid", "time", "provider", "event", "message"};
    sink.message = true;
    auto rows = std::make_unique<etl::sink::Csv>(std::move(sink), etl::sink::CsvOptions{});
    return std::make_unique<TracefmtRows>(std::move(rows), options.has_csv_header);
}

ExitCode display(const std::string& path) {
    const auto file = etl::io::InputFile::map(path);
    if (!file) {
        say(path, file.error());
        return ExitCode::failed;
    }
    return print(etl::as_text((*file)->bytes()));
}

/// Whether the files may be written. Prints why not.
bool permits_outputs(const TracefmtOptions& options) {
    OutputGuard guard("-y");
    guard.reads(options.traces);
    guard.reads(options.schemas);
    std::vector<std::string> outputs;
    if (!options.only_displays && !options.only_summary) {
        outputs.push_back(options.output);
    }
    if (options.has_summary) {
        outputs.push_back(summary_name(options));
    }
    return guard.permits(outputs, existing_files(options.replaces));
}

ExitCode run_tracefmt(TracefmtOptions options) {
    if (options.only_summary && !options.has_summary) {
        say("-summaryonly and -nosummary exclude each other");
        return ExitCode::usage;
    }
    options.schemas.paths = formats_of(options);
    if (!permits_outputs(options)) {
        return ExitCode::failed;
    }
    auto events = MergedEvents::open(options.traces, options.schemas);
    if (!events) {
        return events.error();
    }
    const auto summary = std::make_shared<EventSummary>();
    ExitCode exit = ExitCode::well;
    {
        const SummingEncoder encoder(encoder_of(options, **events), summary,
                                     (*events)->sink().schemas);
        const bool is_file = !options.only_displays && !options.only_summary;
        exit = write_encoded(
            **events, encoder,
            {.path = is_file ? options.output : "-", .threads = options.traces.worker_threads()});
    }
    if (exit != ExitCode::failed && options.displays && !options.only_displays &&
        !options.only_summary) {
        exit = worst(exit, display(options.output));
    }
    if (exit != ExitCode::failed && options.has_summary) {
        exit = worst(exit, write_file(summary_name(options),
                                      summary->text((*events)->traces(), EventSummary::tracefmt)));
    }
    if (const std::uint64_t unknown = summary->counts().unknown_formats; unknown > 0) {
        say(fmt::format("note: {} messages have no format; name their .tmf files with -p or -tmf, "
                        "or the .pdb with -pdb (`etl info --needs` lists them)",
                        unknown));
    }
    return exit;
}

void add_format_options(Verb& verb, TracefmtOptions& options) {
    const auto add = [&](const char* name, std::vector<std::string>& to, const char* type,
                         const char* description) {
        verb.add_option(name, to, description)->allow_extra_args(false)->type_name(type);
    };
    add("--tmf", options.tmf_paths, "FILE", "trace message format file");
    add("--p", options.tmf_paths, "PATH", "folders with .tmf files, separated by ;");
    add("--i", options.images, "FILE", "executables, separated by ;, whose .pdb has the formats");
    add("--pdb", options.databases, "FILE", "program databases with the formats, separated by ;");
    add("--r", options.symbol_paths, "PATH", "symbol path for -i (default: _NT_SYMBOL_PATH)");
}

void add_tracefmt_output(Verb& verb, TracefmtOptions& options) {
    verb.add_option("--o", options.output,
                    "write to FILE, and the summary to FILE.sum (default: FmtFile.txt and "
                    "FmtSum.txt)")
        ->type_name("FILE");
    verb.add_flag("--y", options.replaces, "replace existing files, never an input");
    verb.add_flag("--csv", options.is_csv, "comma-separated values; the columns are ours");
    verb.add_flag("--csvheader", options.has_csv_header, "-csv: start with the names of columns");
    verb.add_flag("--csvquote", options.has_no_effect,
                  "-csv: quote values (they always are where necessary)");
    verb.add_flag("--display", options.displays, "print the messages as well");
    verb.add_flag("--displayonly", options.only_displays, "print the messages, write no file");
    verb.add_flag_callback(
        "--nosummary", [&options] { options.has_summary = false; }, "write no summary");
    verb.add_flag("--summaryonly", options.only_summary, "write the summary only");
    verb.add_flag_callback(
        "--noprefix", [&options] { options.has_prefix = false; }, "the messages alone");
    verb.add_flag("--seq", options.has_sequence, "print sequence numbers");
    verb.add_flag("--gmt", options.is_utc, "print times in UTC (default: local time)");
    verb.add_flag("--utc", options.is_utc, "same as -gmt");
    verb.add_flag("--hires", options.has_no_effect,
                  "print fractions of a second in full (always so)");
    verb.add_flag("--v", options.has_no_effect, "verbose (no effect)");
    verb.add_flag("--trace", options.has_no_effect, "trace the formatter (no effect)");
}

} // namespace

void add_tracefmt(Verb& etl, ExitCode& exit) {
    Verb& verb =
        add_windows_tool(etl, "tracefmt", "Print WPP messages (Windows' tracefmt command)");
    auto options = std::make_shared<TracefmtOptions>();
    options->traces.add_to(verb);
    add_format_options(verb, *options);
    add_tracefmt_output(verb, *options);
    verb.add_option_function<std::string>(
            "--rt",
            [](const std::string& session) {
                throw UsageError(
                    "-rt " + printable(session),
                    "`etl live --format wpp NAME` prints a machine session; or stop the session "
                    "and pass its file, or follow the file with `etl dump --follow --format wpp "
                    "FILE`");
            },
            "refused: `etl live NAME` prints a machine session")
        ->before_requirements()
        ->type_name("SESSION");
    verb.add_flag_callback(
            "--ods",
            [] { throw UsageError("-ods", "there is no debugger to print to; use -displayonly"); },
            "refused: prints to the debugger of Windows")
        ->before_requirements();
    verb.footer(tracefmt_footer);
    verb.callback([options, &exit] { exit = run_tracefmt(*options); });
}

} // namespace cli
