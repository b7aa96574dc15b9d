#include "captures/capture.hpp"

#include "captures/reading.hpp"
#include "cli/stop_signals.hpp"
#include "inputs/live_session.hpp"
#include "io/byte_stream.hpp"
#include "trace/stream.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace cli {

namespace {

ExitCode read_stream(const CaptureOptions& options, etl::trace::StreamInput input, UseCapture use,
                     const etl::trace::GrowingTrace* growing = nullptr) {
    const std::vector<std::string> names{input.name()};
    FindingPrinter findings(names);
    const StopSignals signals; // packets that have arrived are still written
    auto reader = etl::trace::StreamReader::open(
        std::move(input),
        {.diagnostics = &findings, .stop = &signals.received(), .growing = growing});
    if (!reader) {
        say(names.front(), reader.error());
        return ExitCode::failed;
    }
    const etl::flow::TraceInfo& trace = (*reader)->info();
    const etl::Filetime start{trace.has_header ? trace.header.start_time : 0};
    auto filters = compile(capture_filters(options), {.start = start, .end = {}});
    if (!filters) {
        return ExitCode::usage;
    }
    const etl::schema::SchemasByTrace schemas(
        etl::packets::schemas_of_drops(options.schemas.paths));
    filters->inputs.schemas = schemas;
    FilterChain chain(**reader, *filters, etl::flow::TimeFilter::Upstream::unordered);
    Capture capture{.options = options,
                    .events = chain.end(),
                    .traces = {&trace},
                    .is_stream = true,
                    .schemas = schemas,
                    .skip = options.filters.skip.value_or(0),
                    .limit = options.filters.limit};
    const ExitCode exit = use(capture);
    if ((*reader)->late_events() > 0) {
        say(fmt::format("warning: {}: {} events arrived late and out of time order",
                        printable(names.front()), (*reader)->late_events()));
    }
    return worst(exit, findings.warnings() > 0 ? ExitCode::damaged : ExitCode::well);
}

/// Why the options need a trace that can be read twice; empty: they do not.
std::string why_twice(const CaptureOptions& options) {
    const FilterOptions filters = capture_filters(options);
    return filters.needs_facts()                ? "--process reads it twice"
           : filters.needs_origins()            ? "--where with an origin reads it twice"
           : options.anonymizing->is_wanted()   ? "--anonymize reads it twice"
           : options.with_events                ? "--events and --link etw read it twice"
           : options.choice.adapters_only       ? "--nic reads it twice"
           : !options.choice.components.empty() ? "--component reads it twice"
                                                : "";
}

/// Why a stream must be copied to a file first; empty: it need not.
std::string why_spooled(const CaptureOptions& options, const etl::trace::StreamInput& input) {
    return !input.spool_reason().empty() ? fmt::format("it is {}", input.spool_reason())
                                         : why_twice(options);
}

ExitCode read_session(const CaptureOptions& options, UseCapture use) {
    const std::string& session = options.session;
    if (const std::string why = why_twice(options); !why.empty()) {
        say(fmt::format("{}: cannot be read while it runs: {}", printable(session), why));
        return ExitCode::failed;
    }
    const auto pipe = deliver_session(session);
    if (!pipe) {
        return ExitCode::failed;
    }
    auto stream = etl::io::open_stream(pipe->path());
    auto input = stream ? etl::trace::StreamInput::open(*std::move(stream), session)
                        : std::unexpected(stream.error());
    if (!input) {
        say(session, input.error());
        return ExitCode::failed;
    }
    return read_stream(options, *std::move(input), use);
}

ExitCode read_growing(const CaptureOptions& options, UseCapture use) {
    const std::string& path = options.traces.arguments.front();
    auto opened = etl::trace::GrowingTrace::open(path);
    if (!opened) {
        say(path, opened.error());
        return ExitCode::failed;
    }
    const std::shared_ptr<etl::trace::GrowingTrace> growing = *std::move(opened);
    auto input = etl::trace::StreamInput::open(growing, path);
    if (!input) {
        say(path, input.error());
        return ExitCode::failed;
    }
    if (const std::string why = why_spooled(options, *input); !why.empty()) {
        say(fmt::format("{}: cannot be followed: {}", printable(path), why));
        return ExitCode::failed;
    }
    return read_stream(options, *std::move(input), use, growing.get());
}

ExitCode read_pipe(CaptureOptions options, UseCapture use) {
    const std::string path = options.traces.arguments.front();
    auto stream = etl::io::open_stream(path);
    auto input = stream ? etl::trace::StreamInput::open(*std::move(stream), path)
                        : std::unexpected(stream.error());
    if (!input) {
        say(path, input.error());
        return ExitCode::failed;
    }
    options.traces.why_spooled = why_spooled(options, *input);
    if (options.traces.why_spooled.empty()) {
        return read_stream(options, *std::move(input), use);
    }
    options.traces.opened = std::make_shared<etl::trace::StreamInput>(*std::move(input));
    return read_files(options, use);
}

} // namespace

ExitCode read_capture(const CaptureOptions& options, UseCapture use) {
    if (!options.session.empty()) {
        return read_session(options, use);
    }
    const std::vector<std::string>& arguments = options.traces.arguments;
    if (options.follow && arguments.size() > 1) {
        say("--follow requires a single trace");
        return ExitCode::usage;
    }
    if (arguments.size() == 1 && etl::io::is_stream(arguments.front())) {
        return read_pipe(options, use);
    }
    return options.follow ? read_growing(options, use) : read_files(options, use);
}

ExitCode read_capture(const CaptureOptions& options, UseCapture use,
                      etl::FunctionRef<ExitCode()> none) {
    bool is_used = false;
    const ExitCode exit = read_capture(options, [&](Capture& capture) {
        is_used = true;
        return use(capture);
    });
    return !is_used && exit == ExitCode::damaged ? worst(exit, none()) : exit;
}

} // namespace cli
