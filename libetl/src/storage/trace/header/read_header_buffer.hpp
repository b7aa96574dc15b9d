// What the header buffer of a trace says, as facts. The inverse is header_buffer.hpp.
#pragma once

#include <etl/bytes.hpp>

#include "flow/trace_info.hpp"

namespace etl::trace {

/// Reads the log file header record at the front of the first buffer, and the head of that buffer,
/// into `info`. False when there is none: nothing is changed then.
bool read_header_buffer(Bytes first, flow::TraceInfo& info);

} // namespace etl::trace
