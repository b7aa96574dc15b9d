// etl export: events in the formats of other programs.
#include "cli/option_values.hpp"
#include "cli/progress.hpp"
#include "cli/verbs.hpp"
#include "outputs/output_guard.hpp"
#include "outputs/output_options.hpp"
#include "verbs/export/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

namespace cli {

namespace {

constexpr const char* export_events_footer = R"(Examples:
  etl export --to xml trace.etl -o events.xml
  etl export --schema provider.man trace.etl -o events.evtx
  etl export trace.etl -o capture.pcapng
  etl export --to parquet trace.etl -o tables
  etl export --to arrow trace.etl -o tables
  etl export --to speedscope --symbols /symbols trace.etl -o trace.speedscope.json
  etl export --to pprof --process kettle trace.etl -o kettle.pb.gz
  etl export trace.etl -o trace.perfetto-trace
  etl export --to xml --message --schema provider.man trace.etl
  etl export --to xml --where 'level <= warning' --from +1s --until +2s trace.etl
Several traces are merged by time; a profile (pprof, speedscope, firefox, chrome, perfetto) is of one trace. parquet
and arrow write several files to the directory -o. The formats are described in docs/output.md, those of profilers in
docs/profilers.md, parquet and arrow in docs/columns.md. Exit codes: 0 success, 1 damage, some inputs could not be
opened, or the trace contains nothing for the format, 2 failure, 64 usage error.)";

/// Options that only some formats use.
struct FormatOption {
    const char* name;
    std::string_view formats; // between spaces
};

constexpr FormatOption format_options[] = {
    {"--layout", " xml "},
    {"--root", " xml "},
    {"--message", " xml "},
    {"--raw-time", " xml "},
    {"--numbers", " xml "},
    {"--local", " xml "},
    {"--computer", " xml evtx "},
    {"--lenient", " xml evtx "},
    {"--ansi-codepage", " xml evtx parquet arrow "},
    {"--symbols", " pprof speedscope firefox chrome perfetto "},
};

/// Whether the format uses all options; if not, prints one.
bool uses_all(const Verb& verb, const ExportFormat& format) {
    for (const FormatOption& option : format_options) {
        if (verb.count(option.name) > 0 &&
            !option.formats.contains(fmt::format(" {} ", format.name))) {
            say(fmt::format("{} has no effect on {}; omit it, or use --to with one of:{}",
                            option.name, format.name,
                            option.formats.substr(0, option.formats.size() - 1)));
            return false;
        }
    }
    return true;
}

ExitCode run_export(const ExportOptions& options, const Verb& verb) {
    OutputGuard guard;
    guard.reads(options.traces);
    guard.reads(options.schemas);
    if (!guard.permits(options.output, existing_files(options.force))) {
        return ExitCode::failed;
    }
    const ExportFormat* const format = format_of(options);
    if (format == nullptr || !uses_all(verb, *format)) {
        return ExitCode::usage;
    }
    if (format->write_other != nullptr) {
        return format->write_other(options, format->name);
    }
    auto events =
        MergedEvents::open(options.traces, options.schemas, options.filters, options.sink);
    if (!events) {
        return events.error();
    }
    etl::flow::PipelineResult result;
    const ExitCode exit = format->write(options, **events, result);
    (*events)->report(result.written);
    return exit;
}

bool is_xml_name(const std::string& name) {
    const auto is_letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    return name.empty() || (is_letter(name.front()) && std::ranges::all_of(name, [&](char c) {
                                return is_letter(c) || (c >= '0' && c <= '9') || c == '-' ||
                                       c == '.';
                            }));
}

void add_root(Verb& verb, std::string& root) {
    constexpr const char* name = "--root";
    verb.add_option_function<std::string>(
            name,
            [&root](const std::string& word) {
                if (!is_xml_name(word)) {
                    throw UsageError(name, "'" + printable(word) + "' is not an XML name");
                }
                root = word;
            },
            "xml: root element; '' for none, as wevtutil writes (default: Events)")
        ->type_name("NAME");
}

void add_xml_options(Verb& verb, ExportOptions& options) {
    using Layout = etl::sink::XmlOptions::Layout;
    add_choice<Layout>(verb, "--layout", options.xml.layout,
                       {{"windows", Layout::windows}, {"tracerpt", Layout::tracerpt}},
                       "xml: windows (one event per line, as wevtutil writes) or tracerpt "
                       "(indented, as tracerpt writes) (default: windows)",
                       "LAYOUT");
    add_root(verb, options.xml.root);
    verb.add_option("--computer", options.xml.computer,
                    "computer of all events; traces do not contain it (default: empty)")
        ->type_name("NAME");
    verb.add_flag_callback(
        "--message", [&options] { options.xml.rendering = options.sink.message = true; },
        "also write names, and the message of each event (RenderingInfo)");
    verb.add_flag("--raw-time", options.xml.raw_times, "also write raw timestamps");
    verb.add_flag("--lenient", options.xml.accept_short_payloads,
                  "write the fields of payloads that end early, not ProcessingErrorData");
    verb.add_flag_callback(
        "--numbers", [&options] { options.sink.enumerations = false; },
        "layout tracerpt: write enumerations and bit maps as numbers");
    verb.add_flag("--local", options.local, "layout tracerpt: write times in the local zone");
}

} // namespace

void add_export(Verb& etl, ExitCode& exit) {
    Verb& verb = *etl.add_subcommand("export", "Write events in formats of other programs");
    auto options = std::make_shared<ExportOptions>();
    std::string formats;
    for (const ExportFormat& format : export_formats()) {
        formats +=
            fmt::format("{}{} ({})", formats.empty() ? "" : ", ", format.name, format.content);
    }
    options->traces.add_to(verb);
    options->schemas.add_to(verb);
    options->symbols.add_to(verb);
    options->filters.add_to(verb, "--until");
    Option* const to = verb.add_option(
        "--to", options->to, fmt::format("format: {} (default: by the extension of -o)", formats));
    suggest_values(to->type_name("FORMAT"),
                   export_formats() | std::views::transform(&ExportFormat::name));
    verb.add_option("-o,--output", options->output,
                    "write to FILE, which appears when complete; parquet, arrow: a directory "
                    "(default: standard output)")
        ->type_name("FILE");
    add_force(verb, options->force);
    add_xml_options(verb, *options);
    add_code_page(verb, options->sink.code_page);
    add_pointer_size(verb, options->sink.pointer_size);
    add_progress(verb, options->progress);
    verb.footer(export_events_footer);
    verb.callback([options, &verb, &exit] { exit = run_export(*options, verb); });
}

} // namespace cli
