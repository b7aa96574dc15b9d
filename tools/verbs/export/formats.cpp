#include "verbs/export/formats.hpp"

#include "base/text.hpp"
#include "captures/pcapng.hpp"
#include "outputs/event_log_output.hpp"
#include "sink/event_log.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace cli {

namespace {

constexpr ExportFormat formats[] = {
    {"xml", ".xml", "XML as the event log of Windows renders events", export_xml},
    {"evtx", ".evtx", "an event log for Event Viewer and forensic tools", export_evtx},
    {"pcapng", ".pcapng", "captured packets, for Wireshark", nullptr, export_pcapng},
    {"parquet", ".parquet", "a directory of tables, one for each kind of event, for databases",
     nullptr, export_columns},
    {"arrow", ".arrow", "the same tables as Arrow IPC files, for data frames", nullptr,
     export_columns},
    {"pprof", ".pb.gz", "samples, for go tool pprof", nullptr, export_profile},
    {"speedscope", ".speedscope.json", "samples by thread, for speedscope", nullptr,
     export_profile},
    {"firefox", ".firefox.json", "samples and slices by thread, for the Firefox Profiler", nullptr,
     export_profile},
    {"chrome", ".chrome.json", "a timeline of threads and processors, for trace viewers of Chrome",
     nullptr, export_profile},
    {"perfetto", ".perfetto-trace", "a timeline of threads and processors, for Perfetto", nullptr,
     export_profile},
};

std::string names_of_formats() {
    std::vector<std::string_view> names;
    for (const ExportFormat& format : formats) {
        names.push_back(format.name);
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

} // namespace

std::span<const ExportFormat> export_formats() noexcept {
    return formats;
}

const ExportFormat* format_of(const ExportOptions& options) {
    const std::string name = etl::to_lower_ascii(options.to);
    const std::string output = etl::to_lower_ascii(options.output);
    const auto* const found = std::ranges::find_if(formats, [&](const ExportFormat& format) {
        return name.empty() ? output.ends_with(format.extension) : name == format.name;
    });
    if (found != std::end(formats)) {
        return found;
    }
    if (name.empty()) {
        say(fmt::format("the format is missing; use --to with one of: {}", names_of_formats()));
    } else {
        say(fmt::format("--to: expected one of {}; found '{}'", names_of_formats(),
                        printable(options.to)));
    }
    return nullptr;
}

// etl export --to evtx. docs/output.md#evtx

ExitCode export_evtx(const ExportOptions& options, MergedEvents& events,
                     etl::flow::PipelineResult& result) {
    const etl::sink::EventLog encoder(events.sink(),
                                      {.computer = options.xml.computer,
                                       .accept_short_payloads = options.xml.accept_short_payloads});
    return write_event_log(
        events, encoder,
        {.path = options.output, .threads = events.threads(), .progress = options.progress},
        result);
}

// etl export --to pcapng. docs/packets.md

ExitCode export_pcapng(const ExportOptions& options, std::string_view /*name*/) {
    PcapngOptions packets;
    packets.capture.traces = options.traces;
    packets.capture.schemas = options.schemas;
    packets.capture.filters = options.filters;
    packets.capture.pointer_size = options.sink.pointer_size;
    packets.capture.progress = options.progress;
    packets.output = options.output;
    packets.force = options.force;
    return write_pcapng(packets);
}

// etl export --to xml. docs/output.md#xml

ExitCode export_xml(const ExportOptions& options, MergedEvents& events,
                    etl::flow::PipelineResult& result) {
    etl::sink::Options sink = events.sink();
    if (options.local) {
        sink.utc_offset_minutes = events.local_offset_minutes();
    }
    etl::sink::XmlOptions how = options.xml;
    how.trailing = make_payload_counter();
    const etl::sink::EventXml xml(std::move(sink), how);
    const ExitCode exit = write_encoded(
        events, xml,
        {.path = options.output,
         .threads = events.threads(),
         .progress = options.progress,
         .wrap = [](etl::Output& to) { return std::make_unique<etl::sink::RecordNumbers>(to); }},
        &result);
    report_payloads(result.decoding.errors, *how.trailing, "ProcessingErrorData");
    return exit;
}

} // namespace cli
