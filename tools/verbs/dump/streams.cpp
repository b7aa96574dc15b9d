// `etl dump` of pipes, devices, and files that grow. docs/streams.md
#include "cli/console.hpp"
#include "cli/stop_signals.hpp"
#include "flow/merged_inputs.hpp"
#include "inputs/growing_trace.hpp"
#include "io/byte_stream.hpp"
#include "trace/stream.hpp"
#include "verbs/dump/dumping.hpp"

#include <fmt/format.h>

#include <utility>

namespace cli {

namespace {

/// Prints how the output differs from that of a file, after the end of the stream.
void report_late_arrivals(std::string_view name, const etl::trace::StreamReader& reader,
                          const etl::gather::StreamSchemas& schemas) {
    const auto events = [](std::uint64_t count) {
        return plural(count, "event was", "events were");
    };
    if (reader.late_events() > 0) {
        say(fmt::format("warning: {}: {} printed out of time order because they arrived late; use "
                        "--spool for exact order",
                        printable(name), events(reader.late_events())));
    }
    if (schemas.printed_too_early() > 0) {
        say(fmt::format("warning: {}: {} printed raw before a schema arrived in the stream; use "
                        "--spool to decode all events",
                        printable(name), events(schemas.printed_too_early())));
    }
}

/// Prints once that a stream is a merge of several inputs, whose schemas are not kept apart. A
/// merge writes the record about an input at the beginning of a buffer.
class MergeNotice {
public:
    explicit MergeNotice(std::string name) : name_(std::move(name)) {}

    void look_at(etl::flow::Run events) {
        const bool is_source = etl::flow::is_source_event(events.front());
        sources_ += is_source ? 1 : 0;
        if (is_source && sources_ == 2) {
            say(fmt::format("note: {}: a merge of several traces; in a stream, a schema of one "
                            "serves the events of all; use --spool to keep machines and boots "
                            "apart",
                            printable(name_)));
        }
    }

private:
    std::string name_;
    unsigned sources_ = 0;
};

ExitCode dump_stream(const DumpOptions& options, etl::trace::StreamInput input,
                     const etl::trace::GrowingTrace* growing = nullptr) {
    const std::vector<std::string> names{input.name()};
    FindingPrinter findings(names);
    auto schemas = etl::gather::StreamSchemas::open(options.schemas.for_threads(1), say_remark);
    if (!schemas) {
        say(schemas.error().path, schemas.error().error);
        return ExitCode::failed;
    }
    MergeNotice merge_notice(names.front());
    const StopSignals signals; // events that have arrived are still printed
    auto reader =
        etl::trace::StreamReader::open(std::move(input), {.order = options.traces.order,
                                                          .diagnostics = &findings,
                                                          .on_arrival =
                                                              [&](etl::flow::Run events) {
                                                                  merge_notice.look_at(events);
                                                                  schemas->add(events);
                                                              },
                                                          .stop = &signals.received(),
                                                          .growing = growing});
    if (!reader) {
        say(names.front(), reader.error());
        return ExitCode::failed;
    }
    schemas->set_build((*reader)->info().header.provider_version);
    const etl::Filetime start = start_of((*reader)->info());
    const auto filters =
        compile(options.filters,
                {.start = start, .end = {}, .utc_offset_minutes = offset_of(options, start)});
    if (!filters) {
        return ExitCode::usage;
    }
    etl::gather::SchemaFeed feed(**reader, *schemas);
    Dump dump(options, {.events = feed,
                        .first_trace = (*reader)->info(),
                        .order = etl::flow::TimeFilter::Upstream::unordered,
                        .schemas = schemas->newest(),
                        .facts = nullptr,
                        .filters = *filters,
                        .stream_schemas = &*schemas});
    feed.on_renewal([&dump] { dump.renew_schemas(); });
    const ExitCode exit = dump.write();
    schemas->report_rejections(names.front());
    dump.report(*filters, schemas->files());
    report_late_arrivals(names.front(), **reader, *schemas);
    return worst(exit, findings.warnings() > 0 ? ExitCode::damaged : ExitCode::well);
}

/// Prints why following a file ended, unless it was finalized.
ExitCode report_end(std::string_view name, etl::trace::GrowingTrace::End end) {
    using End = etl::trace::GrowingTrace::End;
    if (end == End::truncated) {
        say(fmt::format(
            "warning: {}: truncated while it was read; its present contents were not read",
            printable(name)));
        return ExitCode::damaged;
    }
    if (end == End::replaced) {
        say(fmt::format("note: {}: replaced or removed; the old file was read to its end",
                        printable(name)));
    }
    return ExitCode::well;
}

} // namespace

ExitCode dump_growing(const DumpOptions& options, const std::string& path) {
    auto growing = open_growing(path);
    if (!growing) {
        return ExitCode::failed;
    }
    const ExitCode exit = dump_stream(options, std::move(growing->stream), growing->trace.get());
    return worst(exit, report_end(path, growing->trace->end()));
}

std::string_view option_with_two_passes(const DumpOptions& options) {
    return options.split_by_event                                ? "--split-by"
           : options.columns == DumpColumns::automatic           ? "--columns auto"
           : options.strict                                      ? "--strict"
           : options.part                                        ? "--part"
           : options.enrich                                      ? "--enrich"
           : options.filters.needs_facts()                       ? "--process"
           : options.filters.needs_origins()                     ? "--where with an origin"
           : names_origin(options.sink.fields)                   ? "--fields with an origin"
           : options.traces.order == etl::trace::Order::recorded ? "--order recorded"
                                                                 : "";
}

ExitCode dump_pipe(DumpOptions options, const std::string& path) {
    auto stream = etl::io::open_stream(path);
    auto input = stream ? etl::trace::StreamInput::open(std::move(*stream), path)
                        : std::unexpected(stream.error());
    if (!input) {
        say(path, input.error());
        return ExitCode::failed;
    }
    const std::string_view option = option_with_two_passes(options);
    if (!options.spool && option.empty() && input->spool_reason().empty()) {
        return dump_stream(options, std::move(*input));
    }
    options.traces.why_spooled = options.spool     ? ""
                                 : !option.empty() ? fmt::format("{} reads it twice", option)
                                                   : fmt::format("it is {}", input->spool_reason());
    options.traces.opened = std::make_shared<etl::trace::StreamInput>(std::move(*input));
    return dump_files(std::move(options));
}

} // namespace cli
