// --process, --pid, --tid: which events are about the processes asked for, and what the answer
// leaves open. docs/processes.md
#pragma once

#include <etl/facts/process_matcher.hpp>
#include <etl/match/matcher.hpp>

#include <string>
#include <vector>

namespace cli {

/// Says on standard error which names no process of the traces has, with similar names.
void report_unknown_names(const std::vector<std::string>& words,
                          const etl::facts::FactsByTrace& facts);

/// Says on standard error what the filters left open, after the last event.
void report(const etl::match::Notes& notes);

} // namespace cli
