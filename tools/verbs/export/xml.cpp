// etl export --to xml. docs/output.md#xml
#include "cli/plural.hpp"
#include "verbs/export/formats.hpp"

#include <fmt/format.h>

namespace cli {

ExitCode export_xml(const ExportOptions& options, MergedEvents& events,
                    etl::flow::PipelineResult& result) {
    etl::sink::Options sink = events.sink();
    if (options.local) {
        sink.utc_offset_minutes = events.local_offset_minutes();
    }
    const etl::sink::EventXml xml(std::move(sink), options.xml);
    const ExitCode exit = write_encoded(
        events, xml,
        {.path = options.output,
         .threads = events.threads(),
         .progress = options.progress,
         .wrap = [](etl::Output& to) { return std::make_unique<etl::sink::RecordNumbers>(to); }},
        &result);
    if (result.decoding.errors > 0) {
        say(fmt::format("note: {} contradict their schema; they are ProcessingErrorData",
                        plural(result.decoding.errors, "payload")));
    }
    return exit;
}

} // namespace cli
