// etl dump: the events of traces as text, JSON, CSV or TSV.
#include <etl/base/text.hpp>
#include <etl/flow/filters.hpp>
#include <etl/flow/mux.hpp>
#include <etl/flow/pipeline.hpp>
#include <etl/io/find_files.hpp>
#include <etl/io/output_file.hpp>
#include <etl/sink/csv.hpp>
#include <etl/sink/json.hpp>
#include <etl/sink/text.hpp>
#include <etl/sink/wpp.hpp>
#include <etl/trace/first_damage.hpp>

#include "cli/choice.hpp"
#include "cli/console.hpp"
#include "cli/event_filter.hpp"
#include "cli/facts.hpp"
#include "cli/output_guard.hpp"
#include "cli/pointer_size.hpp"
#include "cli/schemas.hpp"
#include "cli/traces.hpp"
#include "cli/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

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
    bool force = false;
    bool wide = false;
    bool unordered = false;
    bool strict = false;
    bool local = false;
    bool no_decode = false;
    bool enrich = false;
    When color = When::automatic;
    ProgressBar::Wish progress = ProgressBar::Wish::automatic;
};

constexpr const char* footer = R"(Examples:
  etl dump trace.etl
  etl dump --format jsonl trace.etl | jq -c 'select(.event == "Brewing") | .data'
  etl dump --schema manifests.zip --provider 'Microsoft-Windows-*' --level warning trace.etl
  etl dump --from +1.5s --to +2s --format csv -o window.csv trace.etl
  etl dump --enrich --format jsonl trace.etl | jq -c '{event, process, frames}'
  etl dump --recursive --format jsonl folder/
  zstdcat trace.etl.zst | etl dump -
Several traces are merged by time. Output is described in docs/output.md. Exit codes: 0 success,
1 damage, or an input that cannot be opened among others that can, 2 nothing could be done, 64 usage error. See docs/files.md.)";

std::string prefix_of(const DumpOptions& options) {
    if (options.wpp_prefix) {
        return *options.wpp_prefix;
    }
    std::string prefix = etl::io::environment("TRACE_FORMAT_PREFIX");
    return prefix.empty() ? std::string(etl::decode::default_wpp_prefix) : prefix;
}

