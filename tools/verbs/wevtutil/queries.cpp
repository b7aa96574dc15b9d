// wevtutil qe: the events of a file.
#include "cli/choice.hpp"
#include "cli/console.hpp"
#include "cli/print.hpp"
#include "io/output_file.hpp"
#include "sink/event_xml.hpp"
#include "verbs/wevtutil/event_text.hpp"
#include "verbs/wevtutil/log_file.hpp"
#include "verbs/wevtutil/verbs.hpp"

#include <fmt/format.h>

#include <deque>
#include <memory>
#include <string>
#include <utility>

namespace cli {

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

} // namespace cli
