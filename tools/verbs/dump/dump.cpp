// etl dump: the events of traces as text, JSON, CSV or TSV.
#include "cli/option_values.hpp"
#include "cli/progress.hpp"
#include "cli/verbs.hpp"
#include "decode/event_keys.hpp"
#include "inputs/traces.hpp"
#include "io/byte_stream.hpp"
#include "outputs/output_guard.hpp"
#include "outputs/output_options.hpp"
#include "verbs/dump/dumping.hpp"
#include "verbs/dump/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace cli {

namespace {

constexpr const char* dump_footer = R"(Examples:
  etl dump trace.etl
  etl dump --format jsonl trace.etl | jq -c 'select(.event == "Brewing") | .data'
  etl dump --schema manifests.zip --provider 'Microsoft-Windows-*' --level warning trace.etl
  etl dump --from +1.5s --to +2s --columns auto -o window.csv trace.etl
  etl dump --fields time,pid,Cups,Kind --event Brewing -o cups.csv trace.etl
  etl dump --split-by event -o tables trace.etl
  etl dump --process kettle,4242 trace.etl
  etl dump --where 'provider == Tea-* && data.Cups > 2 && !(level > warning)' trace.etl
  etl dump --enrich --format jsonl trace.etl | jq -c '{event, process, frames}'
  etl dump --recursive --fields time,file,machine,provider,event,data -o timeline.csv traces/
  zstdcat trace.etl.zst | etl dump -
  etl dump --follow growing.etl
  etl dump --part 3/8 --format jsonl -o 3.jsonl trace.etl
Several traces are merged by time. The output is described in docs/output.md. Exit codes: 0 success, 1 damage, or
some inputs could not be opened, 2 failure, 64 usage error. See docs/files.md.)";

/// Keys that --enrich fills.
bool names_facts(const std::vector<std::string>& fields) {
    using etl::decode::Key;
    return std::ranges::any_of(fields, [](const std::string& field) {
        const auto key = etl::decode::find_key(field);
        return key == Key::process || key == Key::frames || key == Key::enriched;
    });
}

/// Why parts of this output would not add up to all of it; empty: they do.
std::string problem_of_part(const DumpOptions& options) {
    const auto excluded = [](std::string_view option, const char* why) {
        return fmt::format("--part excludes {}, {}", option, why);
    };
    if (!options.part) {
        return {};
    }
    return options.filters.counts() ? excluded("--skip and --limit", "which count all events")
           : options.split_by_event ? excluded("--split-by", "which depends on all events")
           : options.needs_kinds()
               ? excluded("--columns auto", "which depends on all events; use --fields")
           : options.format->is_array ? excluded(fmt::format("--format {}", options.format->name),
                                                 "a single array; use jsonl, a line per event")
           : options.traces.order != etl::trace::Order::time
               ? excluded("--order", "because parts are spans of time")
               : std::string();
}

} // namespace

