#include <etl/time.hpp>

#include "cli/console.hpp"
#include "cli/destination.hpp"
#include "cli/option_values.hpp"
#include "cli/verb.hpp"
#include "decode/display_value.hpp"
#include "decode/message_text.hpp"
#include "flow/sink.hpp"
#include "inputs/merged_events.hpp"
#include "io/find_files.hpp"
#include "io/output_file.hpp"
#include "outputs/event_log_output.hpp"
#include "outputs/output_guard.hpp"
#include "sink/event_log.hpp"
#include "sink/event_xml.hpp"
#include "sink/options.hpp"
#include "sink/windows_event.hpp"
#include "verbs/wevtutil/verbs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace cli {

// The file that qe and epl read, and which of its events.

struct LogFileOptions {
    TraceOptions traces;
    SchemaOptions schemas;
    FilterOptions filters;
    std::string computer; // of all events; empty: as recorded
    bool is_file = false;
};

/// Declares FILE, the query, and options of wevtutil that are refused, with their reasons.
void add_log_file(Verb& verb, LogFileOptions& options);

/// Returns whether FILE is a file. If not, prints what to use.
bool is_log_file(const LogFileOptions& options);

void add_log_file(Verb& verb, LogFileOptions& options) {
    verb.add_option_function<std::string>(
            "FILE", [&options](const std::string& file) { options.traces.arguments = {file}; },
            "trace or event log (.evtx)")
        ->required();
    verb.add_flag("--lf,--logfile", options.is_file, "true: FILE is a file, not a log");
    verb.add_option("--q,--query", options.filters.xpaths, "XPath query (docs/filters.md)")
        ->allow_extra_args(false)
        ->type_name("QUERY")
        ->check([&options](const std::string& query) {
            return options.filters.problem_of_xpath(query);
        });
    verb.add_option("--sq,--structuredquery", "refused: structured queries")
        ->type_name("VALUE")
        ->check([](const std::string&) {
            return std::string("structured queries are not supported; use /q with the XPath of "
                               "their Select");
        });
    verb.add_option("--computer", options.computer,
                    "computer of all events (default: as recorded; traces do not record it; not in "
                    "wevtutil)")
        ->type_name("NAME");
    verb.add_option("--schema", options.schemas.paths,
                    "schema file, as for `etl dump`; repeatable (not in wevtutil)")
        ->allow_extra_args(false)
        ->type_name("PATH");
}

bool is_log_file(const LogFileOptions& options) {
    const std::string& name = options.traces.arguments.front();
    if (options.is_file || etl::io::is_regular_file(name)) {
        return true;
    }
    say(fmt::format("{}: logs of Windows are not here; name a .evtx or .etl file and /lf:true",
                    printable(name)));
    return false;
}

// Events as the text of `wevtutil qe /f:text`.

/// Stands for the number of an event, which sink::RecordNumbers fills in. Uses of Options: schemas,
/// conditions, and texts.
class WevtutilText final : public etl::flow::Encoder {
public:
    WevtutilText(etl::sink::Options options, std::string computer);
    ~WevtutilText() override;

    std::unique_ptr<etl::flow::Encoder> clone() const override;
    bool encode(const etl::flow::Event& event, std::string& to) override;
    etl::flow::DecodeCounts decode_counts() const override;

private:
    class Writer;

    std::unique_ptr<Writer> writer_;
};

namespace {

constexpr char number_mark = '\0'; // sink::RecordNumbers replaces it

std::string_view or_none(std::string_view name) {
    return name.empty() ? std::string_view("N/A") : name;
}

void add_line(std::string& to, const char* name, std::string_view value) {
    to += fmt::format("  {}: {}\n", name, printable(value));
}

/// The lines of a message, without control characters.
void add_message(std::string& to, std::string_view message) {
    to += "  Description: \n";
    while (!message.empty()) {
        const std::size_t end = std::min(message.find('\n'), message.size());
        std::string_view line = message.substr(0, end);
        message.remove_prefix(std::min(end + 1, message.size()));
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        to.append(printable(line)).push_back('\n');
    }
}

} // namespace

class WevtutilText::Writer {
public:
    Writer(etl::sink::Options options, std::string computer)
        : options_(std::move(options)), computer_(std::move(computer)),
          decoder_(options_.schemas, options_.decoder()), matcher_(options_.matcher()),
          model_({.computer = computer_}), message_(options_.display()) {}

    std::unique_ptr<WevtutilText> copy() const {
        return std::make_unique<WevtutilText>(options_, computer_);
    }

    etl::flow::DecodeCounts counts() const noexcept { return {0, decoder_.guesses()}; }

