// etl dump: the events of traces as text, JSON, CSV or TSV.
#include <etl/base/text.hpp>
#include <etl/flow/filters.hpp>
#include <etl/flow/mux.hpp>
#include <etl/flow/pipeline.hpp>
#include <etl/io/byte_stream.hpp>
#include <etl/io/find_files.hpp>
#include <etl/io/output_file.hpp>
#include <etl/sink/csv.hpp>
#include <etl/sink/json.hpp>
#include <etl/sink/text.hpp>
#include <etl/sink/wpp.hpp>
#include <etl/trace/first_damage.hpp>
#include <etl/trace/stream.hpp>

#include "cli/choice.hpp"
#include "cli/console.hpp"
#include "cli/event_filter.hpp"
#include "cli/facts.hpp"
#include "cli/output_guard.hpp"
#include "cli/pointer_size.hpp"
#include "cli/schemas.hpp"
#include "cli/stop_signals.hpp"
#include "cli/stream_schemas.hpp"
#include "cli/traces.hpp"
#include "cli/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace cli {

namespace {

enum class Format : unsigned char { text, jsonl, json, csv, tsv, wpp };
enum class When : unsigned char { automatic, always, never };

struct DumpOptions {
    TraceOptions traces;
    SchemaOptions schemas;
    FilterOptions filters;
    etl::sink::Options sink;
    Format format = Format::text;
    std::optional<std::string> wpp_prefix; // none: that of the environment, else tracefmt's
    std::string output = "-";
    bool wide = false;
    bool force = false;
    bool strict = false;
    bool local = false;
    bool no_decode = false;
    bool enrich = false;
    bool spool = false;
    bool follow = false;
    When color = When::automatic;
    ProgressBar::Wish progress = ProgressBar::Wish::automatic;
};

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

std::string prefix_of(const DumpOptions& options) {
    if (options.wpp_prefix) {
        return *options.wpp_prefix;
    }
    std::string prefix = etl::io::environment("TRACE_FORMAT_PREFIX");
    return prefix.empty() ? std::string(etl::decode::default_wpp_prefix) : prefix;
}

std::shared_ptr<const etl::flow::Encoder> make_encoder(const DumpOptions& options) {
    using etl::sink::CsvOptions;
    const bool to_terminal = options.output == "-" && etl::io::standard_output_is_terminal();
    const bool colour =
        options.color == When::always || (options.color == When::automatic && to_terminal);
    switch (options.format) {
    case Format::text:
        return std::make_shared<etl::sink::Text>(options.sink,
                                                 etl::sink::TextOptions{.colour = colour});
    case Format::jsonl:
        return std::make_shared<etl::sink::JsonLines>(options.sink);
    case Format::json:
        return std::make_shared<etl::sink::JsonArray>(options.sink);
    case Format::csv:
        return std::make_shared<etl::sink::Csv>(options.sink,
                                                CsvOptions{CsvOptions::Style::csv, options.wide});
    case Format::wpp:
        return std::make_shared<etl::sink::WppLines>(options.sink, prefix_of(options));
    case Format::tsv:
        break;
    }
    return std::make_shared<etl::sink::Csv>(options.sink,
                                            CsvOptions{CsvOptions::Style::tsv, options.wide});
}

/// How far a trace is done, by where the newest event's buffer lies.
double fraction_done(const etl::flow::Event& newest) {
    const etl::flow::TraceInfo& trace = newest.trace();
    return static_cast<double>(newest.buffer->where.value) / static_cast<double>(trace.file_size);
}

etl::Filetime start_of(const etl::flow::TraceInfo& trace) {
    return {trace.has_header ? trace.header.start_time : trace.clock.to_filetime(0).ticks};
}

/// --local: minutes to add to UTC at that time; else 0.
int offset_of(const DumpOptions& options, etl::Filetime start) {
    return options.local ? etl::io::local_offset_minutes(start.ticks / etl::Filetime::per_second -
                                                         etl::Filetime::unix_epoch /
                                                             etl::Filetime::per_second)
                         : 0;
}

/// Whether the first event after a time window ends it. Not if a file contains several runs.
etl::flow::TimeFilter::Upstream upstream_of(const Traces& traces, etl::trace::Order order) {
    const bool in_one_go = std::ranges::all_of(traces.readers(), [](const auto& reader) {
        return std::ranges::all_of(reader->buffers(),
                                   [](const auto& buffer) { return buffer.run == 0; });
    });
    return in_one_go && order == etl::trace::Order::time
               ? etl::flow::TimeFilter::Upstream::ordered
               : etl::flow::TimeFilter::Upstream::unordered;
}

/// --strict: each trace ends at its first damage.
class UntilDamage {
public:
    /// Reads the traces once to find it.
    UntilDamage(const Traces& traces, unsigned threads) {
        for (std::size_t i = 0; i < traces.readers().size(); ++i) {
            const auto damage = etl::trace::first_damage(traces.files()[i], threads);
            damages_.push_back(damage);
            if (damage) {
                say(fmt::format(
                    "warning: {}: first damage at 0x{:x}; what is stored after it is left "
                    "out (--strict)",
                    printable(traces.files()[i]->name()), damage->buffer.value));
            }
        }
    }

