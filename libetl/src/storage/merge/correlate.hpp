// Check of whether traces can be merged. Raw timestamps of two traces are comparable only for the
// same boot of the same machine and the same clock. docs/merge.md#compatibility
#pragma once

#include "flow/trace_info.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace etl::merge {

/// A difference between a trace and the first one.
struct Mismatch {
    std::size_t input = 0; // index of the trace
    /// "log file header", "clock", "boot time", "Windows build", "processors", "clock frequency" or
    /// "CPU speed".
    const char* field = "";
    std::string first, other;      // both values as text
    bool is_other_machine = false; // another machine, not only another boot
};

/// Returns the differences that prevent merging by raw timestamps, at most one per input; empty if
/// the traces can be merged. Pointer size is not compared: it is that of the controller, and
/// records have their own. A single trace always matches.
std::vector<Mismatch> correlate(std::span<const flow::TraceInfo* const> traces);

/// Returns whether two traces are files of one session's series (NEWFILE mode): same session name,
/// boot, and machine, according to their headers.
bool is_same_series(const flow::TraceInfo& a, const flow::TraceInfo& b);

} // namespace etl::merge