    bool write(const etl::flow::Event& event, std::string& to) {
        if (matcher_ && !(*matcher_)(event)) {
            return false;
        }
        const etl::decode::DecodedEvent& decoded = decoder_.decode(event);
        add_properties(to, model_.of(decoded));
        text_.clear();
        message_.append(text_, decoded);
        add_message(to, text_);
        to.push_back('\n');
        return true;
    }

private:
    void add_properties(std::string& to, const etl::sink::WindowsEvent& event) {
        const etl::sink::WindowsSystem& system = event.system;
        const etl::sink::WindowsRendering names = event.rendering();
        to += "Event[";
        to.push_back(number_mark);
        to += "]:\n";
        add_line(to, "Log Name", system.channel);
        add_line(to, "Source", system.provider);
        text_.clear();
        if (system.time) {
            etl::append_rfc3339(text_, *system.time);
        }
        add_line(to, "Date", or_none(text_));
        add_line(to, "Event ID", std::to_string(system.id));
        add_line(to, "Task", or_none(names.task));
        add_line(to, "Level", or_none(names.level));
        add_line(to, "Opcode", or_none(names.opcode));
        add_line(to, "Keyword", fmt::format("{}", fmt::join(names.keywords, ",")));
        text_.clear();
        if (!system.user_sid.empty()) {
            etl::decode::append_display(text_,
                                        {.bytes = system.user_sid, .form = etl::decode::Form::sid});
        }
        add_line(to, "User", or_none(text_));
        add_line(to, "User Name", "N/A");
        add_line(to, "Computer", system.computer);
    }

    etl::sink::Options options_;
    std::string computer_;
    etl::decode::Decoder decoder_;
    std::optional<etl::match::Matcher> matcher_;
    etl::sink::WindowsEvents model_;
    etl::decode::EventMessage message_;
    std::string text_;
};

WevtutilText::WevtutilText(etl::sink::Options options, std::string computer)
    : writer_(std::make_unique<Writer>(std::move(options), std::move(computer))) {}

WevtutilText::~WevtutilText() = default;

std::unique_ptr<etl::flow::Encoder> WevtutilText::clone() const {
    return writer_->copy();
}

bool WevtutilText::encode(const etl::flow::Event& event, std::string& to) {
    return writer_->write(event, to);
}

etl::flow::DecodeCounts WevtutilText::decode_counts() const {
    return writer_->counts();
}

// wevtutil qe: the events of a file.

namespace {

enum class QueryFormat : unsigned char { xml, text, rendered_xml };

struct QueryOptions {
    LogFileOptions from;
    QueryFormat format = QueryFormat::xml;
    std::string root; // of XML; empty: none
    bool is_reversed = false;
};

/// How many events /rd holds in memory.
constexpr std::uint64_t max_reversed = 100'000;

std::unique_ptr<etl::flow::Encoder> encoder_of(const QueryOptions& options,
                                               const etl::sink::Options& sink) {
    if (options.format == QueryFormat::text) {
        return std::make_unique<WevtutilText>(sink, options.from.computer);
    }
    const bool is_rendered = options.format == QueryFormat::rendered_xml;
    etl::sink::Options shown = sink;
    shown.message = is_rendered;
    return std::make_unique<etl::sink::EventXml>(
        std::move(shown), etl::sink::XmlOptions{.root = options.root,
                                                .computer = options.from.computer,
                                                .culture = options.from.schemas.culture,
                                                .rendering = is_rendered});
}

/// Event[0] is the first in text; EventRecordID 1 in XML.
std::uint64_t first_number(const QueryOptions& options) {
    return options.format == QueryFormat::text ? 0 : 1;
}

/// The newest events first: keeps the last of them in memory.
ExitCode print_reversed(const QueryOptions& options, MergedEvents& events) {
    const auto encoder = encoder_of(options, events.sink());
    std::deque<std::string> last;
    const std::uint64_t most = options.from.filters.limit.value_or(max_reversed);
    auto& source = events.source();
    for (auto run = source.next_run(); !run.empty(); run = source.next_run()) {
        for (const etl::flow::Event& event : run) {
            std::string text;
            if (!encoder->encode(event, text)) {
                continue;
            }
            last.push_back(std::move(text));
            if (last.size() > most) {
                last.pop_front();
            }
        }
    }
    if (const etl::Error* error = source.error()) {
        say(events.traces().files().front().name(), *error);
        return ExitCode::damaged;
    }
    etl::io::StandardOutput output;
    etl::sink::RecordNumbers numbers(output, first_number(options));
    std::string text(encoder->head());
    for (auto one = last.rbegin(); one != last.rend(); ++one) {
        text += *one;
    }
    if (const auto written = numbers.write(text.append(encoder->tail())); !written) {
        say("standard output", written.error());
        return ExitCode::failed;
    }
    return events.traces().exit_code();
}

ExitCode print_events(const QueryOptions& options, MergedEvents& events) {
    etl::flow::PipelineResult result;
    ExitCode exit = ExitCode::well;
    {
        const auto encoder = encoder_of(options, events.sink());
        const auto number = [&](etl::Output& to) {
            return std::make_unique<etl::sink::RecordNumbers>(to, first_number(options));
        };
        exit =
            write_encoded(events, *encoder, {.threads = events.threads(), .wrap = number}, &result);
    }
    events.report(result.written);
    return exit;
}

ExitCode query_events(const QueryOptions& options) {
    if (!is_log_file(options.from)) {
        return ExitCode::failed;
    }
    if (options.is_reversed &&
        options.from.filters.limit.value_or(max_reversed + 1) > max_reversed) {
        say(fmt::format("/rd:true requires /c with at most {}", max_reversed));
        return ExitCode::usage;
    }
    FilterOptions filters = options.from.filters;
    if (options.is_reversed) {
        filters.limit.reset(); // the last ones, not the first
    }
    auto events = MergedEvents::open(options.from.traces, options.from.schemas, filters);
    if (!events) {
        return events.error();
    }
    return options.is_reversed ? print_reversed(options, **events)
                               : print_events(options, **events);
}

} // namespace