    /// The events of `reader` before its damage. Outlived by this.
    etl::flow::Source* over(std::size_t number, etl::flow::Source& reader) {
        const auto& damage = damages_[number];
        if (!damage) {
            return &reader;
        }
        sources_.push_back(std::make_unique<etl::flow::WhereFilter>(
            reader, [damage](const etl::flow::Event& event) { return damage->is_after(event); }));
        return sources_.back().get();
    }

private:
    std::vector<std::optional<etl::trace::DamagePlace>> damages_; // by reader
    std::vector<std::unique_ptr<etl::flow::Source>> sources_;
};

/// What is dumped.
struct DumpInput {
    etl::flow::Source& events;
    const etl::flow::TraceInfo& first_trace;
    etl::flow::TimeFilter::Upstream order;
    etl::schema::SchemasByTrace schemas;
    std::shared_ptr<const etl::facts::FactsByTrace> facts; // null: not needed
    CompiledFilters filters;
    StreamSchemas* stream_schemas = nullptr; // of a stream, whose store changes
};

/// Everything between the events and the output.
class Dump {
public:
    Dump(const DumpOptions& options, const DumpInput& input)
        : options_(options), schemas_(input.stream_schemas),
          window_(input.events, input.filters.window, input.order) {
        options_.sink.schemas = input.schemas;
        if (!input.filters.condition.is_always_true()) {
            options_.sink.where = input.filters.condition;
            options_.sink.matching_facts = input.facts;
        }
        if (options.local) {
            options_.sink.utc_offset_minutes = offset_of(options, start_of(input.first_trace));
        }
        encoder_ = make_encoder(options_);
        if (schemas_ != nullptr && options_.sink.decode) {
            printed_.emplace(window_, *schemas_);
        }
    }

    /// Takes the newest schemas of the stream.
    void renew_schemas() {
        options_.sink.schemas = schemas_->newest();
        encoder_ = make_encoder(options_);
    }

    /// Writes to `output`; `gave_up` is asked now and then.
    ExitCode run(etl::Output& output, const std::function<bool()>& gave_up) {
        ProgressBar bar(options_.progress);
        etl::flow::PipelineOptions how{.threads = options_.traces.worker_threads(),
                                       .progress = {},
                                       .pause = [&] { return !gave_up(); },
                                       .encoder = {},
                                       .skip = options_.filters.skip.value_or(0),
                                       .limit = options_.filters.limit};
        how.progress = [&](std::uint64_t events, const etl::flow::Event& newest) {
            if (schemas_ == nullptr) { // nobody knows how long a stream is
                bar.show(fraction_done(newest), events);
            }
            return !gave_up();
        };
        if (schemas_ != nullptr) {
            how.encoder = [this] {
                schemas_->end_batch();
                return encoder_;
            };
        }
        etl::flow::Source& events = printed_ ? static_cast<etl::flow::Source&>(*printed_) : window_;
        const std::shared_ptr<const etl::flow::Encoder> first = encoder_;
        const auto result = etl::flow::run(events, *first, output, how);
        if (const etl::Error* error = events.error()) {
            say(events_name(), *error);
            return ExitCode::damaged;
        }
        if (!result) {
            say(options_.output == "-" ? "standard output" : options_.output, result.error());
            return ExitCode::failed;
        }
        written_ = result->written;
        return options_.strict ? judge(result->decoding) : ExitCode::well;
    }

    /// Events, so far.
    std::uint64_t written() const noexcept { return written_; }

private:
    static ExitCode judge(const etl::flow::DecodeCounts& decoding) {
        if (decoding.errors > 0) {
            say(fmt::format("{} events contradict their schema", decoding.errors));
        }
        if (decoding.guesses > 0) {
            say(fmt::format("events decoded by a guess: {} (see decode_note)", decoding.guesses));
        }
        return decoding.errors + decoding.guesses > 0 ? ExitCode::damaged : ExitCode::well;
    }

    const std::string& events_name() const { return options_.traces.arguments.front(); }

