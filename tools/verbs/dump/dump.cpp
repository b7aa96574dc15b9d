// etl dump: the events of traces as text, JSON, CSV or TSV.
#include <etl/io/byte_stream.hpp>

#include "cli/choice.hpp"
#include "cli/output_guard.hpp"
#include "cli/pointer_size.hpp"
#include "cli/progress.hpp"
#include "cli/verbs.hpp"
#include "verbs/dump/dumping.hpp"

#include <fmt/format.h>

#include <map>

namespace cli {

namespace {

constexpr const char* footer = R"(Examples:
  etl dump trace.etl
  etl dump --format jsonl trace.etl | jq -c 'select(.event == "Brewing") | .data'
  etl dump --schema manifests.zip --provider 'Microsoft-Windows-*' --level warning trace.etl
  etl dump --from +1.5s --to +2s --format csv -o window.csv trace.etl
  etl dump --process kettle,4242 trace.etl
  etl dump --where 'provider == Tea-* && data.Cups > 2 && !(level > warning)' trace.etl
  etl dump --enrich --format jsonl trace.etl | jq -c '{event, process, frames}'
  etl dump --recursive --format jsonl folder/
  zstdcat trace.etl.zst | etl dump -
  etl dump --follow growing.etl
Several traces are merged by time. Output is described in docs/output.md. Exit codes: 0 success,
1 damage, or an input that cannot be opened among others that can, 2 nothing could be done, 64 usage error. See docs/files.md.)";

ExitCode run(DumpOptions options) {
    options.sink.decode = !options.no_decode;
    OutputGuard guard;
    guard.reads(options.traces);
    guard.reads(options.schemas);
    if (!guard.permits(options.output, existing_files(options.force))) {
        return ExitCode::failed;
    }
    const std::string path = options.traces.arguments.front();
    if (options.follow && options.traces.arguments.size() > 1) {
        say("--follow reads one trace");
        return ExitCode::usage;
    }
    if (const auto option = option_with_two_passes(options); options.follow && !option.empty()) {
        say(fmt::format("--follow excludes {}, which reads the trace twice", option));
        return ExitCode::usage;
    }
    if (options.traces.arguments.size() == 1 && etl::io::is_stream(path)) {
        return dump_pipe(std::move(options), path);
    }
    return options.follow ? dump_growing(options, path) : dump_files(std::move(options));
}

void add_code_page(CLI::App& verb, std::shared_ptr<const etl::CodePage>& to) {
    constexpr const char* name = "--ansi-codepage";
    verb.add_option_function<std::string>(
            name,
            [&to](const std::string& page) {
                auto opened = etl::CodePage::open(page);
                if (!opened) {
                    throw CLI::ValidationError(name, "'" + printable(page) +
                                                         "' is no code page that can be read here");
                }
                to = std::move(*opened);
            },
            "code page of 8-bit text, by number or name: 1251, cp932, utf-8 (default: UTF-8 where "
            "the text is valid as such, else 1252)")
        ->type_name("PAGE");
}

void add_output_options(CLI::App& verb, DumpOptions& options) {
    const std::map<std::string, DumpFormat> formats{
        {"text", DumpFormat::text}, {"jsonl", DumpFormat::jsonl}, {"json", DumpFormat::json},
        {"csv", DumpFormat::csv},   {"tsv", DumpFormat::tsv},     {"wpp", DumpFormat::wpp}};
    const std::map<std::string, ColorWhen> whens{
        {"auto", ColorWhen::automatic}, {"always", ColorWhen::always}, {"never", ColorWhen::never}};
    add_choice(verb, "--format", options.format, formats,
               "text, jsonl, json, csv, tsv or wpp (default: text)", "FORMAT");
    verb.add_option("--wpp-prefix", options.wpp_prefix,
                    "what --format wpp, the one of tracefmt, puts in front of each message, in "
                    "FormatMessage's notation "
                    "(default: TRACE_FORMAT_PREFIX, else tracefmt's)")
        ->type_name("TEXT");
    verb.add_option("-o,--output", options.output,
                    "write to FILE, which appears when complete (default: standard output)")
        ->type_name("FILE");
    verb.add_flag("--force", options.force,
                  "replace an existing file, never an input, atomically on completion");
    verb.add_option("--fields", options.sink.fields, "only these keys, or fields of the data")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("NAME,...");
    verb.add_flag("--raw", options.sink.raw,
                  "payload, raw time stamp, position and header of every event as well");
    verb.add_flag("--message", options.sink.message,
                  "render the message of each event, as Windows would");
    verb.add_flag("--names", options.sink.names, "show error codes with their names");
    verb.add_flag_callback(
        "--numbers", [&options] { options.sink.enumerations = false; },
        "show values of enumerations and bit maps as numbers");
    add_code_page(verb, options.sink.code_page);
    verb.add_flag(
        "--wide", options.wide,
        "csv, tsv: each field of the data as name=value in a column of its own, behind the others");
    verb.add_flag("--enrich", options.enrich,
                  "show what numbers stand for: processes, images, files, drives; and the stack "
                  "of each event (docs/enrich.md)");
    verb.add_flag("--no-decode", options.no_decode, "leave all payloads raw");
    add_pointer_size(verb, options.sink.pointer_size);
    add_choice(verb, "--color", options.color, whens, "auto, always or never", "WHEN");
    auto* local = verb.add_flag("--local", options.local, "times in the zone of this machine");
    bool* const is_local = &options.local;
    verb.add_flag_callback(
            "--utc", [is_local] { *is_local = false; }, "times in UTC (default)")
        ->excludes(local);
    add_progress(verb, options.progress);
}

} // namespace

void add_dump(CLI::App& etl, ExitCode& exit) {
    CLI::App& verb = *etl.add_subcommand("dump", "Print the events of traces");
    auto options = std::make_shared<DumpOptions>();
    options->traces.add_to(verb);
    options->schemas.add_to(verb);
    add_output_options(verb, *options);
    using etl::trace::Order;
    add_choice(verb, "--order", options->traces.order,
               {{"time", Order::time}, {"recorded", Order::recorded}, {"file", Order::file}},
               "time, recorded (by time, but across a clock that was set back), or file (buffers "
               "as stored); other than by time, several traces follow each other (default: time)",
               "ORDER");
    auto* spool = verb.add_flag("--spool", options->spool,
                                "copy a pipe to a temporary file first, as for a file: exact time "
                                "order, and schemas that come after their events");
    verb.add_flag("--follow", options->follow,
                  "print events of a growing trace as they are written, until it is finalized or "
                  "on Ctrl-C (docs/streams.md)")
        ->excludes(spool);
    verb.add_flag("--strict", options->strict,
                  "end each trace at its first damage, which takes a pass to find; exit with 1 if "
                  "events contradict their schema or were decoded by a guess");
    options->filters.add_to(verb);
    verb.footer(footer);
    verb.callback([options, &exit] { exit = run(*options); });
}

} // namespace cli
