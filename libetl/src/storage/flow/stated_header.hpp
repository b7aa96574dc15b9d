// Whether the log file header of a trace states anything of a machine.
#pragma once

#include "flow/trace_info.hpp"

namespace etl::flow {

/// Returns whether the header is that of a recording. Not of an event log that was converted, whose
/// header was made up to make a trace of it: it has neither a boot nor a version of Windows, and no
/// other field states a fact. docs/format/evtx.md#as-a-trace
inline bool is_header_stated(const TraceInfo& trace) noexcept {
    return trace.has_header && (trace.header.boot_time != 0 || trace.header.provider_version != 0);
}

/// Returns whether the trace is an event log that was converted.
inline bool is_of_event_log(const TraceInfo& trace) noexcept {
    return trace.has_header && !is_header_stated(trace);
}

} // namespace etl::flow