    DumpOptions options_; // with the schemas, and with the zone of the trace
    StreamSchemas* schemas_;
    std::uint64_t written_ = 0;
    etl::flow::TimeFilter window_;
    std::optional<PrintedEvents> printed_;
    std::shared_ptr<const etl::flow::Encoder> encoder_;
};

ExitCode write_to_file(Dump& dump, const std::string& path) {
    auto file = etl::io::AtomicFile::create(path);
    if (!file) {
        say(path, file.error());
        return ExitCode::failed;
    }
    const ExitCode exit = dump.run(**file, [] { return false; });
    if (exit == ExitCode::failed) {
        return exit;
    }
    if (const auto committed = (*file)->commit(); !committed) {
        say(path, committed.error());
        return ExitCode::failed;
    }
    return exit;
}

ExitCode write(Dump& dump, const std::string& path) {
    if (path != "-") {
        return write_to_file(dump, path);
    }
    etl::io::StandardOutput output;
    return dump.run(output, [&] { return output.closed(); });
}

/// Null: neither --enrich nor --process.
std::shared_ptr<const etl::facts::FactsByTrace>
needed_facts(const DumpOptions& options, const Traces& traces,
             const etl::schema::SchemasByTrace& schemas) {
    if (!options.enrich && !options.filters.needs_facts()) {
        return nullptr;
    }
    using etl::facts::Scope;
    auto facts = gather_facts(traces, schemas,
                              {.scope = options.enrich ? Scope::everything : Scope::processes,
                               .pointer_size = options.sink.pointer_size,
                               .code_page = options.sink.code_page},
                              options.traces.worker_threads());
    report_unknown_names(options.filters.processes, *facts);
    return facts;
}

/// Says what the filters left open, after the last event.
void report_on(const FilterOptions& filters, const etl::match::Condition& condition,
               std::uint64_t written) {
    if (filters.limit && written >= *filters.limit) {
        return; // not all events were asked about
    }
    report_unmatched(condition);
    if (filters.needs_facts() && written == 0) {
        say("no event matches --process and the other filters");
    }
    report(*filters.notes);
}

/// `until_damage` null: to the end of each trace.
std::unique_ptr<etl::flow::Source> join(const Traces& traces, etl::trace::Order order,
                                        UntilDamage* until_damage) {
    std::vector<etl::flow::Source*> list;
    for (const auto& reader : traces.readers()) {
        list.push_back(until_damage != nullptr ? until_damage->over(list.size(), *reader)
                                               : reader.get());
    }
    if (order != etl::trace::Order::time || list.size() == 1) {
        return std::make_unique<etl::flow::Concatenation>(std::move(list));
    }
    return std::make_unique<etl::flow::Mux>(std::move(list));
}

ExitCode dump_files(DumpOptions options) {
    options.traces.select = header_condition(options.filters);
    Traces traces(options.traces);
    if (traces.readers().empty()) {
        return ExitCode::failed;
    }
    etl::match::TimeBounds bounds = bounds_of(traces);
    bounds.utc_offset_minutes = offset_of(options, bounds.start);
    const auto filters = compile(options.filters, bounds);
    if (!filters) {
        return ExitCode::usage;
    }
    const auto schemas = gather_schemas(options.schemas, traces, options.traces.worker_threads());
    if (!schemas) {
        return ExitCode::failed;
    }
    const auto facts = needed_facts(options, traces, *schemas);
    options.sink.facts = options.enrich ? facts : nullptr;
    std::optional<UntilDamage> until_damage;
    if (options.strict) {
        until_damage.emplace(traces, options.traces.worker_threads());
    }
    const auto events = join(traces, options.traces.order, until_damage ? &*until_damage : nullptr);
    Dump dump(options, {.events = *events,
                        .first_trace = traces.readers().front()->info(),
                        .order = upstream_of(traces, options.traces.order),
                        .schemas = *schemas,
                        .facts = facts,
                        .filters = *filters});
    const ExitCode exit = write(dump, options.output);
    report_on(options.filters, filters->condition, dump.written());
    return worst(exit, traces.exit_code()); // which counts what was found on the way
}

/// Says what a reader of the output has to know about a stream that has come to its end.
void say_what_came_late(std::string_view name, const etl::trace::StreamReader& reader,
                        const StreamSchemas& schemas) {
    const auto events = [](std::uint64_t count) {
        return fmt::format("{} event{}", count, count == 1 ? " was" : "s were");
    };
    if (reader.late_events() > 0) {
        say(fmt::format("warning: {}: {} printed out of time order, because they arrived late; "
                        "--spool prints all events in order",
                        printable(name), events(reader.late_events())));
    }
    if (schemas.printed_too_early() > 0) {
        say(fmt::format("warning: {}: {} printed raw before a schema appeared in the stream; "
                        "--spool decodes all events",
                        printable(name), events(schemas.printed_too_early())));
    }
}

ExitCode dump_stream(const DumpOptions& options, etl::trace::StreamInput input) {
    const std::vector<std::string> names{input.name()};
    FindingPrinter findings(names);
    auto schemas = StreamSchemas::open(options.schemas);
    if (!schemas) {
        return ExitCode::failed;
    }
    const StopSignals signals; // what has arrived is printed before the end
    auto reader = etl::trace::StreamReader::open(
        std::move(input), {.order = options.traces.order,
                           .diagnostics = &findings,
                           .arrival = [&](etl::flow::Run events) { schemas->add(events); },
                           .stop = &signals.received()});
    if (!reader) {
        say(names.front(), reader.error());
        return ExitCode::failed;
    }
    const etl::Filetime start = start_of((*reader)->info());
    const auto filters =
        compile(options.filters,
                {.start = start, .end = {}, .utc_offset_minutes = offset_of(options, start)});
    if (!filters) {
        return ExitCode::usage;
    }
    SchemaFeed feed(**reader, *schemas);
    Dump dump(options, {.events = feed,
                        .first_trace = (*reader)->info(),
                        .order = etl::flow::TimeFilter::Upstream::unordered,
                        .schemas = schemas->newest(),
                        .facts = nullptr,
                        .filters = *filters,
                        .stream_schemas = &*schemas});
    feed.on_renewal([&dump] { dump.renew_schemas(); });
    const ExitCode exit = write(dump, options.output);
    schemas->tell_refusals(names.front());
    report_on(options.filters, filters->condition, dump.written());
    say_what_came_late(names.front(), **reader, *schemas);
    return worst(exit, findings.warnings() > 0 ? ExitCode::damaged : ExitCode::well);
}

/// Says why a file that was followed came to its end, unless it was finalized.
ExitCode say_end(std::string_view name, etl::trace::GrowingTrace::End end) {
    using End = etl::trace::GrowingTrace::End;
    if (end == End::truncated) {
        say(fmt::format("warning: {}: became shorter; what it holds now was not read",
                        printable(name)));
        return ExitCode::damaged;
    }
    if (end == End::replaced) {
        say(fmt::format("note: {}: replaced or removed; the old file was read to its end",
                        printable(name)));
    }
    return ExitCode::well;
}

ExitCode follow(const DumpOptions& options, const std::string& path) {
    auto opened = etl::trace::GrowingTrace::open(path);
    if (!opened) {
        say(path, opened.error());
        return ExitCode::failed;
    }
    std::shared_ptr<etl::trace::GrowingTrace> growing = std::move(*opened);
    auto input = etl::trace::StreamInput::open(growing, path);
    if (!input) {
        say(path, input.error());
        return ExitCode::failed;
    }
    if (!input->obstacle().empty()) {
        say(fmt::format("{}: cannot be followed: it is {}", printable(path), input->obstacle()));
        return ExitCode::failed;
    }
    const ExitCode exit = dump_stream(options, std::move(*input));
    return worst(exit, say_end(path, growing->end()));
}

/// An option that asks for something that only the whole trace tells; empty: none.
std::string_view option_with_two_passes(const DumpOptions& options) {
    return options.strict                                        ? "--strict"
           : options.enrich                                      ? "--enrich"
           : options.filters.needs_facts()                       ? "--process"
           : options.traces.order == etl::trace::Order::recorded ? "--order recorded"
                                                                 : "";
}

/// A pipe or device that is the only input: read as it comes if that is possible.
ExitCode dump_pipe(DumpOptions options, const std::string& path) {
    auto stream = etl::io::open_stream(path);
    auto input = stream ? etl::trace::StreamInput::open(std::move(*stream), path)
                        : std::unexpected(stream.error());
    if (!input) {
        say(path, input.error());
        return ExitCode::failed;
    }
    const std::string_view option = option_with_two_passes(options);
    if (!options.spool && option.empty() && input->obstacle().empty()) {
        return dump_stream(options, std::move(*input));
    }
    options.traces.why_spooled = options.spool     ? ""
                                 : !option.empty() ? fmt::format("{} reads it twice", option)
                                                   : fmt::format("it is {}", input->obstacle());
    options.traces.opened = std::make_shared<etl::trace::StreamInput>(std::move(*input));
    return dump_files(std::move(options));
}

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
    return options.follow ? follow(options, path) : dump_files(std::move(options));
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
    const std::map<std::string, Format> formats{{"text", Format::text}, {"jsonl", Format::jsonl},
                                                {"json", Format::json}, {"csv", Format::csv},
                                                {"tsv", Format::tsv},   {"wpp", Format::wpp}};
    const std::map<std::string, When> whens{
        {"auto", When::automatic}, {"always", When::always}, {"never", When::never}};
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
    verb.add_flag_callback(
        "--progress", [&options] { options.progress = ProgressBar::Wish::always; },
        "a progress bar on the terminal, even when the events go there too");
    verb.add_flag_callback(
        "--no-progress", [&options] { options.progress = ProgressBar::Wish::never; },
        "no progress bar");
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
