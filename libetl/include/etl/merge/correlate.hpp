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
    std::size_t input = 0;         // its place among the traces
    const char* field = "";        // "boot time", "clock", "clock frequency", "processors", ...
    std::string first, other;      // what the two say, for people
    bool is_other_machine = false; // not only another boot
};

/// Everything that keeps the raw time stamps of these traces from being merged; empty: nothing
/// does. Only the first mismatch of each input is told.
std::vector<Mismatch> correlate(std::span<const flow::TraceInfo* const> traces);

} // namespace etl::merge
