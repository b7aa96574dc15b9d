// What a log file header states that contradicts the trace or cannot be. docs/format/damage.md
#pragma once

#include "flow/trace_info.hpp"

#include <vector>

namespace etl::trace {

/// Texts of warnings. `buffers`: how many the trace has, without repeated ones; 0: unknown.
std::vector<const char*> header_findings(const flow::TraceInfo& info, std::uint64_t buffers);

} // namespace etl::trace
