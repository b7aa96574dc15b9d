// The compression of the output of `etl relog` without --compress. docs/relog.md#packing
#pragma once

#include "inputs/traces.hpp"
#include "outputs/trace_output.hpp"

namespace cli {

/// Returns the codec of the first compressed input, or none if the output is a container by name.
/// Prints a note if the compression of the output differs from that of an input.
etl::codec::Format kept_compression(const Traces& traces, const TraceOutputOptions& output);

} // namespace cli
