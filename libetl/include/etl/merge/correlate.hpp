// May these traces become one? Raw time stamps of two traces mean the same only on one boot of one
// machine, by one clock. docs/merge.md#may-they-meet
#pragma once

#include <etl/flow/trace_info.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace etl::merge {

/// Something in which a trace differs from the first one.
struct Mismatch {
    std::size_t input = 0; // its place among the traces
    /// "log file header", "clock", "boot time", "Windows build", "processors", "clock frequency" or
    /// "CPU speed".
    const char* field = "";
    std::string first, other;      // what the two say, for people
    bool is_other_machine = false; // not only another boot
};

/// Everything that keeps the raw time stamps of these traces from being merged; empty: nothing
/// does. Only the first mismatch of each input is told. Width of pointers is none: it is that of
/// the controller, and records have their own. One trace fits, whatever it says.
std::vector<Mismatch> correlate(std::span<const flow::TraceInfo* const> traces);

/// Whether two traces are files of one session's series (NEWFILE mode): same session name, boot,
/// and machine, as far as their headers say.
bool is_same_series(const flow::TraceInfo& a, const flow::TraceInfo& b);

} // namespace etl::merge
