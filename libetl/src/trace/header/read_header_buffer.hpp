// What the header buffer of a trace says, as facts. The inverse is header_buffer.hpp.
#pragma once

#include <etl/base/bytes.hpp>
#include <etl/base/diagnostic.hpp>
#include <etl/flow/trace_info.hpp>

#include <optional>

namespace etl::trace {

/// Reads the log file header record at the front of the first buffer, and the head of that buffer,
/// into `info`. False when there is none: nothing is changed then.
bool read_header_buffer(Bytes first, flow::TraceInfo& info);

/// The finding that the header counts more buffers (BuffersWritten) than the `found` ones that lie
/// before `end`, for streams, which keep no list of buffers (missing_buffers.hpp). None for
/// unfinished traces, whose header does not count, and for circular and appended ones, whose header
/// counts otherwise. docs/format/buffer.md
std::optional<Diagnostic> missing_buffers(const flow::TraceInfo& info, std::uint64_t found,
                                          FileOffset end);

} // namespace etl::trace