ExitCode run_dump(DumpOptions options) {
    options.sink.decode = !options.no_decode;
    options.enrich |= names_facts(options.sink.fields) || !options.symbols.paths.empty();
    OutputGuard guard;
    guard.reads(options.traces);
    guard.reads(options.schemas);
    if (!options.split_by_event && !guard.permits(options.output, existing_files(options.force))) {
        return ExitCode::failed;
    }
    const auto format = format_of(options);
    if (!format) {
        say(format.error());
        return ExitCode::usage;
    }
    options.format = *format;
    if (const std::string problem = problem_of_part(options); !problem.empty()) {
        say(problem);
        return ExitCode::usage;
    }
    const std::string path = options.traces.arguments.front();
    if (options.follow && options.traces.arguments.size() > 1) {
        say("--follow requires a single trace");
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

namespace {

void add_table_options(Verb& verb, DumpOptions& options) {
    add_choice<DumpColumns>(verb, "--columns", options.columns,
                            {{"data", DumpColumns::data}, {"auto", DumpColumns::automatic}},
                            "csv, tsv: data (all fields in one column, as JSON) or auto (one "
                            "column per field that occurs; reads the trace twice) (default: data)",
                            "HOW");
    verb.add_flag_callback(
            "--wide", [&options] { options.columns = DumpColumns::automatic; },
            "same as --columns auto")
        ->group(""); // hidden
    add_choice<bool>(verb, "--split-by", options.split_by_event, {{"event", true}},
                     "csv, tsv: event: write a table for each kind of event, and an index, to the "
                     "directory that -o names",
                     "HOW");
    verb.add_flag("--bom", options.byte_order_mark,
                  "csv, tsv: start with a byte order mark, for Excel");
}

void add_output_options(Verb& verb, DumpOptions& options) {
    const std::map<std::string, ColorWhen> whens{
        {"auto", ColorWhen::automatic}, {"always", ColorWhen::always}, {"never", ColorWhen::never}};
    add_dump_format(verb, options);
    verb.add_option("--wpp-prefix", options.wpp_prefix,
                    "wpp: prefix of each message, in FormatMessage notation (default: "
                    "TRACE_FORMAT_PREFIX, else that of tracefmt)")
        ->type_name("TEXT");
    add_text_output(verb, options.output, options.force, endings_of(dump_formats()));
    verb.add_option("--fields", options.sink.fields,
                    "print only these keys, data fields, or members (Block.From); csv, tsv: one "
                    "column each, in this order")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("NAME,...");
    verb.add_flag("--raw", options.sink.raw,
                  "also print the payload, raw timestamp, position, and header of every event");
    verb.add_flag("--message", options.sink.message,
                  "render the message of each event, as Windows does");
    verb.add_flag("--names", options.sink.names, "print error codes with their names");
    verb.add_flag_callback(
        "--numbers", [&options] { options.sink.enumerations = false; },
        "print enumerations and bit maps as numbers");
    add_code_page(verb, options.sink.code_page);
    add_big_numbers(verb, options.big_numbers);
    add_table_options(verb, options);
    verb.add_flag("--enrich", options.enrich,
                  "resolve IDs and addresses to processes, images, files, and drives, and print "
                  "the stack of each event (docs/enrich.md)");
    options.symbols.add_to(verb);
    verb.add_flag("--no-decode", options.no_decode, "print all payloads raw");
    add_pointer_size(verb, options.sink.pointer_size);
    add_choice(verb, "--color", options.color, whens,
               "auto (on a terminal, unless NO_COLOR is set), always, or never (default: auto)",
               "WHEN");
    verb.add_flag_callback(
        "--no-pager", [&options] { options.with_pager = false; },
        "do not use a pager (default: PAGER, else less or more, on a terminal)");
    verb.add_flag("--full", options.full_values, "text: do not shorten long values on a terminal");
    auto* local = verb.add_flag("--local", options.local, "print times in the local time zone");
    bool* const is_local = &options.local;
    verb.add_flag_callback(
            "--utc", [is_local] { *is_local = false; }, "print times in UTC (default)")
        ->excludes(local);
    add_progress(verb, options.progress);
}

} // namespace

void add_event_options(Verb& verb, DumpOptions& options) {
    options.schemas.add_to(verb);
    add_output_options(verb, options);
    options.filters.add_to(verb);
}

void add_dump(Verb& etl, ExitCode& exit) {
    Verb& verb = *etl.add_subcommand("dump", "Print the events of traces");
    auto options = std::make_shared<DumpOptions>();
    options->traces.add_to(verb);
    options->schemas.add_to(verb);
    add_output_options(verb, *options);
    using etl::trace::Order;
    add_choice(verb, "--order", options->traces.order,
               {{"time", Order::time}, {"recorded", Order::recorded}, {"file", Order::file}},
               "time, recorded (by time, except where the clock was set back), or file (buffers as "
               "stored); only time merges several traces (default: time)",
               "ORDER");
    auto* spool = verb.add_flag("--spool", options->spool,
                                "copy a pipe to a temporary file first, for exact time order and "
                                "schemas that follow their events");
    verb.add_flag("--follow", options->follow,
                  "print events of a growing trace as they are written, until it is finalized or "
                  "Ctrl-C (docs/streams.md)")
        ->excludes(spool);
    verb.add_flag("--strict", options->strict,
                  "stop each trace at its first damage (reads it twice); exit with 1 if an event "
                  "does not match its schema or was decoded by guessing");
    options->filters.add_to(verb);
    add_part(verb, options->part, "outputs in the order of K equal the complete one");
    verb.footer(dump_footer);
    verb.callback([options, &exit] { exit = run_dump(*options); });
}

} // namespace cli