std::unique_ptr<etl::flow::Encoder> make_encoder(const DumpOptions& options) {
    using etl::sink::CsvOptions;
    const bool to_terminal = options.output == "-" && etl::io::standard_output_is_terminal();
    const bool colour =
        options.color == When::always || (options.color == When::automatic && to_terminal);
    switch (options.format) {
    case Format::text:
        return std::make_unique<etl::sink::Text>(options.sink,
                                                 etl::sink::TextOptions{.colour = colour});
    case Format::jsonl:
        return std::make_unique<etl::sink::JsonLines>(options.sink);
    case Format::json:
        return std::make_unique<etl::sink::JsonArray>(options.sink);
    case Format::csv:
        return std::make_unique<etl::sink::Csv>(options.sink,
                                                CsvOptions{CsvOptions::Style::csv, options.wide});
    case Format::wpp:
        return std::make_unique<etl::sink::WppLines>(options.sink, prefix_of(options));
    case Format::tsv:
        break;
    }
    return std::make_unique<etl::sink::Csv>(options.sink,
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

/// Whether the first event behind a window of time ends it. Not where a file holds several runs:
/// those of files that were put together lie as they lie.
etl::flow::TimeFilter::Upstream order_of(const Traces& traces, bool unordered) {
    const bool in_one_go = std::ranges::all_of(traces.readers(), [](const auto& reader) {
        return std::ranges::all_of(reader->buffers(),
                                   [](const auto& buffer) { return buffer.run == 0; });
    });
    return unordered || !in_one_go ? etl::flow::TimeFilter::Upstream::unordered
                                   : etl::flow::TimeFilter::Upstream::ordered;
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

/// Everything between the opened traces and the output.
class Dump {
public:
    Dump(const DumpOptions& options, Traces& traces,
         std::shared_ptr<const etl::schema::SchemaStore> store)
        : options_(&options), until_damage_(find_damage(options, traces)),
          joined_(join(traces, options.unordered)),
          chain_(*joined_, options.filters, start_of(traces.readers().front()->info()),
                 order_of(traces, options.unordered), store,
                 {.pointer_size = options.sink.pointer_size}),
          sink_(options.sink) {
        sink_.store = std::move(store);
        if (options.local) {
            const auto start = start_of(traces.readers().front()->info());
            sink_.utc_offset_minutes = etl::io::local_offset_minutes(
                start.ticks / etl::Filetime::per_second -
                etl::Filetime::unix_epoch / etl::Filetime::per_second);
        }
    }

    /// Writes to `output`; `gave_up` is asked now and then.
    ExitCode run(etl::Output& output, const std::function<bool()>& gave_up) {
        DumpOptions options = *options_;
        options.sink = sink_;
        const auto encoder = make_encoder(options);
        ProgressBar bar(options.progress);
        const auto progress = [&](std::uint64_t events, const etl::flow::Event& newest) {
            bar.show(fraction_done(newest), events);
            return !gave_up();
        };
        const auto result =
            etl::flow::run(chain_.end(), *encoder, output,
                           {.threads = options.traces.worker_threads(), .progress = progress});
        if (!result) {
            say(options.output == "-" ? "standard output" : options.output, result.error());
            return ExitCode::failed;
        }
        if (options.strict && result->decode_errors > 0) {
            say(fmt::format("{} events contradict their schema", result->decode_errors));
            return ExitCode::damaged;
        }
        return ExitCode::well;
    }

private:
    static std::optional<UntilDamage> find_damage(const DumpOptions& options,
                                                  const Traces& traces) {
        return options.strict ? std::optional<UntilDamage>(std::in_place, traces,
                                                           options.traces.worker_threads())
                              : std::nullopt;
    }

    std::unique_ptr<etl::flow::Source> join(const Traces& traces, bool unordered) {
        std::vector<etl::flow::Source*> list;
        for (const auto& reader : traces.readers()) {
            list.push_back(until_damage_ ? until_damage_->over(list.size(), *reader)
                                         : reader.get());
        }
        if (unordered || list.size() == 1) {
            return std::make_unique<etl::flow::Concatenation>(std::move(list));
        }
        return std::make_unique<etl::flow::Mux>(std::move(list));
    }

    const DumpOptions* options_;
    std::optional<UntilDamage> until_damage_;
    std::unique_ptr<etl::flow::Source> joined_;
    FilterChain chain_;
    etl::sink::Options sink_;
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

ExitCode run(DumpOptions options) {
    options.traces.order = options.unordered ? etl::trace::Order::file : etl::trace::Order::time;
    options.sink.decode = !options.no_decode;
    OutputGuard guard;
    guard.reads(options.traces);
    guard.reads(options.schemas);
    if (!guard.permits(options.output, existing_files(options.force))) {
        return ExitCode::failed;
    }
    Traces traces(options.traces);
    if (traces.readers().empty()) {
        return ExitCode::failed;
    }
    auto store = std::make_shared<etl::schema::SchemaStore>();
    if (!gather_schemas(options.schemas, traces, options.traces.worker_threads(), *store)) {
        return ExitCode::failed;
    }
    if (options.enrich) {
        options.sink.facts = gather_facts(
            traces, store,
            {.pointer_size = options.sink.pointer_size, .code_page = options.sink.code_page},
            options.traces.worker_threads());
    }
    Dump dump(options, traces, store);
    if (options.output != "-") {
        return worst(write_to_file(dump, options.output), traces.exit_code());
    }
    etl::io::StandardOutput output;
    const ExitCode exit = dump.run(output, [&] { return output.closed(); });
    return worst(exit, traces.exit_code());
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
    verb.add_flag("--unordered", options->unordered, "in the order of the file instead of time");
    verb.add_flag("--strict", options->strict,
                  "end each trace at its first damage, which takes a pass to find; events that "
                  "contradict their schema give exit code 1");
    options->filters.add_to(verb);
    verb.footer(footer);
    verb.callback([options, &exit] { exit = run(*options); });
}

} // namespace cli
