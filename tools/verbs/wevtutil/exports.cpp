// wevtutil epl: events of a file as an event log.
#include "cli/console.hpp"
#include "outputs/event_log_output.hpp"
#include "outputs/output_guard.hpp"
#include "sink/event_log.hpp"
#include "verbs/wevtutil/log_file.hpp"
#include "verbs/wevtutil/verbs.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>

namespace cli {

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
