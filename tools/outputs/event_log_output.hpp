// Events as an event log (.evtx). docs/output.md#evtx
#pragma once

#include "inputs/merged_events.hpp"

namespace cli {

/// Writes all events that the filters select to an event log, which appears when complete; not to
/// a pipe. `encoder`: a sink::EventLog, or one that passes its output on. Prints errors, and what
/// an event log cannot hold.
ExitCode write_event_log(MergedEvents& events, const etl::flow::Encoder& encoder,
                         const EncodedOutput& to, etl::flow::PipelineResult& result);

} // namespace cli
