// Check of whether traces can be merged. Raw timestamps of two traces are comparable only for the
// same boot of the same machine and the same clock. docs/merge.md#compatibility
#pragma once

#include "flow/trace_info.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace etl::merge {

// Which traces come from one machine, as far as their headers can tell. docs/merge.md#machines

/// All processors share the buffers of the first: the header counts one, whatever there are.
bool has_one_stream(const flow::TraceInfo& trace) noexcept;

/// How many there are, at least 1: as many as the header counts, unless that cannot be, or as
/// buffers name, if those are more.
std::uint32_t processors_of(const flow::TraceInfo& trace) noexcept;

/// Whether the headers prove it: equal boot times, or parts of one recording. Traces that state no
/// boot are of unknown ones, which may differ.
bool is_one_boot(const flow::TraceInfo& a, const flow::TraceInfo& b) noexcept;

/// Neither states its boot.
bool are_boots_unknown(const flow::TraceInfo& a, const flow::TraceInfo& b) noexcept;

/// Processors and the speeds of clocks, which are measured anew at every boot, do not rule it out.
bool may_be_one_machine(const flow::TraceInfo& a, const flow::TraceInfo& b) noexcept;

/// By trace: the numbers that the processors of its machine get, so that those of different
/// machines are kept apart, in the order of the traces. Two boots whose times overlap are of two
/// machines.
struct ProcessorPlan {
    struct Range {
        std::uint32_t first = 0;
        std::uint32_t count = 0; // 0: all, as they are
    };

    std::vector<Range> ranges;
    std::uint32_t processors = 0; // of all together
};

ProcessorPlan plan_processors(std::span<const flow::TraceInfo* const> traces);

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
