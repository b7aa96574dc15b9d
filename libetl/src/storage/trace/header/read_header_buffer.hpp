// What the header buffer of a trace says, as facts. The inverse is header_buffer.hpp.
#pragma once

#include <etl/bytes.hpp>

#include "flow/trace_info.hpp"

#include <vector>

namespace etl::trace {

/// Reads the log file header record at the front of the first buffer, and the head of that buffer,
/// into `info`. False when there is none: nothing is changed then.
bool read_header_buffer(Bytes first, flow::TraceInfo& info);

// What a log file header states that contradicts the trace or cannot be. docs/format/damage.md

/// Texts of warnings. `buffers`: how many the trace has, without repeated ones; 0: unknown.
std::vector<const char*> header_findings(const flow::TraceInfo& info, std::uint64_t buffers);

} // namespace etl::trace
