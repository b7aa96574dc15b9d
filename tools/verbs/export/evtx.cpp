// etl export --to evtx. docs/output.md#evtx
#include "outputs/event_log_output.hpp"
#include "sink/event_log.hpp"
#include "verbs/export/formats.hpp"

namespace cli {

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

} // namespace cli
