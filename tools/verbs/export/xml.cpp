// etl export --to xml. docs/output.md#xml
#include "outputs/payload_notes.hpp"
#include "verbs/export/formats.hpp"

namespace cli {

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