void add_wevtutil_queries(Verb& wevtutil, ExitCode& exit) {
    Verb& verb = *wevtutil.add_subcommand("qe", "query-events: print the events of a file");
    verb.alias("query-events");
    auto options = std::make_shared<QueryOptions>();
    add_log_file(verb, options->from);
    verb.add_option("--c,--count", options->from.filters.limit, "print at most N events")
        ->type_name("N");
    verb.add_flag("--rd,--reversedirection", options->is_reversed,
                  "true: newest events first; requires /c");
    add_choice<QueryFormat>(verb, "--f,--format", options->format,
                            {{"xml", QueryFormat::xml},
                             {"text", QueryFormat::text},
                             {"renderedxml", QueryFormat::rendered_xml}},
                            "XML, Text, or RenderedXml (default: XML)", "FORMAT");
    verb.add_option("--e,--element", options->root, "root element of XML (default: none)")
        ->type_name("NAME");
    verb.add_option("--l,--locale", options->from.schemas.culture,
                    "language of messages (default: en-US)")
        ->type_name("CULTURE");
    for (const char* names : {"--bm,--bookmark", "--sbm,--savebookmark"}) {
        verb.add_option(names, "refused: bookmarks")
            ->type_name("FILE")
            ->check([](const std::string&) {
                return std::string("bookmarks are positions in a log of a Windows machine; use /q "
                                   "with *[System[EventRecordID > NUMBER]]");
            });
    }
    verb.callback([options, &exit] { exit = query_events(*options); });
}

// wevtutil epl: events of a file as an event log.

namespace {

struct ExportLogOptions {
    LogFileOptions from;
    std::string target;
    bool overwrites = false;
};

ExitCode export_log(const ExportLogOptions& options) {
    if (!is_log_file(options.from)) {
        return ExitCode::failed;
    }
    OutputGuard guard("/ow:true");
    guard.reads(options.from.traces);
    guard.reads(options.from.schemas);
    if (!guard.permits(options.target, existing_files(options.overwrites))) {
        return ExitCode::failed;
    }
    auto events =
        MergedEvents::open(options.from.traces, options.from.schemas, options.from.filters);
    if (!events) {
        return events.error();
    }
    etl::flow::PipelineResult result;
    ExitCode exit = ExitCode::well;
    {
        const etl::sink::EventLog encoder((*events)->sink(), {.computer = options.from.computer});
        exit = write_event_log(**events, encoder,
                               {.path = options.target, .threads = (*events)->threads()}, result);
    }
    (*events)->report(result.written);
    return exit;
}

} // namespace

void add_wevtutil_exports(Verb& wevtutil, ExitCode& exit) {
    Verb& verb =
        *wevtutil.add_subcommand("epl", "export-log: write the events of a file to an event log");
    verb.alias("export-log");
    auto options = std::make_shared<ExportLogOptions>();
    add_log_file(verb, options->from);
    verb.add_option("TARGET", options->target, "event log to write (.evtx)")->required();
    verb.add_flag("--ow,--overwrite", options->overwrites, "true: replace TARGET, never FILE");
    verb.callback([options, &exit] { exit = export_log(*options); });
}

} // namespace cli
