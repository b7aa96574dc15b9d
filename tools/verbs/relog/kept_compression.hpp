// Which compression the output of `etl relog` has unless --compress says so. docs/relog.md#packing
#pragma once

#include "cli/trace_output.hpp"
#include "cli/traces.hpp"

namespace cli {

/// The codec that compresses the buffers of the first compressed input; none if the output is a
/// container, whose name decides. Prints a note if the output is compressed otherwise than one of
/// its inputs.
etl::codec::Format kept_compression(const Traces& traces, const TraceOutputOptions& output);

} // namespace cli
